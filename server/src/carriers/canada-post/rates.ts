import { billableWeight, fromGrams } from "../../domain/goods/units.ts";
import { isDay } from "../../domain/validation/validation.ts";
import type {
  AddOnCode,
  CarrierQuote,
  CarrierRate,
  CarrierService,
  ShipmentForCarrier,
} from "../carrier.ts";
import { centsOf } from "../protocol/amount.ts";
import {
  surchargesOf,
  toCarrierQuote,
  type ReadPrice,
  type ReadRate,
} from "../protocol/read-rate.ts";
import {
  all,
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

/** A service's price, and the volume that Canada Post bills it by where it says so. */
interface PriceQuote extends ReadPrice {
  cubed_kg: string | null;
}

/** The prices of an answer; null for a service whose price cannot be read. */
export function fromPriceQuotes(root: XmlElement): ReadRate<PriceQuote>[] {
  return all(root, "price-quote").flatMap((entry) => {
    const service_code = textAt(entry, "service-code");
    return service_code === null ? [] : [{ service_code, price: fromPriceQuote(entry) }];
  });
}

function fromPriceQuote(entry: XmlElement): PriceQuote | null {
  const base_cents = centsOf(textAt(entry, "price-details/base"));
  const surcharges = surchargesOf([
    ...all(entry, "price-details/options/option").map((line) => lineOf(line, "option", "price")),
    ...all(entry, "price-details/adjustments/adjustment").map((line) =>
      lineOf(line, "adjustment", "cost"),
    ),
  ]);
  if (base_cents === null || base_cents < 0 || surcharges === null) return null;
  const days = textAt(entry, "service-standard/expected-transit-time");
  const date = textAt(entry, "service-standard/expected-delivery-date");
  return {
    base_cents,
    surcharges,
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

/** Each requested service once. */
export function toQuote(
  { packages }: ShipmentForCarrier,
  services: readonly CarrierService[],
  answers: Parameters<typeof toCarrierQuote<PriceQuote>>[1],
): CarrierQuote {
  return toCarrierQuote(services, answers, (price) => ({
    // No price of Canada Post's names a currency: it bills in Canadian dollars (assumption).
    currency: "CAD",
    billable_weight: billed(packages, price),
    zone: null,
  }));
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
