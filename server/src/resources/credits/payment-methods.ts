import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { invalid, notFound } from "../../domain/errors/errors.ts";
import { answer, noContent, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { PaymentMethod, type NewCard } from "./schemas.ts";
import * as store from "./store.ts";
import { testCards } from "./test-cards.ts";

/** The cards of an account, as the account itself changes them. */

/**
 * Attaches a card of the simulated processor, or returns the one that is attached already. The first card is the
 * default. Throws 422 where a real processor is charged: there the operator attaches cards.
 */
export async function addCard(
  ctx: Context,
  { card, is_default }: NewCard,
): Promise<StoredResponse> {
  const { account_id, environment } = ctx.account;
  if (ctx.payments.forAccount(environment).party !== "payments")
    throw invalid({ card: ["is for the simulated processor; the operator attaches others."] });
  const facts = testCards.find(({ id }) => id === card)!;
  return inTransaction(ctx.db, async (tx) => {
    await store.lockPaymentMethods(tx, account_id);
    const known = await store.findPaymentMethod(tx, account_id, card);
    const isFirst = (await store.findPaymentMethod(tx, account_id, null)) === null;
    const row = await store.putPaymentMethod(tx, {
      account_id,
      brand: "visa",
      processor_customer: null,
      id: facts.id,
      last4: facts.last4,
      is_default: (is_default ?? known?.is_default ?? false) || isFirst,
    });
    return recordResponse(tx, ctx, {
      answer: answer(201, PaymentMethod, toPaymentMethod(row)),
      subject_id: card,
    });
  });
}

/** One card of the account. Throws 404. */
export async function getCard({ db, account }: Context, id: string) {
  const row = await store.findPaymentMethod(db, account.account_id, id);
  if (!row) throw notFound();
  return row;
}

/** Makes a card the one that a top-up charges when it names none. Throws 404. */
export async function makeDefault(ctx: Context, id: string): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  return inTransaction(ctx.db, async (tx) => {
    await store.lockPaymentMethods(tx, account_id);
    const known = await store.findPaymentMethod(tx, account_id, id);
    if (!known) throw notFound();
    const { brand, last4, processor_customer } = known;
    const row = await store.putPaymentMethod(tx, {
      account_id,
      id,
      brand,
      last4,
      processor_customer,
      is_default: true,
    });
    return recordResponse(tx, ctx, {
      answer: answer(200, PaymentMethod, toPaymentMethod(row)),
      subject_id: id,
    });
  });
}

/** Detaches a card; charges in progress are not affected. Throws 404. */
export async function removeCard(ctx: Context, id: string): Promise<StoredResponse> {
  return inTransaction(ctx.db, async (tx) => {
    if (!(await store.deletePaymentMethod(tx, ctx.account.account_id, id))) throw notFound();
    return recordResponse(tx, ctx, { answer: noContent(), subject_id: id });
  });
}

export function toPaymentMethod<Row extends { created_at: Date }>(row: Row) {
  return { ...row, created_at: row.created_at.toISOString() };
}
