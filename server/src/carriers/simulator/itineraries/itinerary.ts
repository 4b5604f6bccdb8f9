import { createHash } from "node:crypto";
import type { Address } from "../../../domain/addresses/address.ts";
import type { City } from "./cities.ts";
import type { Step } from "../carriers/profile.ts";
import { stopsBetween, type Stop } from "./way.ts";

/** How an itinerary ends; apart from the steps that it leaves out, all are alike. */
export const itineraryKinds = [
  "delivered",
  "delayed",
  "attempted",
  "pickup",
  "exception",
  "returned",
  "stuck",
] as const;
export type ItineraryKind = (typeof itineraryKinds)[number];

/** All that an itinerary depends on, so that it is the same after a restart. */
interface ItineraryFacts {
  tracking_code: string;
  sender: Address;
  recipient: Address;
  itinerary_kind: ItineraryKind;
  first_scan_at: Date;
  /** From the first scan to the end of the scenario. */
  duration_seconds: number;
}

export interface Happening {
  step: Step;
  place: City;
  at: Date;
}

/** From the first scan on, oldest first. */
export function itineraryOf(facts: ItineraryFacts): Happening[] {
  const { sender, recipient, itinerary_kind, first_scan_at, duration_seconds } = facts;
  const ends = { origin: cityOf(sender), destination: cityOf(recipient) };
  const way = wayThere(ends, stopsBetween(sender, recipient));
  const plan = plans[itinerary_kind](way, ends);
  // No two packages have the same times, and each has the same times every time it is polled.
  const earlier = Math.min(0.1 * duration_seconds, 3 * hour) * fractionOf(facts.tracking_code);
  const whole = duration_seconds - earlier;
  const from = first_scan_at.getTime();
  return plan.map(({ step, place, share }) => {
    const left = (1 - share) * whole;
    // However long the transit was, its last part is a working day.
    const seconds = whole - (share < 0.8 ? left : Math.min(left, (1 - share) * 50 * hour));
    return { step, place, at: new Date(from + Math.round(seconds) * 1_000) };
  });
}

/** In seconds. */
const hour = 3_600;

/** A step at its share of the itinerary's time. */
interface Planned {
  step: Step;
  place: City;
  share: number;
}

interface Ends {
  origin: City;
  destination: City;
}

/** The transit to the destination's own depot, scaled from 0 to 1. */
function wayThere({ origin, destination }: Ends, stops: readonly Stop[]): Planned[] {
  const way: Planned[] = [
    { step: "picked_up", place: origin, share: 0 },
    { step: "departed", place: origin, share: 0.1 },
  ];
  let country = origin.country_code;
  for (const { share, ...place } of [...stops, { ...destination, share: 1 }]) {
    const at = 0.15 + 0.8 * share;
    if (place.country_code !== country) way.push({ step: "customs", place, share: at - 0.02 });
    country = place.country_code;
    way.push({ step: "arrived", place, share: at });
    if (share < 1) way.push({ step: "departed", place, share: at + 0.04 });
  }
  return way;
}

type Plan = (way: Planned[], ends: Ends) => Planned[];

/** The transit within the first part of the whole time, and the steps at its end. */
function thenAtTheEnd(part: number, ...rest: [Step, number][]): Plan {
  return (way, { destination }) => [
    ...within(part, way),
    ...rest.map(([step, share]) => ({ step, share, place: destination })),
  ];
}

const plans: Readonly<Record<ItineraryKind, Plan>> = {
  delivered: thenAtTheEnd(0.8, ["out_for_delivery", 0.9], ["delivered", 1]),
  delayed: thenAtTheEnd(0.7, ["delayed", 0.75], ["out_for_delivery", 0.9], ["delivered", 1]),
  attempted: thenAtTheEnd(0.8, ["out_for_delivery", 0.9], ["attempted", 1]),
  pickup: thenAtTheEnd(0.85, ["held", 1]),
  exception: thenAtTheEnd(0.85, ["delayed", 1]),
  returned: (way, ends) => [
    ...thenAtTheEnd(
      0.5,
      ["out_for_delivery", 0.6],
      ["attempted", 0.65],
      ["return_started", 0.7],
    )(way, ends),
    { step: "returned", place: ends.origin, share: 1 },
  ],
  // Scanned where it was first sorted, and never again.
  stuck: (way) => within(0.9, way.slice(0, way.findIndex(({ step }) => step === "arrived") + 1)),
};

function within(part: number, way: readonly Planned[]): Planned[] {
  return way.map(({ share, ...rest }) => ({ ...rest, share: part * share }));
}

/** Between 0 and 1, always the same for a code. */
function fractionOf(code: string): number {
  return createHash("sha256").update(code).digest().readUInt32BE() / 2 ** 32;
}

export function cityOf({ city, province_code, country_code }: Address): City {
  return { city, province_code, country_code };
}
