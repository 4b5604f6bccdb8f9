import type { Address } from "../../../domain/addresses/address.ts";
import type { Clock } from "../../../domain/time/clock.ts";
import type { WireTracking, WireTrackingEvent } from "../wire.ts";
import { cityOf, itineraryOf, type Happening, type ItineraryKind } from "./itinerary.ts";
import { localTime } from "./local-time.ts";
import { eventsOf } from "../carriers/carriers.ts";
import type { Step } from "../carriers/profile.ts";

/**
 * The transit of everything that was issued: it moves by a clock, from its purchase on, by itself. None of
 * it is stored: an itinerary follows from the purchase, so that a restart changes none of it.
 */
export interface Itineraries {
  /** How far this clock is ahead of the real one: a dial. */
  ahead_seconds: number;
  /** The time by this clock. */
  now(): Date;
  /** Whether the carrier has picked it up already. */
  isScanned(start: ItineraryStart): boolean;
  /** The carrier's tracking of it now. */
  tell(parcel: Parcel): WireTracking;
}

export interface Pace {
  /** From the purchase to the first scan. */
  first_scan_seconds: number;
  /** From the purchase to the delivery. */
  delivery_seconds: number;
  /** Overrides both for steered shipments; tests shorten it. */
  steered?: Pace;
}

/** Slow enough that nothing moves while a person inspects what was bought, fast enough to wait for. */
export const usualPace: Pace = { first_scan_seconds: 60, delivery_seconds: 150 };

/** Of steered shipments: a person who rehearses a scenario waits for it. */
const steeredPace: Pace = { first_scan_seconds: 5, delivery_seconds: 30 };

/** The facts that decide when it starts to move. */
export interface ItineraryStart {
  bought_at: string;
  /** Set once it was voided. */
  voided_at: string | null;
  /** The scenario of `sim:track=`; null for an ordinary itinerary. */
  itinerary_kind: ItineraryKind | null;
  /** When the truck comes, for freight: it does not move before, unless it was steered. */
  fetched_at?: string;
  /** `sim:scan_after_void`: it is shipped only after it was voided. */
  scans_after_void: boolean;
}

export interface Parcel extends ItineraryStart {
  carrier: string;
  tracking_code: string;
  sender: Address;
  recipient: Address;
  is_signed_for: boolean;
  /** As the client stated it: a date days ago makes an itinerary of days ago. */
  ship_date: string;
  estimated_delivery_date: string | null;
}

export function itineraries(clock: Clock, pace: Pace): Itineraries {
  const now = () => clock.now().getTime() + self.ahead_seconds * 1_000;
  const self: Itineraries = {
    ahead_seconds: 0,
    now: () => new Date(now()),
    isScanned: (start) => {
      const first = firstScanOf(start, pace);
      return first !== null && first.getTime() <= now();
    },
    tell(parcel) {
      const { tracking_code, estimated_delivery_date } = parcel;
      const isScanned = self.isScanned(parcel);
      const happened = happeningsOf(parcel, pace).filter(
        ({ step, at }) => at.getTime() <= now() && (isScanned || isOnPaper(step)),
      );
      const isSigned = parcel.is_signed_for && happened.at(-1)?.step === "delivered";
      return {
        tracking_code,
        estimated_delivery_date,
        signed_by: isSigned ? signatureOf(parcel.recipient) : null,
        events: happened.flatMap((happening) => inWords(parcel.carrier, happening)).reverse(),
      };
    },
  };
  return self;
}

/** Whether the step happens before the first scan. */
function isOnPaper(step: Step): boolean {
  return step === "announced" || step === "voided";
}

function paceOf({ itinerary_kind, scans_after_void }: ItineraryStart, usual: Pace): Pace {
  return itinerary_kind !== null || scans_after_void ? (usual.steered ?? steeredPace) : usual;
}

/** Null when it will never be scanned. */
function firstScanOf(start: ItineraryStart, usual: Pace): Date | null {
  const { bought_at, voided_at, scans_after_void, itinerary_kind, fetched_at } = start;
  if (scans_after_void) return voided_at === null ? null : new Date(voided_at);
  if (voided_at !== null) return null;
  if (fetched_at !== undefined && itinerary_kind === null) return new Date(fetched_at);
  return new Date(Date.parse(bought_at) + paceOf(start, usual).first_scan_seconds * 1_000);
}

function happeningsOf(parcel: Parcel, usual: Pace): Happening[] {
  const { tracking_code, sender, recipient, voided_at, itinerary_kind } = parcel;
  const place = cityOf(sender);
  const { announced_at, first_scan_at, duration_seconds } = hoursOf(parcel, usual);
  const announced = { step: "announced", place, at: announced_at } as const;
  if (!first_scan_at) {
    if (voided_at === null) return [announced];
    return [announced, { step: "voided", place, at: new Date(voided_at) }];
  }
  const going = {
    itinerary_kind: itinerary_kind ?? "delivered",
    first_scan_at,
    duration_seconds,
  } as const;
  return [announced, ...itineraryOf({ tracking_code, sender, recipient, ...going })];
}

interface Hours {
  announced_at: Date;
  first_scan_at: Date | null;
  duration_seconds: number;
}

function hoursOf(parcel: Parcel, usual: Pace): Hours {
  const first_scan_at = firstScanOf(parcel, usual);
  const { first_scan_seconds, delivery_seconds } = paceOf(parcel, usual);
  if (first_scan_at && isOfThePast(parcel)) return pastHours(parcel);
  const duration_seconds = delivery_seconds - first_scan_seconds;
  return { announced_at: new Date(parcel.bought_at), first_scan_at, duration_seconds };
}

const hourMs = 3_600_000;

/** Bought with a clock that was set back, as a demonstration's history is. */
function isOfThePast({ ship_date, bought_at, itinerary_kind, scans_after_void }: Parcel): boolean {
  if (itinerary_kind !== null || scans_after_void) return false;
  return Date.parse(bought_at) - Date.parse(ship_date) > 48 * hourMs;
}

/** By daylight on the continent, at the promised pace. It is reported when any other itinerary is. */
function pastHours({ ship_date, estimated_delivery_date }: Parcel): Hours {
  const announced_at = new Date(`${ship_date}T15:00:00Z`);
  const first_scan_at = new Date(announced_at.getTime() + 5 * hourMs);
  const delivered_at = Date.parse(`${estimated_delivery_date ?? ship_date}T21:00:00Z`);
  const duration_seconds = Math.max(hourMs, delivered_at - first_scan_at.getTime()) / 1_000;
  return { announced_at, first_scan_at, duration_seconds };
}

function inWords(carrier: string, { step, place, at }: Happening): WireTrackingEvent[] {
  const event = eventsOf(carrier)[step];
  if (!event) return [];
  const [code, text] = event;
  const { city, province_code: province, country_code: country } = place;
  return [{ code, text, ...localTime(at, place), city, province, country }];
}

/** As a driver keys it in: an initial and the last word, in capitals. */
function signatureOf({ name, company }: Address): string {
  const words = (name || company || "").trim().split(/\s+/);
  const initial = words.length > 1 ? `${words[0]!.charAt(0)} ` : "";
  return (initial + (words.at(-1) ?? "")).toUpperCase();
}
