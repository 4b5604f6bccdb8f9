import { Type, type Static, type TProperties, type TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { connections, TransportError } from "../../transport/http-call.ts";
import { callJson, type JsonCall } from "../../transport/json-call.ts";
import {
  PaymentError,
  undoReference,
  type ListedCharge,
  type Payments,
  type Reversal,
} from "./payments.ts";

/** The card processor of the simulator: test cards, no real money (decision 24). */

const disputed = Type.Optional(Type.Integer({ minimum: 0 }));
const Charge = Type.Object({
  charge_id: Type.String({ minLength: 1 }),
  reference: Type.String(),
  amount_cents: Type.Integer({ minimum: 0 }),
  currency: Type.String(),
  payment_method: Type.String(),
  refunded_cents: Type.Integer({ minimum: 0 }),
  disputed_cents: disputed,
});
const Refund = Type.Object({
  refund_id: Type.String({ minLength: 1 }),
  reference: Type.String(),
  charge_id: Type.String(),
  amount_cents: Type.Integer({ minimum: 0 }),
  currency: Type.String(),
});
const Failure = Type.Object({
  error: Type.Object({
    code: Type.String({ minLength: 1 }),
    message: Type.String(),
    decline_code: Type.Optional(Type.String()),
  }),
});

const Listed = Type.Object({
  ...Charge.properties,
  purpose: Type.Union([
    Type.Null(),
    Type.Object({
      account_id: Type.String(),
      transaction_id: Type.String(),
      idempotency_key: Type.Union([Type.Null(), Type.String()]),
    }),
  ]),
  charged_at: Type.String({ format: "date-time" }),
});

const chargeShape = Compile(Type.Object({ data: Charge }));
const chargesShape = Compile(Type.Object({ data: Type.Array(Charge, { maxItems: 1 }) }));
const listShape = Compile(
  Type.Object({
    data: Type.Array(Listed),
    next_cursor: Type.Union([Type.Null(), Type.Integer({ minimum: 1 })]),
  }),
);
const ListedReversal = Type.Object({
  kind: Type.Union([Type.Literal("refund"), Type.Literal("dispute")]),
  reversal_id: Type.String({ minLength: 1 }),
  reference: Type.String(),
  amount_cents: Type.Integer({ minimum: 0 }),
  reversed_at: Type.String({ format: "date-time" }),
  charge: Listed,
});
type ListedReversal = Static<typeof ListedReversal>;
const reversalsShape = Compile(
  Type.Object({
    data: Type.Array(ListedReversal),
    next_cursor: Type.Union([Type.Null(), Type.Integer({ minimum: 1 })]),
  }),
);
const refundShape = Compile(Type.Object({ data: Refund }));
const failureShape = Compile(Failure);

const party = "payments";
const timeoutSeconds = 10;

export function simulatedPayments({ simulator_url }: { simulator_url: string }): Payments {
  const agent = connections();

  async function call<T extends TSchema>(
    request: Pick<JsonCall, "method" | "body" | "signal"> & { path: string },
    answer: Validator<TProperties, T>,
  ): Promise<Static<T>> {
    const { path, ...rest } = request;
    const { status, body } = await callJson(agent, {
      ...rest,
      url: `${simulator_url}/payments${path}`,
      timeout_ms: timeoutSeconds * 1_000,
    }).catch((error: unknown) => {
      if (!(error instanceof TransportError)) throw error;
      const { kind, code, message } = error;
      throw new PaymentError(
        { party, kind, code, message: `The card processor ${message}.` },
        error,
      );
    });
    if (status < 200 || status > 299) throw failureOf(status, body);
    if (answer.Check(body)) return body;
    throw badResponse("The card processor gave an answer that cannot be read.");
  }

  return {
    party,
    timeoutSeconds,
    commitHorizonSeconds: 5,

    async charge({ reference, amount_cents, currency, payment_method, ...whose }, signal) {
      const { account_id, transaction_id, idempotency_key } = whose;
      const purpose = { account_id, transaction_id, idempotency_key };
      const body = { reference, amount_cents, currency, payment_method, purpose };
      const { data } = await call({ method: "POST", path: "/charges", body, signal }, chargeShape);
      return own(data, body);
    },

    async findCharge({ reference }, signal) {
      const path = `/charges?reference=${encodeURIComponent(reference)}`;
      const { data } = await call({ method: "GET", path, signal }, chargesShape);
      return data[0] ? own(data[0], { reference }) : null;
    },

    async listCharges({ since, cursor }, signal) {
      const query = new URLSearchParams({ since: since.toISOString(), cursor: cursor ?? "0" });
      const path = `/charges/list?${query.toString()}`;
      const { data, next_cursor } = await call({ method: "GET", path, signal }, listShape);
      return {
        charges: data.flatMap(ofOurs),
        next_cursor: next_cursor === null ? null : String(next_cursor),
      };
    },

    async listReversals({ since, cursor }, signal) {
      const query = new URLSearchParams({ since: since.toISOString(), cursor: cursor ?? "0" });
      const path = `/reversals/list?${query.toString()}`;
      const { data, next_cursor } = await call({ method: "GET", path, signal }, reversalsShape);
      return {
        reversals: data.flatMap(madeByOthers),
        next_cursor: next_cursor === null ? null : String(next_cursor),
      };
    },

    async refund({ reference, charge_reference, amount_cents }, signal) {
      const body = { reference, charge_reference, amount_cents };
      const { data } = await call({ method: "POST", path: "/refunds", body, signal }, refundShape);
      return own(data, body);
    },
  };
}

/** A charge with Waybill's metadata; nothing for one without. */
function ofOurs({ purpose, charged_at, ...charge }: Static<typeof Listed>): ListedCharge[] {
  return purpose ? [{ ...charge, ...purpose, charged_at: new Date(charged_at) }] : [];
}

/** Of a charge of this installation, unless Waybill refunded it itself. */
function madeByOthers({ reference, ...reversal }: ListedReversal): Reversal[] {
  const { kind, reversal_id, amount_cents, charge } = reversal;
  if (reference === undoReference(charge.reference)) return [];
  const reversed_at = new Date(reversal.reversed_at);
  return ofOurs(charge).map((ours) => ({
    kind,
    reversal_id,
    amount_cents,
    reversed_at,
    status: "succeeded",
    charge: ours,
  }));
}

/** A response about another reference belongs to another request. */
function own<T extends { reference: string }>(data: T, { reference }: { reference: string }): T {
  if (data.reference === reference) return data;
  throw badResponse("The card processor answered about something else.");
}

/** Only the processor's own refusal proves anything; after any other response it may have taken the money. */
function failureOf(status: number, body: unknown): PaymentError {
  if (!failureShape.Check(body))
    return badResponse(`The card processor answered status ${status}.`);
  return new PaymentError({ party, kind: kindOf(status, body.error), ...body.error });
}

function kindOf(status: number, { code }: { code: string }): PaymentError["kind"] {
  // The limiter comes before everything else, as Stripe's does (decision 12.10).
  if (status === 429) return "unreachable";
  // A reference that is in use means that an earlier call took effect: its charge is to be found.
  const isRefusal = status >= 400 && status < 500 && code !== "reference_reused";
  return isRefusal ? "refused" : "unknown";
}

function badResponse(message: string): PaymentError {
  return new PaymentError({ party, kind: "unknown", code: "bad_answer", message });
}
