import { percentOf, type Cents } from "../../../../domain/values/money.ts";
import { convert } from "../../pricing/currency.ts";
import { routeOf, type Route } from "../../pricing/route.ts";
import { transitDays } from "../../pricing/transit.ts";
import type { WireUnavailable } from "../../wire.ts";
import type {
  FreightCurrency,
  FreightLane,
  FreightServiceTariff,
  FreightTariff,
} from "../../pricing/freight-tariff.ts";
import type { WireFreightQuoteRequest, WireFreightRate } from "../wire.ts";
import { billableFreight, poundsOf, sumOf } from "./billable-pounds.ts";
import { accessorialCharge, beyondCharge, type Charge, type ChargedFreight } from "./charges.ts";
import { arrivalDate } from "./arrival.ts";
import { classPercent, lineHaulCents } from "./line-haul.ts";

export type FreightConsignment = Omit<WireFreightQuoteRequest, "service_codes">;
/** A rate before it has a quote number. */
export type FreightPrice = Omit<WireFreightRate, "quote_number">;
type PricedFreight = { rate: FreightPrice } | { unavailable: WireUnavailable };

/**
 * The price of one service for a consignment, in the requested currency, or why the carrier does not
 * offer it. The same consignment always has the same price. Refuses a currency that is not billed in.
 */
export function priceFreight(
  tariff: FreightTariff,
  code: string,
  consignment: FreightConsignment,
): PricedFreight {
  const unavailable = (reason: WireUnavailable["code"], message: string): PricedFreight => ({
    unavailable: { service_code: code, code: reason, message },
  });
  const { name } = tariff;
  const service = tariff.services.find((candidate) => candidate.code === code);
  if (!service) return unavailable("service_unknown", `${name} has no service ${code}.`);
  const itinerary = itineraryOf(tariff, service, consignment);
  if (!itinerary) {
    return unavailable("lane_not_served", `${name} does not serve this lane with ${code}.`);
  }
  const missing = consignment.accessorials.filter((each) => !service.accessorials.includes(each));
  if (missing.length > 0) {
    return unavailable(
      "accessorial_not_offered",
      `${name} does not offer ${missing.join(", ")} with ${code}.`,
    );
  }
  if (totalPounds(consignment) > poundsOf(service.max_total_weight_grams)) {
    return unavailable("weight_exceeded", `The shipment is heavier than ${code} takes.`);
  }
  return { rate: rateOf(tariff, service, { ...itinerary, consignment }) };
}

/** The cost of booking a rate. */
export function freightCost({
  base_cents,
  surcharges,
}: Pick<FreightPrice, "base_cents" | "surcharges">): Cents {
  return base_cents + sumOf(surcharges.map(({ amount_cents }) => amount_cents));
}

interface Itinerary {
  lane: FreightLane;
  route: Route;
  is_beyond: boolean;
}

/** Null where the service does not go. */
function itineraryOf(
  { lanes, area }: FreightTariff,
  { reach, goes_beyond }: FreightServiceTariff,
  { sender, recipient }: FreightConsignment,
): Itinerary | null {
  const route = routeOf(sender, recipient);
  const lane = lanes.find(({ from, to }) => from === route.from && to === route.to);
  const is_domestic = route.from === route.to;
  if (!lane || (reach !== "any" && (reach === "domestic") !== is_domestic)) return null;
  const ends = [sender, recipient].map(({ province_code }) => province_code ?? "");
  const is_beyond = ends.some((province) => area.beyond.includes(province));
  const isServed = ends.every((each) => area.direct.includes(each) || area.beyond.includes(each));
  return isServed && (goes_beyond || !is_beyond) ? { lane, route, is_beyond } : null;
}

function totalPounds({ units }: FreightConsignment): number {
  const pounds = units.map(({ quantity, weight_grams }) => quantity * poundsOf(weight_grams));
  return Number(sumOf(pounds).toFixed(2));
}

function rateOf(
  tariff: FreightTariff,
  service: FreightServiceTariff,
  itinerary: Itinerary & { consignment: FreightConsignment },
): FreightPrice {
  const { lane, route, is_beyond, consignment } = itinerary;
  const { currency, pickup_date, sender, recipient, units, accessorials } = consignment;
  const freight = billableFreight(units, tariff.space);
  const billable_pounds = Math.max(sumOf(freight.pounds), freight.at_least_pounds);
  const base = baseCents(tariff, { lane, km: route.km, units, freight });
  const premium = service.premium ? percentOf(base, service.premium.percent) : 0;
  const inLaneMoney = [
    ...(service.premium ? [{ ...service.premium, amount_cents: premium }] : []),
    {
      code: "fuel_surcharge",
      name: "Fuel surcharge",
      amount_cents: percentOf(base + premium, lane.fuel_percent),
    },
  ];
  const net_cents = convert(base, lane.currency, tariff.currency);
  const inOwnMoney = extraCharges(tariff, itinerary, { billable_pounds, net_cents });
  const days = transitDays(lane, { km: route.km, remote: is_beyond });
  return {
    service_code: service.code,
    zone: `${sender.province_code}-${recipient.province_code}`,
    currency,
    base_cents: convert(base, lane.currency, currency),
    surcharges: [
      ...inLaneMoney.map((line) => charged(line, lane.currency, currency)),
      ...inOwnMoney.map((line) => charged(line, tariff.currency, currency)),
    ],
    transit_days: days,
    delivery_date: arrivalDate(pickup_date, days, recipient),
    billable_weight: {
      value: billable_pounds,
      unit: "lbs",
      basis: billable_pounds > freight.actual_pounds ? "volumetric" : "actual",
    },
    accessorials: [...accessorials],
  };
}

/** The line haul after discount and minimum, in the lane's currency. */
function baseCents(
  tariff: FreightTariff,
  {
    lane,
    km,
    units,
    freight,
  }: {
    lane: FreightLane;
    km: number;
    units: FreightConsignment["units"];
    freight: ReturnType<typeof billableFreight>;
  },
): Cents {
  const gross = lineHaulCents(
    units.map(({ freight_class }, index) => ({
      pounds: freight.pounds[index]!,
      class_percent: classPercent(freight_class, tariff.class_spread_percent),
    })),
    {
      cwt_cents: Math.round(lane.start_cents + lane.km_cents * km),
      weight_breaks: tariff.weight_breaks,
      at_least_pounds: freight.at_least_pounds,
    },
  );
  return Math.max(lane.minimum_cents, percentOf(gross, 100 - lane.discount_percent));
}

/** In the tariff's own currency. */
function extraCharges(
  tariff: FreightTariff,
  { lane, is_beyond, consignment }: Itinerary & { consignment: FreightConsignment },
  freight: ChargedFreight,
): Charge[] {
  const { from_cm, amount_cents } = tariff.over_length;
  const long = consignment.units.filter(
    (unit) => Math.max(unit.length_cm, unit.width_cm) > from_cm,
  );
  const longUnits = sumOf(long.map(({ quantity }) => quantity));
  const border = lane.from === lane.to ? 0 : tariff.border_cents;
  const lines = [
    { code: "cross_border", name: "Border crossing", amount_cents: border },
    { code: "over_length", name: "Over length", amount_cents: longUnits * amount_cents },
    ...(is_beyond ? [beyondCharge(tariff, freight)] : []),
  ];
  return [
    ...lines.filter((line) => line.amount_cents > 0),
    ...consignment.accessorials.map((code) => accessorialCharge(tariff, code, freight)),
  ];
}

function charged({ code, name, amount_cents }: Charge, from: FreightCurrency, to: string): Charge {
  return { code, name, amount_cents: convert(amount_cents, from, to) };
}
