import { Type, type Static } from "typebox";
import { OneOf } from "../../../domain/values/schema.ts";
import { Refusal } from "../refusal.ts";

/**
 * What an operator can set while the simulator runs (`PUT /dials`), for tests of faults and for
 * benches: every carrier's latency, its share of errors, or that it never responds. Unlike the
 * `sim:` steering, a dial acts on every shipment, and before anything is committed.
 */
export const operations = [
  "quotes",
  "purchases",
  "look_ups",
  "voids",
  "pickups",
  "tracking",
  "payments",
] as const;
export type SimulatedOperation = (typeof operations)[number];

export const Dial = Type.Object(
  {
    latency_ms: Type.Integer({ minimum: 0, maximum: 60_000, default: 0 }),
    /** The share of calls that fail, in hundredths: 0.25 is every fourth, evenly spread. */
    error_rate: Type.Number({ minimum: 0, maximum: 1, default: 0 }),
    error_status: Type.Union(
      [401, 429, 500, 503].map((status) => Type.Literal(status)),
      { default: 500 },
    ),
    hang: Type.Boolean({ default: false }),
    operations: Type.Array(OneOf(operations), { default: [...operations] }),
  },
  { additionalProperties: false },
);
export type Dial = Static<typeof Dial>;

/** By carrier code; `payments` is the card processor and `*` any that has no dial of its own. */
export const Dials = Type.Record(Type.String(), Dial);
export type Dials = Static<typeof Dials>;

export type Calls = Record<string, Partial<Record<SimulatedOperation, number>>>;

export interface DialBoard {
  get(): Dials;
  /** Replaces every dial: `{}` sets all back to normal. */
  set(dials: Dials): void;
  /**
   * Counts one call. Returns the dial's effect on it; null where the dial does not apply to this
   * operation.
   */
  turn(
    carrier: string,
    operation: SimulatedOperation,
  ): { latency_ms: number; hang: boolean } | null;
  /** How many calls there were: an independent oracle for what a client did not send twice. */
  calls(): Calls;
  /** Counts one request in a carrier's own form, whatever it asks for. */
  received(carrier: string): void;
  /** How many of those there were, by carrier: tokens, files and refused ones, too. */
  requests(): Record<string, number>;
}

export function dialBoard(): DialBoard {
  let dials: Dials = {};
  let dialled: Record<string, number> = {};
  const calls: Calls = {};
  const requests: Record<string, number> = {};
  return {
    get: () => dials,
    set(next) {
      dials = next;
      dialled = {};
    },
    turn(carrier, operation) {
      const counts = (calls[carrier] ??= {});
      counts[operation] = (counts[operation] ?? 0) + 1;
      const dial = dials[carrier] ?? dials["*"];
      if (!dial?.operations.includes(operation)) return null;
      const call = (dialled[carrier] = (dialled[carrier] ?? 0) + 1);
      if (Math.floor(call * dial.error_rate) > Math.floor((call - 1) * dial.error_rate)) {
        throw new Refusal(dial.error_status, errorCodes[dial.error_status]!, "A dial says so.");
      }
      return dial;
    },
    calls: () => calls,
    received(carrier) {
      requests[carrier] = (requests[carrier] ?? 0) + 1;
    },
    requests: () => requests,
  };
}

const errorCodes: Readonly<Record<number, string>> = {
  401: "credentials_invalid",
  429: "too_many_requests",
  500: "internal_error",
  503: "unavailable",
};
