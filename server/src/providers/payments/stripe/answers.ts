import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";
import {
  undoReference,
  type Charge,
  type ChargeRefund,
  type ChargeRequest,
  type ListedCharge,
  type RefundRequest,
  type Reversal,
} from "../payments.ts";
import { outcomeUnknown } from "./failures.ts";

/** Stripe's responses in domain types. Each is validated against the request before it is used. */

const Intent = Type.Object({
  id: Type.String({ pattern: "^pi_" }),
  object: Type.Literal("payment_intent"),
  status: Type.String({ minLength: 1 }),
  amount: Type.Integer({ minimum: 1 }),
  amount_received: Type.Integer({ minimum: 0 }),
  currency: Type.String({ pattern: "^[a-z]{3}$" }),
  metadata: Type.Object({ reference: Type.String() }),
});
const Refund = Type.Object({
  id: Type.String({ minLength: 1 }),
  object: Type.Literal("refund"),
  status: Type.String({ minLength: 1 }),
  amount: Type.Integer({ minimum: 1 }),
  currency: Type.String({ pattern: "^[a-z]{3}$" }),
  payment_intent: Type.String(),
});
const PaidBy = Type.Object({
  latest_charge: Type.Object({
    amount_refunded: Type.Integer({ minimum: 0 }),
    /** Whether it was ever disputed; only the dispute has the amount. */
    disputed: Type.Optional(Type.Boolean()),
  }),
});
const ListedReversal = Type.Object({
  id: Type.String({ minLength: 1 }),
  object: Type.Union([Type.Literal("refund"), Type.Literal("dispute")]),
  status: Type.String({ minLength: 1 }),
  amount: Type.Integer({ minimum: 0 }),
  created: Type.Integer({ minimum: 0 }),
  metadata: Type.Optional(Type.Object({ reference: Type.Optional(Type.String()) })),
});

const ListedIntent = Type.Object({
  ...Intent.properties,
  created: Type.Integer({ minimum: 0 }),
  payment_method: Type.String(),
  metadata: Type.Object({
    reference: Type.String(),
    account_id: Type.String(),
    transaction_id: Type.String(),
    idempotency_key: Type.Optional(Type.String()),
  }),
});

const intentShape = Compile(Intent);
const listedShape = Compile(ListedIntent);
const refundShape = Compile(Refund);
const reversalShape = Compile(ListedReversal);
const paidByShape = Compile(PaidBy);

/** An intent that belongs to the request: its reference, amount and currency. Throws `unknown`. */
export function readIntent(answer: unknown, request: ChargeRequest): Static<typeof Intent> {
  if (!intentShape.Check(answer)) throw outcomeUnknown("bad_answer");
  const { reference, amount_cents, currency } = request;
  const isOurs =
    answer.metadata.reference === reference &&
    answer.amount === amount_cents &&
    answer.currency === currency.toLowerCase();
  if (!isOurs) throw outcomeUnknown("other_payment");
  return answer;
}

/** The charge of an intent that succeeded, requested with its `latest_charge`. Throws `unknown`. */
export function readCharge(answer: unknown, request: ChargeRequest): Charge {
  const intent = readIntent(answer, request);
  if (!paidByShape.Check(answer) || intent.amount_received !== request.amount_cents)
    throw outcomeUnknown("bad_answer");
  return {
    charge_id: intent.id,
    reference: request.reference,
    amount_cents: intent.amount_received,
    currency: request.currency,
    payment_method: request.payment_method,
    refunded_cents: answer.latest_charge.amount_refunded,
  };
}

/**
 * A listed intent as a charge; nothing for one that took no money or lacks Waybill's metadata. Throws
 * `unknown` for one that is being processed.
 */
export function readListedCharge(answer: unknown): ListedCharge[] {
  if (!listedShape.Check(answer)) return [];
  if (answer.status === "processing") throw outcomeUnknown("payment_processing");
  if (answer.status !== "succeeded") return [];
  if (!paidByShape.Check(answer)) throw outcomeUnknown("bad_answer");
  const { reference, account_id, transaction_id, idempotency_key = null } = answer.metadata;
  return [
    {
      charge_id: answer.id,
      reference,
      account_id,
      transaction_id,
      idempotency_key,
      amount_cents: answer.amount_received,
      currency: answer.currency.toUpperCase(),
      payment_method: answer.payment_method,
      refunded_cents: answer.latest_charge.amount_refunded,
      ...(answer.latest_charge.disputed ? { disputed_cents: answer.amount_received } : {}),
      charged_at: new Date(answer.created * 1000),
    },
  ];
}

/**
 * A listed refund or dispute of a charge of this installation, requested with its payment intent; nothing for
 * other systems' charges, for a refund that failed, and for Waybill's own. Throws `unknown`.
 */
export function readReversal(answer: { payment_intent?: unknown }): Reversal[] {
  if (!reversalShape.Check(answer)) throw outcomeUnknown("bad_answer");
  const { id, object: kind, status, amount, created, metadata } = answer;
  const isRefund = kind === "refund";
  if (isRefund && (status === "failed" || status === "canceled")) return [];
  return readListedCharge(answer.payment_intent)
    .filter((charge) => !(isRefund && metadata?.reference === undoReference(charge.reference)))
    .map((charge) => ({
      kind,
      reversal_id: id,
      amount_cents: amount,
      status,
      charge,
      reversed_at: new Date(created * 1000),
    }));
}

/** A refund that is made or under way. Throws `unknown` for one of another request. */
export function readRefund(answer: unknown, request: RefundRequest): ChargeRefund {
  if (!refundShape.Check(answer)) throw outcomeUnknown("bad_answer");
  const { id, status, amount, currency, payment_intent } = answer;
  if (payment_intent !== request.charge_id || amount !== request.amount_cents)
    throw outcomeUnknown("other_refund");
  if (status !== "succeeded" && status !== "pending") throw outcomeUnknown(`refund_${status}`);
  return {
    refund_id: id,
    reference: request.reference,
    charge_id: payment_intent,
    amount_cents: amount,
    currency: currency.toUpperCase(),
  };
}
