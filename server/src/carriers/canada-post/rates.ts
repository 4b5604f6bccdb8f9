import { billableWeight, fromGrams } from "../../domain/goods/units.ts";
import type {
  AddOnCode,
  CarrierRate,
  CarrierService,
  ShipmentForCarrier,
  UnavailableService,
} from "../carrier.ts";
import { centsOf } from "../protocol/amount.ts";
import {
  all,
  first,
  optional,
  textAt,
  writeXml,
  xml,
  type XmlElement,
  type XmlOutput,
} from "../protocol/xml.ts";
import type { Contract } from "./credentials.ts";
import { options } from "./options.ts";
import { parcelCharacteristics, postalCode } from "./parties.ts";

/** Prices: a shipment as Canada Post's `mailing-scenario`, and its `price-quotes` as rates. No I/O. */

export const rateMediaType = "application/vnd.cpc.ship.rate-v4+xml";

export function toMailingScenario(
  shipment: ShipmentForCarrier,
  asked: { services: readonly CarrierService[]; add_ons: readonly AddOnCode[]; contract: Contract },
): string {
  const { from_address, ship_date, packages } = shipment;
  const { contract } = asked;
  return writeXml(
    xml(
      "mailing-scenario",
      [
        optional("customer-number", contract.customer_number),
        optional("contract-id", contract.contract_id),
        xml("quote-type", "commercial"),
        xml("expected-mailing-date", ship_date),
        options(shipment, asked.add_ons),
        parcelCharacteristics(packages[0]!, "rate"),
        xml(
          "services",
          asked.services.map((service) => xml("service-code", service.carrier_service_code)),
        ),
        xml("origin-postal-code", postalCode(from_address)),
        xml("destination", [destinationOf(shipment)]),
      ],
      { xmlns: "http://www.canadapost.ca/ws/ship/rate-v4" },
    ),
  );
}

function destinationOf({ to_address }: ShipmentForCarrier): XmlOutput {
  const code = postalCode(to_address);
  if (to_address.country_code === "CA") return xml("domestic", [xml("postal-code", code)]);
  if (to_address.country_code === "US") return xml("united-states", [xml("zip-code", code)]);
  return xml("international", [
    xml("country-code", to_address.country_code),
    optional("postal-code", code),
  ]);
}

/** A service's price, before it is known what it is compared with. */
interface PriceQuote {
  service_code: string;
  base_cents: number;
  surcharges: CarrierRate["surcharges"];
  transit_days: number | null;
  delivery_date: string | null;
  cubed_kg: string | null;
}

/** The readable prices of an answer; null for a service whose price cannot be read. */
export function fromPriceQuotes(
  root: XmlElement,
): { service_code: string; quote: PriceQuote | null }[] {
  return all(root, "price-quote").flatMap((entry) => {
    const service_code = textAt(entry, "service-code");
    return service_code === null
      ? []
      : [{ service_code, quote: fromPriceQuote(entry, service_code) }];
  });
}

function fromPriceQuote(entry: XmlElement, service_code: string): PriceQuote | null {
  const base_cents = centsOf(textAt(entry, "price-details/base"));
  const lines = [
    ...all(entry, "price-details/options/option").map((line) => lineOf(line, "option", "price")),
    ...all(entry, "price-details/adjustments/adjustment").map((line) =>
      lineOf(line, "adjustment", "cost"),
    ),
  ];
  if (base_cents === null || base_cents < 0 || lines.includes(null)) return null;
  const days = textAt(entry, "service-standard/expected-transit-time");
  const date = textAt(entry, "service-standard/expected-delivery-date");
  return {
    service_code,
    base_cents,
    // An option that costs nothing is part of the service, and no line of its price.
    surcharges: lines.filter(
      (line) => line !== null && line.amount_cents !== 0,
    ) as CarrierRate["surcharges"],
    transit_days: days !== null && /^\d{1,2}$/.test(days) ? Number(days) : null,
    delivery_date: date !== null && isDay(date) ? date : null,
    cubed_kg: textAt(entry, "weight-details/cubed-weight"),
  };
}

function lineOf(
  line: XmlElement,
  kind: string,
  amount: string,
): CarrierRate["surcharges"][number] | null {
  const amount_cents = centsOf(textAt(line, `${kind}-${amount}`));
  const code = textAt(line, `${kind}-code`);
  if (amount_cents === null || code === null) return null;
  return { code, name: textAt(line, `${kind}-name`) ?? code, amount_cents };
}

/** Whether it is a calendar day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

export function costOf({
  base_cents,
  surcharges,
}: Pick<PriceQuote, "base_cents" | "surcharges">): number {
  return surcharges.reduce((sum, line) => sum + line.amount_cents, base_cents);
}

/** The quotes of the same services with one more option each; what is missing is not offered. */
type PricedAddOns = readonly {
  code: AddOnCode;
  quotes: ReturnType<typeof fromPriceQuotes>;
}[];

/**
 * Each requested service once. An add-on costs the difference that its option makes, so that what depends on
 * the price, such as the fuel surcharge, is in it.
 */
export function toQuote(
  shipment: ShipmentForCarrier,
  services: readonly CarrierService[],
  { plain, add_ons }: { plain: ReturnType<typeof fromPriceQuotes>; add_ons: PricedAddOns },
): { rates: CarrierRate[]; unavailable: UnavailableService[] } {
  const rates: CarrierRate[] = [];
  const unavailable: UnavailableService[] = [];
  for (const service of services) {
    const entry = ofService(plain, service);
    if (entry?.quote) rates.push(toRate(shipment, service, { quote: entry.quote, add_ons }));
    else unavailable.push(entry ? unreadable(service) : noRate(service));
  }
  return { rates, unavailable };
}

function ofService(quotes: ReturnType<typeof fromPriceQuotes>, service: CarrierService) {
  return quotes.find(({ service_code }) => service_code === service.carrier_service_code);
}

function toRate(
  { packages }: ShipmentForCarrier,
  service: CarrierService,
  { quote, add_ons }: { quote: PriceQuote; add_ons: PricedAddOns },
): CarrierRate {
  const offered = "add_ons" in service ? service.add_ons : [];
  return {
    service: service.code,
    // No price of Canada Post's names a currency: it bills in Canadian dollars (assumption).
    currency: "CAD",
    base_cents: quote.base_cents,
    surcharges: quote.surcharges,
    add_ons: add_ons.flatMap(({ code, quotes }) => {
      const priced = offered.includes(code) ? ofService(quotes, service)?.quote : null;
      const cost_cents = priced ? costOf(priced) - costOf(quote) : -1;
      return cost_cents >= 0 ? [{ code, cost_cents, required: false }] : [];
    }),
    estimated_delivery_days: quote.transit_days,
    estimated_delivery_date: quote.delivery_date,
    billable_weight: billed(packages, quote),
    zone: null,
  };
}

/** The larger of weight and volume, in the unit of the packages. */
function billed(
  packages: ShipmentForCarrier["packages"],
  { cubed_kg }: PriceQuote,
): CarrierRate["billable_weight"] {
  const kg = Number(cubed_kg);
  const isStated = kg > 0 && kg < 1_000;
  // None of its recorded answers has one: the volume then counts by decision 5.
  if (!isStated) return billableWeight(packages);
  const actual = billableWeight(packages.map((parcel) => ({ ...parcel, size_unit: null })));
  const value = fromGrams(kg * 1_000, actual.unit);
  return value > actual.value ? { value, unit: actual.unit, basis: "volumetric" } : actual;
}

function noRate({ code }: CarrierService): UnavailableService {
  const message = "The carrier answered without a rate for this service.";
  return { service: code, reason: "no_rate_for_lane", message };
}

function unreadable({ code }: CarrierService): UnavailableService {
  return {
    service: code,
    reason: "carrier_error",
    message: "The carrier gave a rate that cannot be read.",
  };
}

/** The price details of an answer that has them beside others; null where there are none to be read. */
export function preTaxAmount(root: XmlElement): number | null {
  const price = first(root, "shipment-price") ?? root;
  return centsOf(textAt(price, "pre-tax-amount"));
}
