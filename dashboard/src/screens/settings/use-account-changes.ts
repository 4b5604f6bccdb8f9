import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Body, OwnAccount } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { useFormDraft } from "../../form-draft.ts";
import { accountQuery } from "../../shell/queries.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { settingWords } from "./words.ts";

type Changes = Body<"updateAccount">;
type Preferences = OwnAccount["preferences"];

const none: { account: Changes; preferences: Partial<Preferences> } = {
  account: {},
  preferences: {},
};

/** The account, with what was changed on the screen and is not saved yet. Only that is sent. */
export function useAccountChanges(form: string) {
  const words = useWords(settingWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey(`${form}.${environment}`);
  const account = useQuery(accountQuery(environment));
  const { value: changes, change, drop } = useFormDraft(`${form}.${environment}`, none);
  const save = async () => {
    const { account: own, preferences } = changes;
    const body = { ...own, ...(Object.keys(preferences).length > 0 ? { preferences } : {}) };
    if (Object.keys(body).length > 0) {
      const { data } = await key.send((idempotencyKey) =>
        waybill.account.update(body, { idempotencyKey }),
      );
      client.setQueryData(accountQuery(environment).queryKey, data);
      drop();
      await client.invalidateQueries({ queryKey: ["session"] });
    }
    toast(words.saved);
  };
  return {
    account,
    typed: changes.account,
    preferences: account.data && { ...account.data.preferences, ...changes.preferences },
    change: (more: Changes) => change({ account: { ...changes.account, ...more } }),
    prefer: (more: Partial<Preferences>) =>
      change({ preferences: { ...changes.preferences, ...more } }),
    save,
  };
}
