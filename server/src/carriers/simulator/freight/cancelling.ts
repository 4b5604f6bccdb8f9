import type { Address } from "../../../domain/addresses/address.ts";
import type { Cents } from "../../../domain/values/money.ts";
import { localMoment } from "../../../domain/time/time-zones.ts";
import { convert } from "../pricing/currency.ts";
import type { FreightTariff } from "../pricing/freight-tariff.ts";

/** The progress of a booking, by the local time of its pickup, and the fee for cancelling it then. */

export type PickupStage = "ahead" | "on_the_day" | "truck_sent" | "picked_up";

export interface PickupWindow {
  date: string;
  ready_time: string;
  close_time: string;
  place: Address;
}

export function pickupStage(window: PickupWindow, now: Date): PickupStage {
  const { day, time } = localMoment(now, window.place);
  if (day < window.date) return "ahead";
  if (day > window.date || time >= window.close_time) return "picked_up";
  return time < window.ready_time ? "on_the_day" : "truck_sent";
}

/** When the truck has it at the latest, which is when it moves: the end of the window. */
export function fetchedAt({ date, close_time, place }: PickupWindow): string {
  const asIfUniversal = Date.parse(`${date}T${close_time}:00Z`);
  const there = localMoment(new Date(asIfUniversal), place);
  const ahead = Date.parse(`${there.day}T${there.time}:00Z`) - asIfUniversal;
  return new Date(asIfUniversal - ahead).toISOString();
}

/** The fee that the carrier keeps, never more than the price; in the booking's currency. */
export function cancelFeeCents(
  { cancel_fees, currency }: FreightTariff,
  stage: Exclude<PickupStage, "picked_up">,
  price: { amount_cents: Cents; currency: string },
): Cents {
  const fees = {
    ahead: 0,
    on_the_day: cancel_fees.on_the_day_cents,
    truck_sent: cancel_fees.truck_sent_cents,
  };
  return Math.min(price.amount_cents, convert(fees[stage], currency, price.currency));
}
