import { useQueryClient } from "@tanstack/react-query";
import type { Rule } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { sendWithKey } from "../../form-key.ts";
import { problemOf } from "../../kit/problem.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { bodyOf, draftOf, type RuleDraft } from "./draft.ts";
import { rulesQuery } from "./queries.ts";
import { moved } from "./places.ts";

/**
 * Small changes from the list: on and off, and the order. Each is made to the rule as it is saved at that moment,
 * so that nothing that another person changed meanwhile is put back.
 */
export function useRuleChanges(rules: readonly Rule[]) {
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const { queryKey } = rulesQuery(environment);
  const [isPending, setPending] = useState(false);

  const put = (id: string, change: Partial<RuleDraft>) =>
    sendWithKey(`rule.${environment}.${id}.${JSON.stringify(change)}`, async (idempotencyKey) => {
      const { data } = await waybill.rules.get(id);
      const body = bodyOf({ ...draftOf(data), ...change });
      await waybill.rules.replace(id, body, { idempotencyKey });
    });
  const run = async (changes: readonly ({ id: string } & Partial<RuleDraft>)[]) => {
    setPending(true);
    // Shown at once; what the server says comes after it.
    client.setQueryData(queryKey, (before: Rule[] | undefined) =>
      before
        ?.map((rule) => ({ ...rule, ...changes.find(({ id }) => id === rule.id) }) as Rule)
        .sort((one, other) => one.priority - other.priority),
    );
    try {
      for (const { id, ...change } of changes) await put(id, change);
    } catch (error) {
      toast(problemOf(error).message, "danger");
    } finally {
      setPending(false);
      await client.invalidateQueries({ queryKey });
    }
  };
  return {
    isPending,
    move: (from: number, to: number) => run(moved(rules, from, to)),
    enable: (id: string, enabled: boolean) => run([{ id, enabled }]),
  };
}
