import type { Context } from "../../context.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { recordExisting } from "../../outbound/outbound.ts";
import type { ListedCharge, Processor } from "../../providers/payments/payments.ts";
import * as store from "./store.ts";
import { topUp, type TopUpInput } from "./top-up.ts";

/**
 * Records a charge that the card processor has and this database lost when it was restored, as the top-up
 * that it was: the same transaction id, and the same key, whose retry finds it. The context's clock is set to
 * the time of the charge.
 */
export async function restoreTopUp(
  ctx: Context,
  charge: ListedCharge,
  party: Processor,
): Promise<void> {
  const { account_id, transaction_id, reference, amount_cents, currency, charged_at } = charge;
  const card = await store.findPaymentMethod(ctx.db, account_id, charge.payment_method);
  const input: TopUpInput = {
    transaction_id,
    party,
    amount_cents,
    currency,
    // Of a card that was added after the backup only the name is known here.
    payment_method: {
      id: charge.payment_method,
      brand: card?.brand ?? "card",
      last4: card?.last4 ?? "????",
    },
    customer: card?.processor_customer ?? null,
    created_at: charged_at.toISOString(),
  };
  const performed = await recordExisting(ctx.outbound, topUp(ctx), {
    account_id,
    idempotency_key: charge.idempotency_key,
    by: originOf(ctx),
    prepare: async () => ({ subject_id: transaction_id, party, input, message: null }),
    known: { reference, at: charged_at },
    result: charge,
  });
  if (performed.result !== "settled") throw new Error(performed.failure.message);
}
