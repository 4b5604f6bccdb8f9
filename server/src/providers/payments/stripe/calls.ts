import type { Stripe } from "stripe";
import type {
  Charge,
  ChargePage,
  ChargeRequest,
  Payments,
  RefundRequest,
  ReversalPage,
} from "../payments.ts";
import { readCharge, readIntent, readListedCharge, readRefund, readReversal } from "./answers.ts";
import { stripeClient, type StripeConnection } from "./client.ts";
import {
  isInvalidRequest,
  isReplayed,
  paymentError,
  refuseUncountable,
  outcomeUnknown,
} from "./failures.ts";

/** What is asked of Stripe: the methods of `Payments`. */
export type StripeCalls = Pick<
  Payments,
  "charge" | "findCharge" | "listCharges" | "listReversals" | "refund"
>;

/** The calls over one connection. Their errors state what they prove. */
export function stripeCalls(connection: StripeConnection): StripeCalls {
  /** Makes calls that end with the signal. */
  async function withStripe<T>(
    signal: AbortSignal,
    calls: (stripe: Stripe) => Promise<T>,
  ): Promise<T> {
    try {
      return await calls(stripeClient(connection, signal));
    } catch (error) {
      throw paymentError(error);
    }
  }

  return {
    charge: (request, signal) => withStripe(signal, (stripe) => charge(stripe, request)),
    findCharge: (request, signal) => withStripe(signal, (stripe) => findCharge(stripe, request)),
    listCharges: (request, signal) => withStripe(signal, (stripe) => listCharges(stripe, request)),
    listReversals: (request, signal) =>
      withStripe(signal, (stripe) => listReversals(stripe, request)),
    refund: (request, signal) =>
      withStripe(signal, async (stripe) => readRefund(await refund(stripe, request), request)),
  };
}

const withCharge = { expand: ["latest_charge"] };

async function charge(stripe: Stripe, request: ChargeRequest): Promise<Charge> {
  refuseUncountable(request.currency);
  const { id } = await writeDown(stripe, request);
  const confirmed = await stripe.paymentIntents.confirm(
    id,
    { ...withCharge, off_session: true, error_on_requires_action: true },
    { idempotencyKey: `${request.reference}_confirm` },
  );
  const { status } = readIntent(confirmed, request);
  if (status === "succeeded") return readCharge(confirmed, request);
  throw outcomeUnknown(`payment_${status}`);
}

/** The intent of this request, unconfirmed when it is new. The same request again is the same intent. */
async function writeDown(stripe: Stripe, request: ChargeRequest) {
  const { reference, account_id, transaction_id } = request;
  const { amount_cents, currency, payment_method, customer } = request;
  const intent = await stripe.paymentIntents.create(
    {
      amount: amount_cents,
      currency: currency.toLowerCase(),
      payment_method,
      ...(customer === null ? {} : { customer }),
      allowed_payment_method_types: ["card"],
      capture_method: "automatic",
      metadata: { reference, account_id, transaction_id, ...keyOf(request) },
    },
    { idempotencyKey: reference },
  );
  return readIntent(intent, request);
}

/** Metadata has no null: a charge without a key lacks the field. */
function keyOf({ idempotency_key }: ChargeRequest): { idempotency_key?: string } {
  return idempotency_key === null ? {} : { idempotency_key };
}

/** Newest first, as Stripe lists them. A payment that is being processed throws: it may yet be a charge. */
async function listCharges(
  stripe: Stripe,
  { since, cursor }: { since: Date; cursor: string | null },
): Promise<ChargePage> {
  const { data, has_more } = await stripe.paymentIntents.list({
    created: { gte: Math.floor(since.getTime() / 1000) },
    limit: 100,
    expand: ["data.latest_charge"],
    ...(cursor === null ? {} : { starting_after: cursor }),
  });
  const last = data.at(-1);
  return {
    charges: data.flatMap((intent) => readListedCharge(intent)),
    next_cursor: has_more && last ? last.id : null,
  };
}

const reversalLists = ["disputes", "refunds"] as const;

/**
 * First the disputes, then the refunds, each newest first: a cursor says in which list it is, and after
 * which item.
 */
async function listReversals(
  stripe: Stripe,
  { since, cursor }: { since: Date; cursor: string | null },
): Promise<ReversalPage> {
  const [name = "disputes", behind = ""] = cursor?.split(" ") ?? [];
  const list = reversalLists.find((each) => each === name) ?? "disputes";
  const asked = {
    created: { gte: Math.floor(since.getTime() / 1000) },
    limit: 100,
    expand: ["data.payment_intent.latest_charge"],
    ...(behind === "" ? {} : { starting_after: behind }),
  };
  const { data, has_more } = await (list === "disputes"
    ? stripe.disputes.list(asked)
    : stripe.refunds.list(asked));
  const last = data.at(-1);
  const next = list === "disputes" ? "refunds " : null;
  return {
    reversals: data.flatMap((each) => readReversal(each)),
    next_cursor: has_more && last ? `${list} ${last.id}` : next,
  };
}

/**
 * Finds the charge, or closes the intent so that there never will be one. Anything in between
 * throws `unknown`: a payment that is being processed, a concurrent call at work on it.
 */
async function findCharge(stripe: Stripe, request: ChargeRequest): Promise<Charge | null> {
  for (const id of await intentsOf(stripe, request)) {
    const intent = await stripe.paymentIntents.retrieve(id, withCharge);
    const { status } = readIntent(intent, request);
    if (status === "succeeded") return readCharge(intent, request);
    if (status === "processing") throw outcomeUnknown("payment_processing");
    if (status === "canceled") continue;
    const cancelled = await stripe.paymentIntents.cancel(id);
    const after = readIntent(cancelled, request).status;
    if (after !== "canceled") throw outcomeUnknown(`payment_${after}`);
  }
  return null;
}

/**
 * Every intent with the reference. Stripe's search knows those older than an hour (mostly than a minute),
 * its idempotency keys those younger than a day: together they know all.
 */
async function intentsOf(stripe: Stripe, request: ChargeRequest): Promise<string[]> {
  const query = `metadata["reference"]:"${request.reference}"`;
  const found = await stripe.paymentIntents.search({ query, limit: 100 });
  const known = found.data.map((intent) => readIntent(intent, request).id);
  if (known.length > 0) return known;
  try {
    return [(await writeDown(stripe, request)).id];
  } catch (error) {
    // The first call failed for good, or would if it came now: there is not, and cannot be, an intent to
    // confirm.
    if (isReplayed(error) || isInvalidRequest(error)) return [];
    throw error;
  }
}

function refund(stripe: Stripe, { reference, charge_id, amount_cents }: RefundRequest) {
  return stripe.refunds.create(
    { payment_intent: charge_id, amount: amount_cents, metadata: { reference } },
    { idempotencyKey: reference },
  );
}
