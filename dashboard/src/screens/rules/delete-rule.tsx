import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Rule } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { ruleWords } from "./words.ts";

/** Asks before a rule is deleted. */
export function DeleteRule({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const words = useWords(ruleWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const navigate = useNavigate();
  const key = useFormKey(`rule.delete.${rule.id}`);
  const submit = async () => {
    await key.send((idempotencyKey) => waybill.rules.delete(rule.id, { idempotencyKey }));
    toast(words.deleted);
    void client.invalidateQueries({ queryKey: [environment, "rules"] });
    await navigate({ to: `/${environment}/rules` as never });
  };
  return (
    <Confirm
      title={words.deleteTitle(rule.name)}
      action={words.delete}
      keep={words.keep}
      onConfirm={submit}
      onClose={onClose}
    >
      {words.deleteText}
    </Confirm>
  );
}
