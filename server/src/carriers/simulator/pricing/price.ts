import { percentOf, type Cents } from "../../../domain/values/money.ts";
import type {
  ExtraCode,
  WirePackage,
  WireQuoteRequest,
  WireRate,
  WireUnavailable,
} from "../wire.ts";
import { convert } from "./currency.ts";
import { routeOf, type Route } from "./route.ts";
import type { CarrierTariff, LaneTariff, ServiceTariff } from "./tariff.ts";
import { deliveryDate, transitDays } from "./transit.ts";
import { billableWeight, billingSteps, billingUnit } from "./weight.ts";

export type Consignment = Omit<WireQuoteRequest, "service_codes">;
export type Priced = { rate: WireRate } | { unavailable: WireUnavailable };

/**
 * The price of one service for a consignment, in the requested currency, or why the carrier does
 * not offer it. The same consignment always has the same price. Refuses a currency that is not
 * billed in.
 */
export function priceService(
  tariff: CarrierTariff,
  code: string,
  consignment: Consignment,
): Priced {
  const unavailable = (reason: WireUnavailable["code"], message: string): Priced => ({
    unavailable: { service_code: code, code: reason, message },
  });
  const service = tariff.services.find((candidate) => candidate.code === code);
  if (!service) return unavailable("service_unknown", `${tariff.name} has no service ${code}.`);
  const route = routeOf(consignment.sender, consignment.recipient);
  const lane = service.lanes.find(({ from, to }) => from === route.from && to === route.to);
  if (!lane || !reaches(tariff, service, route)) {
    return unavailable("lane_not_served", `${tariff.name} does not serve this lane with ${code}.`);
  }
  if (consignment.packages.some(({ weight_grams }) => weight_grams > service.max_weight_grams)) {
    return unavailable("weight_exceeded", `A package is heavier than ${code} takes.`);
  }
  return { rate: rateOf(tariff, service, { lane, route, consignment }) };
}

/** The cost of buying a rate with these extras; null when the service does not offer one of them. */
export function costOf(rate: WireRate, extras: readonly ExtraCode[]): Cents | null {
  const chosen = extras.map((code) => rate.extras.find((extra) => extra.code === code));
  if (chosen.includes(undefined)) return null;
  const lines = [...rate.surcharges, ...chosen.map((extra) => extra!)];
  return lines.reduce((total, line) => total + line.amount_cents, rate.base_cents);
}

function reaches(tariff: CarrierTariff, service: ServiceTariff, route: Route): boolean {
  if (route.military) return tariff.serves_military;
  return service.serves_remote || !route.remote;
}

interface Itinerary {
  lane: LaneTariff;
  route: Route;
  consignment: Consignment;
}

function rateOf(tariff: CarrierTariff, service: ServiceTariff, itinerary: Itinerary): WireRate {
  const { lane, route, consignment } = itinerary;
  const { packages, currency } = consignment;
  const own = currencyOf(lane);
  const base = packages.reduce((sum, parcel) => sum + basePrice(lane, route.zone, parcel), 0);
  const days = transitDays(lane, route);
  return {
    service_code: service.code,
    zone: route.zone_name,
    currency,
    base_cents: convert(base, own, currency),
    surcharges: surchargesOf(tariff, service, { ...itinerary, base_cents: base }).map((line) => ({
      ...line,
      amount_cents: convert(line.amount_cents, own, currency),
    })),
    extras: service.extras.map((code) => ({
      code,
      amount_cents: convert(extraPrice(tariff, code, itinerary), own, currency),
    })),
    transit_days: days,
    delivery_date: deliveryDate(consignment.ship_date, days),
    billable_weight: weightOnInvoice(lane, packages),
  };
}

/** Tariffs are in the money of the country that the package leaves from. */
function currencyOf(lane: LaneTariff): string {
  return lane.from === "US" ? "USD" : "CAD";
}

/** Heavier packages cost less for each further step: full price to 20 steps, 90 % to 50, then 80 %. */
const weightBreaks = [
  { up_to_steps: 20, percent: 100 },
  { up_to_steps: 50, percent: 90 },
  { up_to_steps: Number.POSITIVE_INFINITY, percent: 80 },
];
const stepsInStart = 2;

function basePrice(lane: LaneTariff, zone: number, parcel: WirePackage): Cents {
  const farther = zone - 1;
  const stepCents = lane.step_cents + farther * lane.step_zone_cents;
  const steps = billingSteps(billableWeight(parcel).grams, lane.from);
  let total = lane.start_cents + farther * lane.zone_cents;
  let charged = stepsInStart;
  for (const { up_to_steps, percent } of weightBreaks) {
    const within = Math.max(0, Math.min(steps, up_to_steps) - charged);
    total += percentOf(within * stepCents, percent);
    charged += within;
  }
  return total;
}

function surchargesOf(
  tariff: CarrierTariff,
  service: ServiceTariff,
  { route, consignment, base_cents }: Itinerary & { base_cents: Cents },
): { code: string; name: string; amount_cents: Cents }[] {
  const oversized = consignment.packages.filter((parcel) => isOversize(tariff, parcel)).length;
  const residential = consignment.recipient.is_residential ? tariff.residential_cents : 0;
  const lines = [
    {
      code: "fuel_surcharge",
      name: "Fuel surcharge",
      amount_cents: percentOf(base_cents, tariff.fuel_percent[service.moves]),
    },
    { code: "residential", name: "Residential delivery", amount_cents: residential },
    {
      code: "remote_area",
      name: "Remote area",
      amount_cents: route.remote ? tariff.remote_cents : 0,
    },
    {
      code: "oversize",
      name: "Oversize package",
      amount_cents: oversized * tariff.oversize.amount_cents,
    },
  ];
  return lines.filter((line) => line.amount_cents > 0);
}

function isOversize({ oversize }: CarrierTariff, parcel: WirePackage): boolean {
  const { length_cm, width_cm, height_cm } = parcel;
  if (length_cm === null || width_cm === null || height_cm === null) return false;
  const [longest, ...rest] = [length_cm, width_cm, height_cm].sort((a, b) => b - a);
  const girth = 2 * (rest[0]! + rest[1]!);
  return longest! > oversize.longest_cm || longest! + girth > oversize.length_plus_girth_cm;
}

function extraPrice(
  tariff: CarrierTariff,
  code: ExtraCode,
  { lane, consignment }: Itinerary,
): Cents {
  if (code !== "protection") return tariff.extras[code];
  const declared = consignment.packages.reduce(
    (sum, { declared_value }) =>
      sum +
      (declared_value
        ? convert(declared_value.amount_cents, declared_value.currency, currencyOf(lane))
        : 0),
    0,
  );
  return Math.max(tariff.protection.minimum_cents, percentOf(declared, tariff.protection.percent));
}

function weightOnInvoice(
  lane: LaneTariff,
  packages: readonly WirePackage[],
): WireRate["billable_weight"] {
  const { unit, step } = billingUnit(lane.from);
  const weights = packages.map(billableWeight);
  const steps = weights.reduce((sum, { grams }) => sum + billingSteps(grams, lane.from), 0);
  const volumetric = weights.some(({ basis }) => basis === "volumetric");
  return { value: steps * step, unit, basis: volumetric ? "volumetric" : "actual" };
}
