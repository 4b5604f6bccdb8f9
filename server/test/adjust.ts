import { randomUUID } from "node:crypto";
import type { Client, DataOf, Failure, Reply } from "./client.ts";

/** What the operator's API says of a balance that it corrected. */
export interface Adjustment {
  id: string;
  type: "adjustment";
  amount: number;
  currency: string;
  balance_after: number;
}

/** Corrects an account's balance as an operator does, each time under a key of its own unless one is given. */
export function adjust(
  { operator }: { operator: Client },
  account_id: string,
  { key = randomUUID(), ...body }: { amount: number; description?: string; key?: string },
): Promise<Reply<DataOf<Adjustment> & Failure>> {
  const description = "Correction";
  const headers = { "idempotency-key": key };
  return operator.post(`/accounts/${account_id}/adjustments`, { description, ...body }, headers);
}
