import type { Cents } from "../../domain/values/money.ts";
import type {
  AddOnCode,
  CarrierQuote,
  CarrierRate,
  CarrierService,
  UnavailableService,
} from "../carrier.ts";
import { addOnsIn } from "./priced-add-ons.ts";

/** Rates of carriers whose answer states a base price and surcharges for each of their services. */

type Surcharge = CarrierRate["surcharges"][number];

/** A service's price, before it is known what it is compared with. Taxes are no part of it. */
export interface ReadPrice {
  base_cents: Cents;
  surcharges: Surcharge[];
  transit_days: number | null;
  delivery_date: string | null;
}

/** A service of an answer, by the carrier's own code; null for a price that cannot be read. */
export interface ReadRate<Price extends ReadPrice = ReadPrice> {
  service_code: string;
  price: Price | null;
}

/** An answer, and others to the same request with one more option each; what is missing is not offered. */
interface ReadRates<Price extends ReadPrice> {
  plain: readonly ReadRate<Price>[];
  add_ons: readonly { code: AddOnCode; rates: readonly ReadRate<Price>[] }[];
}

/** The base and its surcharges, in cents. */
export function costOf({ base_cents, surcharges }: ReadPrice): Cents {
  return surcharges.reduce((sum, line) => sum + line.amount_cents, base_cents);
}

/** Null where one cannot be read. An option that costs nothing is part of the service, and no line of its price. */
export function surchargesOf(lines: readonly (Surcharge | null)[]): Surcharge[] | null {
  const read = lines.filter((line) => line !== null);
  return read.length < lines.length ? null : read.filter(({ amount_cents }) => amount_cents !== 0);
}

/**
 * Each requested service once. An add-on costs the difference that its option makes, so that what depends on
 * the price, such as the fuel surcharge, is in it. `rest` are the facts that carriers state differently.
 */
export function toCarrierQuote<Price extends ReadPrice>(
  services: readonly CarrierService[],
  { plain, add_ons }: ReadRates<Price>,
  rest: (price: Price) => Pick<CarrierRate, "currency" | "billable_weight" | "zone">,
): CarrierQuote {
  const quote: CarrierQuote = { rates: [], unavailable: [] };
  for (const service of services) {
    const entry = ofService(plain, service);
    const price = entry?.price;
    if (!price) quote.unavailable.push(entry ? unreadable(service) : noRate(service));
    else
      quote.rates.push({
        service: service.code,
        base_cents: price.base_cents,
        surcharges: price.surcharges,
        add_ons: addOnCosts(service, price, add_ons),
        estimated_delivery_days: price.transit_days,
        estimated_delivery_date: price.delivery_date,
        ...rest(price),
      });
  }
  return quote;
}

function addOnCosts<Price extends ReadPrice>(
  service: CarrierService,
  price: Price,
  add_ons: ReadRates<Price>["add_ons"],
): CarrierRate["add_ons"] {
  const offered = addOnsIn(service);
  return add_ons.flatMap(({ code, rates }) => {
    const priced = offered.includes(code) ? ofService(rates, service)?.price : null;
    const cost_cents = priced ? costOf(priced) - costOf(price) : -1;
    return cost_cents >= 0 ? [{ code, cost_cents, required: false }] : [];
  });
}

function ofService<Price extends ReadPrice>(
  rates: readonly ReadRate<Price>[],
  service: CarrierService,
): ReadRate<Price> | undefined {
  return rates.find(({ service_code }) => service_code === service.carrier_service_code);
}

/** A service that the answer leaves out. */
export function noRate({ code }: CarrierService): UnavailableService {
  const message = "The carrier answered without a rate for this service.";
  return { service: code, reason: "no_rate_for_lane", message };
}

/** A service whose entry in the answer makes no sense. */
export function unreadable({ code }: CarrierService): UnavailableService {
  const message = "The carrier gave a rate that cannot be read.";
  return { service: code, reason: "carrier_error", message };
}
