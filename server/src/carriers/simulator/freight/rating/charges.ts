import type { Accessorial } from "../../../../domain/goods/freight.ts";
import { percentOf, type Cents } from "../../../../domain/values/money.ts";
import type { AccessorialPrice, FreightTariff } from "../../pricing/freight-tariff.ts";

/** Charges on top of the line haul: each a line of its own, priced by itself, without discount or fuel. */
export interface Charge {
  code: string;
  name: string;
  amount_cents: Cents;
}

export interface ChargedFreight {
  billable_pounds: number;
  /** After discount and minimum, in the tariff's own currency. */
  net_cents: Cents;
}

/** The charge for one of the accessorials that the tariff has a price for. */
export function accessorialCharge(
  tariff: FreightTariff,
  code: Accessorial,
  freight: ChargedFreight,
): Charge {
  const price = tariff.accessorials[code];
  if (price === undefined) throw new Error(`${tariff.name} has no price for ${code}.`);
  return { code, name: names[code], amount_cents: amountOf(price, freight) };
}

/** For a place that only a partner reaches. */
export function beyondCharge({ area }: FreightTariff, { billable_pounds }: ChargedFreight): Charge {
  const { cwt_cents, minimum_cents } = area.beyond_charge;
  const amount_cents = Math.max(minimum_cents, hundredweights(billable_pounds, cwt_cents));
  return { code: "beyond_service_area", name: "Beyond service area", amount_cents };
}

function amountOf(price: AccessorialPrice, { billable_pounds, net_cents }: ChargedFreight): Cents {
  if (typeof price === "number") return price;
  if ("percent" in price) return Math.max(price.minimum_cents, percentOf(net_cents, price.percent));
  const byWeight = hundredweights(billable_pounds, price.cwt_cents);
  return Math.min(price.maximum_cents, Math.max(price.minimum_cents, byWeight));
}

function hundredweights(pounds: number, cwtCents: Cents): Cents {
  return Math.round((pounds * cwtCents) / 100);
}

const names: Readonly<Record<Accessorial, string>> = {
  liftgate_pickup: "Liftgate at pickup",
  liftgate_delivery: "Liftgate at delivery",
  inside_pickup: "Inside pickup",
  inside_delivery: "Inside delivery",
  residential_pickup: "Residential pickup",
  residential_delivery: "Residential delivery",
  limited_access_pickup: "Limited access pickup",
  limited_access_delivery: "Limited access delivery",
  appointment_pickup: "Appointment for pickup",
  appointment_delivery: "Appointment for delivery",
  notify_before_delivery: "Notification before delivery",
  protect_from_freeze: "Protection from freezing",
  hazmat: "Dangerous goods",
  hold_at_terminal: "Hold at terminal",
};
