import { useQueryClient } from "@tanstack/react-query";
import type { CarrierConnection } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { sendWithKey } from "../../form-key.ts";
import { problemOf } from "../../kit/problem.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { connectionsQuery } from "./queries.ts";
import { carrierWords } from "./words.ts";

/** What is done to a connection without a question before it. */
export type ConnectionCall = "test" | "makeDefault" | "enable" | "disable";

/** Each sends its call, says what came of it, and reads the connections again. */
export function useConnectionCalls(): Record<
  ConnectionCall,
  (connection: CarrierConnection) => Promise<void>
> {
  const words = useWords(carrierWords);
  const environment = useEnvironment();
  const client = useQueryClient();
  const { carrierConnections } = useWaybill();
  const saying = async (call: () => Promise<string>) => {
    try {
      toast(await call());
    } catch (error) {
      toast(problemOf(error).message, "danger");
    }
    await client.invalidateQueries(connectionsQuery(environment));
  };
  const update =
    (changes: Parameters<typeof carrierConnections.update>[1], said: (name: string) => string) =>
    ({ id, name }: CarrierConnection) =>
      saying(async () => {
        const form = `connection.${Object.keys(changes).join()}.${id}`;
        await sendWithKey(form, (idempotencyKey) =>
          carrierConnections.update(id, changes, { idempotencyKey }),
        );
        return said(name);
      });
  return {
    test: ({ id, name }) =>
      saying(async () => {
        const { data } = await sendWithKey(`connection.test.${id}`, (idempotencyKey) =>
          carrierConnections.test(id, { idempotencyKey }),
        );
        if (!data.ok) throw new Error(data.message);
        return words.accepted(name);
      }),
    makeDefault: update({ is_default: true }, words.madeDefault),
    enable: update({ status: "active" }, words.enabled),
    disable: update({ status: "disabled" }, words.disabled),
  };
}
