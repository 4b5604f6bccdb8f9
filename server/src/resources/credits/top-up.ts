import { Type, type Static } from "typebox";
import type { Context, Platform } from "../../context.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { ApiError, invalid, notFound } from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import { fromCents, toCents, type Cents } from "../../domain/values/money.ts";
import { recordEvent } from "../../events/outbox.ts";
import type { Tx } from "../../database/tables.ts";
import { answer, recordOutcome, type StoredResponse } from "../../http/idempotency.ts";
import { post } from "../../ledger/ledger.ts";
import { findBegun } from "../../outbound/attempt-store.ts";
import {
  type Attempt,
  type Effect,
  type Failure,
  oneByOne,
  type OutboundOperation,
  proofAfter,
  type ReviewOf,
} from "../../outbound/operation.ts";
import { perform } from "../../outbound/outbound.ts";
import {
  PaymentError,
  undoReference,
  type Charge,
  type ChargeRequest,
  type Processor,
} from "../../providers/payments/payments.ts";
import { noDefaultCard, readNewTopUp } from "./new-top-up.ts";
import { type NewTopUp, TopUp } from "./schemas.ts";
import { failRecharge } from "./recharge/end-recharge.ts";
import { endRecharge } from "./recharge/recharge-store.ts";
import * as store from "./store.ts";

/**
 * Buys credit with a card (spec 2.9, decision 12). A declined card answers 402 `payment_failed`. With an
 * unknown outcome the top-up is `pending` under its final id, and recovery finds out; a retry with the same
 * key shows that one instead of charging again.
 */
export async function topUpCredits(ctx: Context, body: unknown): Promise<StoredResponse> {
  const wanted = await readNewTopUp(ctx, body);
  const earlier = await findEarlier(ctx);
  if (earlier) return earlier;
  const input = await readTopUp(ctx, wanted);
  const performed = await perform(ctx.outbound, topUp(ctx), {
    account_id: ctx.account.account_id,
    idempotency_key: ctx.claim?.key ?? null,
    by: originOf(ctx),
    prepare: async () => ({
      subject_id: input.transaction_id,
      party: input.party,
      input,
      message: null,
    }),
  });
  switch (performed.result) {
    case "settled":
      return performed.outcome;
    case "unknown":
      return pending(ctx, input);
    case "refused":
      throw refusedBy(performed.failure, performed.error);
  }
}

/** All that the end of a top-up needs to know, stored with the attempt before the card is charged. */
export interface TopUpInput {
  transaction_id: string;
  /** The processor; absent in attempts from before there was more than one. */
  party?: Processor;
  amount_cents: Cents;
  currency: string;
  payment_method: { id: string; brand: string; last4: string };
  /** The owner of the card at the processor. */
  customer?: string | null;
  created_at: string;
  /** The account's setting asked for it (`recharge/`). */
  is_automatic?: boolean;
}

async function readTopUp(
  ctx: Context,
  { amount, payment_method_id }: NewTopUp,
): Promise<TopUpInput & { party: Processor }> {
  const method = await store.findPaymentMethod(
    ctx.db,
    ctx.account.account_id,
    payment_method_id ?? null,
  );
  if (!method && payment_method_id) throw notFound();
  if (!method) throw invalid(noDefaultCard);
  const now = ctx.clock.now();
  return {
    transaction_id: newId("txn", now),
    party: ctx.payments.forAccount(ctx.account.environment).party,
    amount_cents: toCents(amount),
    currency: ctx.account.currency,
    payment_method: { id: method.id, brand: method.brand, last4: method.last4 },
    customer: method.processor_customer,
    created_at: now.toISOString(),
  };
}

/** The effect of the first request with this key before it died, if it got as far as the processor. */
async function findEarlier(ctx: Context): Promise<StoredResponse | null> {
  const attempt = await findBegun(ctx.db, ctx.claim);
  if (!attempt) return null;
  const input = attempt.input as TopUpInput;
  const { account_id } = ctx.account;
  const transaction = await store.findTransaction(ctx.db, account_id, input.transaction_id);
  return transaction ? succeeded(input, transaction) : pending(ctx, input);
}

/** Dated as its transaction is, so that one id has one time (decision 12.1). */
function succeeded(
  input: TopUpInput,
  { balance_after_cents, created_at }: { balance_after_cents: Cents; created_at: Date },
): StoredResponse {
  const balance_after = fromCents(balance_after_cents);
  const dated = { ...input, created_at: created_at.toISOString() };
  return answer(201, TopUp, show(dated, { status: "succeeded", balance_after }));
}

function pending(ctx: Context, input: TopUpInput): StoredResponse {
  if (ctx.claim) ctx.claim.unresolved = true;
  return answer(201, TopUp, show(input, { status: "pending", balance_after: null }));
}

function show(
  input: TopUpInput,
  end: { status: "succeeded" | "pending"; balance_after: number | null },
) {
  return {
    id: input.transaction_id,
    type: "top_up",
    status: end.status,
    amount: fromCents(input.amount_cents),
    currency: input.currency,
    balance_after: end.balance_after,
    payment_method: input.payment_method,
    created_at: input.created_at,
  };
}

function refusedBy(failure: Failure, error: unknown): ApiError {
  if (error instanceof PaymentError && error.decline_code !== null) {
    return new ApiError("payment_failed", { details: { decline_code: error.decline_code } });
  }
  return new ApiError("payment_provider_error", {
    details: {
      carrier: null,
      carrier_code: failure.party_code,
      carrier_message: failure.message,
      retryable: failure.kind === "unreachable",
    },
  });
}

function chargeRequest(attempt: Attempt<TopUpInput>): ChargeRequest {
  const { account_id, reference, idempotency_key, input } = attempt;
  return {
    reference,
    account_id,
    transaction_id: input.transaction_id,
    idempotency_key,
    amount_cents: input.amount_cents,
    currency: input.currency,
    payment_method: input.payment_method.id,
    customer: input.customer ?? null,
  };
}

const ChargeByHand = Type.Object(
  { charge_id: Type.String({ minLength: 1, maxLength: 200, pattern: "^[\\x21-\\x7e]+$" }) },
  { additionalProperties: false },
);

/** A processor that could not be asked for a day: its own site shows whether the card was charged. */
const topUpReview: ReviewOf<TopUpInput, Charge> = {
  evidence: { charge: ChargeByHand },
  advice: ({ reference, input }) =>
    `Find out at the card processor whether ${fromCents(input.amount_cents)} ${input.currency} were charged under our reference ${reference}. ` +
    "If they were, decide `stands` with the charge's id: the account gets its credit. " +
    "If they were not, or once you have paid them back there, decide `void`: nothing is credited.",
  moves: ({ input }) => ({ stands: input.amount_cents, void: 0 }),
  resultOf: async ({ reference, input }, evidence) => ({
    charge_id: (evidence as { charge: Static<typeof ChargeByHand> }).charge.charge_id,
    reference,
    amount_cents: input.amount_cents,
    currency: input.currency,
    payment_method: input.payment_method.id,
    refunded_cents: 0,
  }),
};

/** The outbound operation of a top-up: one charge under its reference, and the credit once it is made. */
export function topUp(
  platform: Platform,
): OutboundOperation<TopUpInput, null, Charge, StoredResponse> {
  const processor = ({ party = "payments" }: TopUpInput) => platform.payments.named(party);
  return {
    kind: "top_up",
    timeoutSeconds: (input) => processor(input).timeoutSeconds,
    lookUp: (input) => proofAfter(processor(input).commitHorizonSeconds),
    review: topUpReview,

    send: async (attempt, _message, signal) =>
      processor(attempt.input).charge(chargeRequest(attempt), signal),
    recovery: {
      by: "find",
      find: async (attempt, signal) =>
        processor(attempt.input).findCharge(chargeRequest(attempt), signal),
    },

    mismatchIn({ input }, { amount_cents, currency }) {
      if (amount_cents === input.amount_cents && currency === input.currency) return null;
      return new PaymentError({
        party: input.party ?? "payments",
        kind: "refused",
        code: "charge_differs",
        message: "The card was charged another amount than was asked for; it was paid back.",
      });
    },

    async undo({ reference: charge_reference, input }, { charge_id, ...charge }, signal) {
      const amount_cents = charge.amount_cents - charge.refunded_cents;
      if (amount_cents === 0) return;
      const reference = undoReference(charge_reference);
      const refund = { reference, charge_reference, charge_id, amount_cents };
      await processor(input).refund(refund, signal);
    },

    settle: oneByOne((tx, effect) => credit(tx, effect, platform.clock.now())),

    // There is no hold for a top-up, and only the attempt itself shows it.
    async release(tx, attempt, { kind, party_code: code }) {
      const { account_id, input } = attempt;
      if (!input.is_automatic) return;
      const is_refused = kind === "refused";
      await failRecharge(tx, { ...input, account_id, code, is_refused }, attempt);
    },
    suspend: async () => undefined,
  };
}

/** Adds the amount of the charge to the balance, and tells of it. */
async function credit(
  tx: Tx,
  { attempt, result: charge }: Effect<TopUpInput, Charge>,
  at: Date,
): Promise<StoredResponse> {
  const { account_id, input } = attempt;
  const posted = await post(tx, {
    account_id,
    id: input.transaction_id,
    type: "top_up",
    subtotal_cents: charge.amount_cents,
    tax_cents: 0,
    currency: charge.currency,
    description: `${input.is_automatic ? "Automatic top-up" : "Top-up"}, ${input.payment_method.brand} ending in ${input.payment_method.last4}`,
    shipment_id: null,
    details: { charge_id: charge.charge_id, reference: attempt.reference },
    entries: [
      { book: "credits", amount_cents: charge.amount_cents },
      { book: "cash", amount_cents: -charge.amount_cents },
    ],
    at,
  });
  await recordEvent(tx, {
    account_id,
    type: "credits.topped_up",
    subject_id: input.transaction_id,
    data: {
      total: fromCents(charge.amount_cents),
      currency: charge.currency,
      transaction_id: input.transaction_id,
      balance: fromCents(posted.balance_after_cents),
    },
    by: attempt,
  });
  if (input.is_automatic) await endRecharge(tx, account_id, input.transaction_id);
  return recordOutcome(tx, attempt, succeeded(input, { ...posted, created_at: at }));
}
