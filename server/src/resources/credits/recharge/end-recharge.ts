import type { Tx } from "../../../database/tables.ts";
import type { Origin } from "../../../domain/accounts/principal.ts";
import { fromCents, type Cents } from "../../../domain/values/money.ts";
import { recordEvent } from "../../../events/outbox.ts";
import * as store from "./recharge-store.ts";

/** An automatic top-up that did not happen. */
export interface Failed {
  account_id: string;
  /** Null: it could not begin. */
  transaction_id: string | null;
  amount_cents: Cents;
  currency: string;
  /** The card processor's code, or ours. */
  code: string;
  /** The card was refused; otherwise the processor was out of reach, and the account is not told. */
  is_refused: boolean;
}

/** Writes when the card is charged again, and tells the account of a refusal. For other top-ups it does nothing. */
export async function failRecharge(tx: Tx, failed: Failed, by: Origin): Promise<void> {
  const { account_id, amount_cents, currency, code, is_refused } = failed;
  const written = await store.failRecharge(tx, account_id, failed);
  if (!written || !is_refused) return;
  await recordEvent(tx, {
    account_id,
    type: "credits.recharge_failed",
    subject_id: account_id,
    data: {
      total: fromCents(amount_cents),
      currency,
      reason: code,
      next_attempt_at: written.next_at?.toISOString() ?? null,
    },
    by,
  });
}
