import type { Address } from "../../domain/addresses/address.ts";
import { stories, type Story } from "./itineraries/itinerary.ts";
import type { WireUnavailable } from "./wire.ts";

/**
 * The instructions to simulated carriers in the second line of a destination (decision 24), so that an
 * integrator can rehearse every failure: `sim:timeout=ups;sim:slow=*:500`.
 *
 * `timeout`, `error`, `no_lane` and `slow` name a carrier (`*` is every one) and act on quotes alone;
 * `refuse`, `lost_answer`, `price_up` and `used_label` act on purchases and voids, `cancel_fee` on
 * cancelling freight; `track` and `scan_after_void` on what is scanned afterwards. Of a pickup it is the
 * second line of its own address that counts, and all of them act on it.
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
  /** How the itinerary continues; null when the line does not say. */
  track: Story | null;
}

const maxSlowMs = 60_000;

/** `sim:price_up` makes the carrier this much dearer between the quote and the purchase. */
export const priceRisePercent = 12;

/** The steering of one carrier. An unknown instruction is ignored. */
export function steeringOf(place: Pick<Address, "address2">, carrier: string): Steering {
  const instructions = instructionsIn(place.address2);
  const named = (name: string) =>
    instructions.some(({ what, whom }) => what === name && (whom === "*" || whom === carrier));
  const given = (name: string) => instructions.some(({ what }) => what === name);
  const slow = instructions.findLast(
    ({ what, whom }) => what === "slow" && (whom === "*" || whom === carrier),
  );
  return {
    timeout: named("timeout"),
    error: named("error"),
    no_lane: named("no_lane"),
    slow_ms: Math.min(slow?.milliseconds ?? 0, maxSlowMs),
    refuse: given("refuse"),
    lost_answer: given("lost_answer"),
    price_up: given("price_up"),
    used_label: given("used_label"),
    cancel_fee: given("cancel_fee"),
    scan_after_void: given("scan_after_void"),
    track:
      stories.find((story) =>
        instructions.some(({ what, whom }) => what === "track" && whom === story),
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
  milliseconds: number;
}

/** `sim:` may precede each instruction or only the first: a line has but 50 characters. */
function instructionsIn(line: string | null): Instruction[] {
  if (!line?.startsWith("sim:")) return [];
  return line.split(";").map((part) => {
    const [what = "", whom = "", milliseconds = ""] = part
      .trim()
      .replace(/^sim:/, "")
      .split(/[=:]/);
    return { what, whom, milliseconds: /^\d{1,9}$/.test(milliseconds) ? Number(milliseconds) : 0 };
  });
}
