import type { Address } from "../../domain/addresses/address.ts";
import { itineraryKinds, type ItineraryKind } from "./itineraries/itinerary.ts";
import type { WireUnavailable } from "./wire.ts";

/**
 * The instructions to simulated carriers in the second line of a destination (decision 24), so that an
 * integrator can rehearse every failure: `sim:timeout=ups;sim:slow=*:500`.
 *
 * `timeout`, `error`, `no_lane` and `slow` name a carrier (`*` is every one) and act on quotes alone;
 * `refuse`, `lost_answer`, `price_up` and `used_label` act on purchases and voids, `cancel_fee` on
 * cancelling freight; `track` and `scan_after_void` on what is scanned afterwards. Of a pickup it is the
 * second line of its own address that counts, and all of them act on it. Those from `lag` on name a carrier,
 * too, and are the ways of real ones (decision 27).
 */
export interface Steering {
  timeout: boolean;
  error: boolean;
  no_lane: boolean;
  slow_ms: number;
  refuse: boolean;
  lost_answer: boolean;
  price_up: boolean;
  used_label: boolean;
  cancel_fee: boolean;
  scan_after_void: boolean;
  /** So long after a purchase a lookup by reference finds nothing. */
  lag_seconds: number;
  /** So long after a purchase its file is not there yet. */
  late_file_seconds: number;
  /** The purchase does not say what it costs. */
  late_price: boolean;
  /** The purchase is committed, and answered by status 200 without a body. */
  empty_ok: boolean;
  /** As `refuse`, with status 200. */
  refuse_in_ok: boolean;
  /** The first call of a purchase finds its token expired. */
  token_expired: boolean;
  /** The carrier is being called too often. */
  throttle: boolean;
  /** The carrier states its published prices where the account's own were asked for. */
  published: boolean;
  /** Pickups of one address and day have one number, and are cancelled together. */
  shared_pickup: boolean;
  /** Freight is booked, and the part of the order that asks for its pickup fails. */
  half: boolean;
  /** What was bought cannot be voided. */
  no_void: boolean;
  /** How the itinerary continues; null when the line does not say. */
  track: ItineraryKind | null;
}

const maxSlowMs = 60_000;
const maxLateSeconds = 86_400;

/** `sim:price_up` makes the carrier this much more expensive between the quote and the purchase. */
export const priceRisePercent = 12;

/** The steering of one carrier. An unknown instruction is ignored. */
export function steeringOf(place: Pick<Address, "address2">, carrier: string): Steering {
  const instructions = instructionsIn(place.address2);
  const named = (name: string) =>
    instructions.some(({ what, whom }) => what === name && (whom === "*" || whom === carrier));
  const given = (name: string) => instructions.some(({ what }) => what === name);
  const amount = (name: string, max: number) => {
    const last = instructions.findLast(
      ({ what, whom }) => what === name && (whom === "*" || whom === carrier),
    );
    return Math.min(last?.amount ?? 0, max);
  };
  return {
    timeout: named("timeout"),
    error: named("error"),
    no_lane: named("no_lane"),
    slow_ms: amount("slow", maxSlowMs),
    refuse: given("refuse"),
    lost_answer: given("lost_answer"),
    price_up: given("price_up"),
    used_label: given("used_label"),
    cancel_fee: given("cancel_fee"),
    scan_after_void: given("scan_after_void"),
    lag_seconds: amount("lag", maxLateSeconds),
    late_file_seconds: amount("late_file", maxLateSeconds),
    late_price: named("late_price"),
    empty_ok: named("empty_ok"),
    refuse_in_ok: named("refuse_in_ok"),
    token_expired: named("token_expired"),
    throttle: named("throttle"),
    published: named("published"),
    shared_pickup: named("shared_pickup"),
    half: named("half"),
    no_void: named("no_void"),
    track:
      itineraryKinds.find((kind) =>
        instructions.some(({ what, whom }) => what === "track" && whom === kind),
      ) ?? null,
  };
}

/** The result of `sim:no_lane` for each service. */
export function laneRefused(code: string): { unavailable: WireUnavailable } {
  const message = "The carrier does not serve this lane (sim:no_lane).";
  return { unavailable: { service_code: code, code: "lane_not_served", message } };
}

interface Instruction {
  what: string;
  whom: string;
  /** Milliseconds or seconds. */
  amount: number;
}

/** `sim:` may precede each instruction or only the first: a line has but 50 characters. */
function instructionsIn(line: string | null): Instruction[] {
  if (!line?.startsWith("sim:")) return [];
  return line.split(";").map((part) => {
    const [what = "", whom = "", amount = ""] = part.trim().replace(/^sim:/, "").split(/[=:]/);
    return { what, whom, amount: /^\d{1,9}$/.test(amount) ? Number(amount) : 0 };
  });
}
