import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallContext, CarrierLabel, Sighting } from "./carrier.ts";
import { context } from "./contract-samples-world.ts";
import type { CarrierPickup, FoundPickup } from "./pickups.ts";
import type { Dialect } from "./simulator/dialect.ts";

/** In which ways carriers differ, for the contract that all of them are held to. */

/**
 * What differs between a carrier's own wire format and the simulator's. By default a carrier speaks the latter,
 * which knows everything that Waybill knows.
 */
export interface CarrierTraits {
  context: CallContext;
  /** Its place at the simulator's address. */
  path: string;
  /** The simulator speaks its form there. */
  dialects: readonly Dialect[];
  /** That it bills in; null where it bills in any that is asked for. */
  currency: string | null;
  /** Whether it has its own codes for what the simulator refuses. */
  own_codes: boolean;
  /** Whether a reference that was used is taken again: to buy once more, or to be answered with the same label. */
  sells_twice: boolean;
  /** Whether its look-up, and what it says of a refund, show that a label was voided. */
  shows_voids: boolean;
  /** Whether the cancellation of a pickup is answered by a status alone. */
  cancels_silently: boolean;
  /** Whether a purchase begins with a question: where that fails, nothing was bought. */
  asks_before_buying: boolean;
  /** Whether a manifest begins with a question: where that fails, nothing was handed over. */
  asks_before_handing_over: boolean;
  /** Whether a pickup's request begins with a question: where that fails, no driver was sent. */
  asks_before_scheduling: boolean;
  /** A label as its look-up shows it. */
  seen(label: CarrierLabel): Sighting;
  /** A pickup as its look-up shows it, while it is to come; a cancelled one is not there. */
  seenPickup: ((pickup: CarrierPickup) => FoundPickup) | null;
  /** Whether a file that is had again is the one of the purchase, byte for byte. */
  same_file_again: boolean;
  /** Answers the calls that come before the one that a test is about: for a token. False for all else. */
  beforehand(request: IncomingMessage, response: ServerResponse): boolean;
  /** A refusal in its form. */
  refusal: string;
}

export const simulatorTraits: CarrierTraits = {
  context,
  path: "",
  dialects: [],
  currency: null,
  own_codes: false,
  sells_twice: false,
  shows_voids: true,
  cancels_silently: false,
  asks_before_buying: false,
  asks_before_handing_over: false,
  asks_before_scheduling: false,
  seen: asSeen,
  seenPickup: null,
  same_file_again: true,
  beforehand: () => false,
  refusal: '{"error":{"code":"no","message":"No."}}',
};

/** The carrier, with every call under this context. */
export function inContext<T extends object>(carrier: T, own: CallContext): T {
  return new Proxy(carrier, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === "descriptor") return value;
      if (typeof value === "object" && value !== null) return inContext(value, own);
      if (typeof value !== "function") return value;
      return (request: object, ...rest: unknown[]) =>
        (value as (...given: unknown[]) => unknown)(
          "context" in request ? { ...request, context: own } : request,
          ...rest,
        );
    },
  });
}

/** The same label, as a lookup shows it. */
export function asSeen({ files, ...label }: CarrierLabel): Sighting {
  return { ...label, files: files === "pending" ? "fetch" : files, state: "live" };
}
