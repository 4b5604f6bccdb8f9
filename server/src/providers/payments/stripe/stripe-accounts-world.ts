import { randomUUID } from "node:crypto";

/**
 * Stripe's state and decisions, as far as a saved card charged off session depends on them: intents
 * with their states, refunds, a search index that lags behind. For tests; after Stripe's own
 * documentation.
 */

export interface Intent {
  id: string;
  object: "payment_intent";
  status: string;
  amount: number;
  amount_received: number;
  currency: string;
  customer: string | null;
  payment_method: string;
  /** In seconds. */
  created: number;
  metadata: Record<string, string>;
  latest_charge: { id: string; amount_refunded: number; disputed?: boolean } | null;
}

/** A refund, or a dispute, which no API call opens. */
export interface Reversal {
  id: string;
  object: "refund" | "dispute";
  intent: string;
  amount: number;
  status: string;
  created: number;
  metadata: Record<string, string>;
}

export interface StripeResponse {
  status: number;
  body: object;
  /** False for what Stripe refuses before it begins: such a response is not kept for its key. */
  began: boolean;
  /** Kept from the first request with the key. */
  replayed?: boolean;
}

export type Operation =
  | "create"
  | "confirm"
  | "cancel"
  | "retrieve"
  | "search"
  | "list"
  | "refund"
  | "list_refunds"
  | "list_disputes";

export interface Call {
  operation: Operation;
  /** Of the intent; empty where none is named. */
  id: string;
  params: URLSearchParams;
}

/** The result of a confirmation with each card; `pm_saved` can be charged only as `cus_1`'s. */
const cards: Readonly<Record<string, { decline_code?: string; code?: string; status?: string }>> = {
  pm_card_visa: {},
  pm_saved: {},
  pm_card_declined: { decline_code: "generic_decline" },
  pm_card_poor: { decline_code: "insufficient_funds" },
  pm_card_expired: { code: "expired_card" },
  pm_card_3ds: { code: "authentication_required", decline_code: "authentication_required" },
  pm_card_slow: { status: "processing" },
};

export interface StripeAccounts {
  intents: Map<string, Intent>;
  refunds: Map<string, Reversal>;
  disputes: Map<string, Reversal>;
  execute(call: Call): StripeResponse;
  /** Lets the search index catch up. */
  index(): void;
}

export function stripeAccounts(): StripeAccounts {
  const intents = new Map<string, Intent>();
  const refunds: StripeAccounts["refunds"] = new Map();
  const disputes: StripeAccounts["disputes"] = new Map();
  let indexed: Intent[] = [];

  const listOf = (reversals: Map<string, Reversal>) => (call: Call) =>
    list(
      [...reversals.values()].map(({ intent, ...each }) => ({
        ...each,
        currency: intents.get(intent)!.currency,
        payment_intent: copyOf(intents.get(intent)!),
      })),
      call.params,
    );

  const onIntent = (act: (intent: Intent) => StripeResponse) => (call: Call) => {
    const intent = intents.get(call.id || (call.params.get("payment_intent") ?? ""));
    return intent ? act(intent) : missing(call.id);
  };
  const operations: Record<Operation, (call: Call) => StripeResponse> = {
    create: ({ params }) => refusalOf(params) ?? ok(newIntent(intents, params)),
    confirm: onIntent(confirm),
    cancel: onIntent((intent) => {
      if (!intent.status.startsWith("requires_")) return unexpected(intent);
      intent.status = "canceled";
      return ok(intent);
    }),
    retrieve: onIntent(ok),
    search: ({ params }) => search(indexed, params),
    list: ({ params }) => list([...intents.values()], params),
    refund: (call) => onIntent((intent) => refund(refunds, intent, call.params))(call),
    list_refunds: listOf(refunds),
    list_disputes: listOf(disputes),
  };

  return {
    intents,
    refunds,
    disputes,
    execute: (call) => operations[call.operation](call),
    index: () => {
      indexed = [...intents.values()].map(copyOf);
    },
  };
}

function refusalOf(params: URLSearchParams): StripeResponse | null {
  const card = params.get("payment_method") ?? "";
  const amount = params.get("amount") ?? "";
  if (params.has("confirm")) return invalid("parameter_unknown", "Not in this protocol.");
  if (!/^[0-9]+$/.test(amount) || Number(amount) < 50)
    return invalid("amount_too_small", "Amount must be at least 50 cents.", false);
  if (!/^[a-z]{3}$/.test(params.get("currency") ?? ""))
    return invalid("parameter_invalid", "Invalid currency.", false);
  if (!Object.hasOwn(cards, card))
    return invalid("resource_missing", `No such PaymentMethod: '${card}'`);
  if (card === "pm_saved" && params.get("customer") !== "cus_1")
    return invalid("payment_method_customer", "The PaymentMethod is another Customer's.");
  return null;
}

function newIntent(intents: Map<string, Intent>, params: URLSearchParams): Intent {
  const intent: Intent = {
    id: `pi_${randomUUID()}`,
    object: "payment_intent",
    status: "requires_confirmation",
    amount: Number(params.get("amount")),
    amount_received: 0,
    currency: params.get("currency")!,
    customer: params.get("customer"),
    payment_method: params.get("payment_method")!,
    created: Math.floor(Date.now() / 1000),
    metadata: Object.fromEntries(
      [...params].flatMap(([name, value]) => {
        const field = /^metadata\[(\w+)\]$/.exec(name)?.[1];
        return field === undefined ? [] : [[field, value]];
      }),
    ),
    latest_charge: null,
  };
  intents.set(intent.id, intent);
  return intent;
}

function confirm(intent: Intent): StripeResponse {
  if (intent.status !== "requires_confirmation") return unexpected(intent);
  const { status = "succeeded", ...failure } = cards[intent.payment_method]!;
  if (Object.keys(failure).length > 0) {
    intent.status = "requires_payment_method";
    const error = { type: "card_error", code: "card_declined", message: "Declined.", ...failure };
    const body = { error: { ...error, payment_intent: copyOf(intent) } };
    return { status: 402, body, began: true };
  }
  intent.status = status;
  if (status === "succeeded") {
    intent.amount_received = intent.amount;
    intent.latest_charge = { id: `ch_${randomUUID()}`, amount_refunded: 0 };
  }
  return ok(intent);
}

/** The index may be out of date: only fields that never change can be relied upon. */
function search(indexed: Intent[], params: URLSearchParams): StripeResponse {
  const reference = /^metadata\["reference"\]:"([^"]+)"$/.exec(params.get("query") ?? "")?.[1];
  if (reference === undefined) return invalid("parameter_invalid", "Unreadable query.");
  const data = indexed.filter(({ metadata }) => metadata["reference"] === reference);
  return { status: 200, body: { object: "search_result", data, has_more: false }, began: true };
}

/** Newest first, a page starting after the named intent. */
function list(intents: { id: string; created: number }[], params: URLSearchParams): StripeResponse {
  const since = Number(params.get("created[gte]"));
  const newest = intents.filter(({ created }) => created >= since).reverse();
  const start = newest.findIndex(({ id }) => id === params.get("starting_after")) + 1;
  const limit = Number(params.get("limit"));
  const data = newest.slice(start, start + limit).map((each) => structuredClone(each));
  const has_more = newest.length > start + limit;
  return { status: 200, body: { object: "list", data, has_more }, began: true };
}

function refund(
  refunds: StripeAccounts["refunds"],
  intent: Intent,
  params: URLSearchParams,
): StripeResponse {
  const amount = Number(params.get("amount"));
  if (!intent.latest_charge) return unexpected(intent);
  if (intent.latest_charge.amount_refunded + amount > intent.amount_received)
    return invalid("amount_too_large", "Refund amount is greater than what is left.");
  intent.latest_charge.amount_refunded += amount;
  const id = `re_${randomUUID()}`;
  const created = Math.floor(Date.now() / 1000);
  const reference = params.get("metadata[reference]");
  const metadata: Record<string, string> = reference === null ? {} : { reference };
  const made = { id, intent: intent.id, amount, created, metadata, status: "succeeded" };
  refunds.set(id, { ...made, object: "refund" });
  const { currency } = intent;
  const facts = { amount, currency, payment_intent: intent.id, status: "succeeded" };
  return { status: 200, body: { id, object: "refund", ...facts }, began: true };
}

function ok(intent: Intent): StripeResponse {
  return { status: 200, body: copyOf(intent), began: true };
}

function copyOf(intent: Intent): Intent {
  return structuredClone(intent);
}

function invalid(code: string, message: string, began = true): StripeResponse {
  return { status: 400, body: { error: { type: "invalid_request_error", code, message } }, began };
}

function missing(id: string): StripeResponse {
  return { ...invalid("resource_missing", `No such object: '${id}'`), status: 404 };
}

function unexpected(intent: Intent): StripeResponse {
  const message = `You cannot do this because the PaymentIntent has a status of ${intent.status}.`;
  const error = { type: "invalid_request_error", code: "payment_intent_unexpected_state", message };
  return {
    status: 400,
    body: { error: { ...error, payment_intent: copyOf(intent) } },
    began: true,
  };
}
