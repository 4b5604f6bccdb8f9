import { randomUUID } from "node:crypto";
import type { Client, DataOf, Failure, Reply } from "./client.ts";

/** The operator API's response to an adjusted balance. */
export interface Adjustment {
  id: string;
  type: "adjustment";
  amount: number;
  currency: string;
  balance_after: number;
}

/** Adjusts an account's balance as an operator does, each time under a key of its own unless one is given. */
export function adjust(
  { operator }: { operator: Client },
  account_id: string,
  { key = randomUUID(), ...body }: { amount: number; description?: string; key?: string },
): Promise<Reply<DataOf<Adjustment> & Failure>> {
  const description = "Correction";
  const headers = { "idempotency-key": key };
  return operator.post(`/accounts/${account_id}/adjustments`, { description, ...body }, headers);
}
