import { billableWeight, type BillableWeight } from "../../domain/goods/units.ts";
import type { Cents } from "../../domain/values/money.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";
import type {
  AddOnCode,
  CarrierCost,
  CarrierQuote,
  CarrierRate,
  CarrierService,
  ShipmentForCarrier,
} from "../carrier.ts";
import { refusePublished } from "../protocol/price-basis.ts";
import { centsIn, compact, dayIn, listIn, textIn, valueIn } from "../protocol/json.ts";
import type { UpsAccount } from "./credentials.ts";
import { errorTable, successOf } from "./errors.ts";
import { packageOptions, shipmentOptions } from "./options.ts";
import {
  dimensionsOf,
  packagingCodes,
  partyOf,
  recipientOf,
  unitsOf,
  weightOf,
} from "./parties.ts";
import { surchargeName } from "./surcharges.ts";

/** Prices: a shipment as UPS's `RateRequest`, and its `RatedShipment`s as rates. No I/O. */

export const ratePath = "/api/rating/v2409/Shop?additionalinfo=timeintransit";

export function toRateRequest(
  shipment: ShipmentForCarrier,
  { account, add_ons }: { account: UpsAccount; add_ons: readonly AddOnCode[] },
): object {
  const { from_address, to_address, return_address, is_return, packages, ship_date } = shipment;
  const units = unitsOf(from_address.country_code);
  const shipper = withoutContact(partyOf(is_return ? to_address : return_address));
  return {
    RateRequest: {
      Request: { RequestOption: "Shop", TransactionReference: { CustomerContext: "rate" } },
      // Rates of the account; UPS looks at the classification only where the shipment begins in its country.
      CustomerClassification: { Code: "00" },
      Shipment: compact({
        Shipper: { ...shipper, ShipperNumber: account.number },
        ShipTo: withoutContact(recipientOf(to_address)),
        ShipFrom: withoutContact(partyOf(from_address)),
        PaymentDetails: {
          ShipmentCharge: [{ Type: "01", BillShipper: { AccountNumber: account.number } }],
        },
        NumOfPieces: String(packages.length),
        Package: packages.map((parcel) =>
          compact({
            PackagingType: { Code: packagingCodes[parcel.package_type] },
            Dimensions: dimensionsOf(parcel, units),
            PackageWeight: weightOf(parcel, units),
            PackageServiceOptions: packageOptions(shipment, parcel, add_ons),
          }),
        ),
        ShipmentServiceOptions: shipmentOptions(shipment, add_ons),
        ShipmentRatingOptions: account.asks_negotiated ? { NegotiatedRatesIndicator: "Y" } : null,
        DeliveryTimeInformation: {
          PackageBillType: "03",
          Pickup: { Date: ship_date.replaceAll("-", "") },
        },
      }),
    },
  };
}

/** Phones and e-mail addresses are no part of a price; its states have two letters, or none. */
function withoutContact({ Name, AttentionName, Address }: ReturnType<typeof partyOf>) {
  const { StateProvinceCode, ...address } = Address;
  const state = StateProvinceCode?.length === 2 ? { StateProvinceCode } : {};
  return { Name, AttentionName, Address: { ...address, ...state } };
}

/** A price as UPS states it, before it is known which service of ours it is for. */
interface RatedService {
  code: string;
  cost: CarrierCost;
  price_basis: NonNullable<CarrierRate["price_basis"]>;
  surcharges: CarrierRate["surcharges"];
  days: number | null;
  date: string | null;
  weight: BillableWeight | null;
  zone: string | null;
}

/** UPS's errors where no service goes between two places (other projects' lists of its codes). */
const noLane = new Set(["111210", "111217", "111100", "111057"]);

/**
 * The readable prices of an answer; none where no service goes there. Throws the `CarrierError` of every other
 * answer.
 */
export function fromRateResponse(answer: HttpAnswer): RatedService[] {
  if (answer.status >= 400 && answer.status < 500) {
    if (noLane.has(errorTable.read(answer)?.code ?? "")) return [];
  }
  const rated = listIn(successOf(answer, "RateResponse"), "RatedShipment");
  return rated.flatMap((each) => fromRated(each) ?? []);
}

function fromRated(rated: unknown): RatedService | null {
  const code = textIn(rated, "Service", "Code");
  const cost = costIn(rated);
  if (code === null || cost === null) return null;
  const arrival = valueIn(rated, "TimeInTransit", "ServiceSummary", "EstimatedArrival");
  return {
    code: code.padStart(2, "0"),
    cost,
    price_basis: ownTotal(rated) === undefined ? "published" : "negotiated",
    surcharges: surchargesIn(rated, cost),
    days:
      daysIn(arrival, "BusinessDaysInTransit") ??
      daysIn(rated, "GuaranteedDelivery", "BusinessDaysInTransit"),
    date: dayIn(arrival, "Arrival", "Date"),
    weight: billedIn(valueIn(rated, "BillingWeight")),
    zone: textIn(rated, "Zone"),
  };
}

/** The account's own price where UPS states it, else the published one; before tax, and above zero. */
export function costIn(rated: unknown): CarrierCost | null {
  const published =
    valueIn(rated, "TotalCharges") ?? valueIn(rated, "ShipmentCharges", "TotalCharges");
  const total = ownTotal(rated) ?? published;
  const amount_cents = centsIn(total, "MonetaryValue");
  const currency = textIn(total, "CurrencyCode");
  if (amount_cents === null || amount_cents <= 0 || !/^[A-Z]{3}$/.test(currency ?? "")) return null;
  return { amount_cents, currency: currency! };
}

function ownTotal(rated: unknown): unknown {
  return valueIn(rated, "NegotiatedRateCharges", "TotalCharge");
}

/** The lines of the price that was taken: of the whole shipment and of its packages, added up by code. */
function surchargesIn(rated: unknown, cost: CarrierCost): CarrierRate["surcharges"] {
  const own = valueIn(rated, "NegotiatedRateCharges");
  const packages = listIn(rated, "RatedPackage");
  const lines = own
    ? [own, ...packages.map((each) => valueIn(each, "NegotiatedCharges"))]
    : [rated, ...packages];
  const byCode = new Map<string, Cents>();
  for (const line of lines.flatMap((each) => listIn(each, "ItemizedCharges"))) {
    const code = textIn(line, "Code");
    const cents = centsIn(line, "MonetaryValue");
    const isSame = (textIn(line, "CurrencyCode") ?? cost.currency) === cost.currency;
    if (code && cents && isSame) byCode.set(code, (byCode.get(code) ?? 0) + cents);
  }
  const surcharges = [...byCode].map(([code, amount_cents]) => ({
    code,
    name: surchargeName(code),
    amount_cents,
  }));
  const sum = surcharges.reduce((total, { amount_cents }) => total + amount_cents, 0);
  // Lines that add up to more than the price are not lines of it: then the price is all base.
  return sum < cost.amount_cents ? surcharges : [];
}

function daysIn(value: unknown, ...path: string[]): number | null {
  const text = textIn(value, ...path);
  return text !== null && /^\d{1,2}$/.test(text) ? Number(text) : null;
}

function billedIn(weight: unknown): BillableWeight | null {
  const unit = { LBS: "lbs", KGS: "kg" }[textIn(weight, "UnitOfMeasurement", "Code") ?? ""];
  const text = textIn(weight, "Weight");
  if (!unit || text === null || !/^\d{1,6}(\.\d{1,3})?$/.test(text)) return null;
  return { value: Number(text), unit: unit as BillableWeight["unit"], basis: "actual" };
}

/** The same shipment priced with one extra more; empty where UPS does not sell it. */
export interface PricedAddOn {
  code: AddOnCode;
  rated: readonly RatedService[];
}

/**
 * Each of the services once. An extra costs the difference that it makes, so that what depends on the price,
 * such as fuel, is in it.
 */
export function toQuote(
  shipment: ShipmentForCarrier,
  services: readonly CarrierService[],
  {
    account,
    rated,
    add_ons,
  }: { account: UpsAccount; rated: readonly RatedService[]; add_ons: readonly PricedAddOn[] },
): CarrierQuote {
  const quote: CarrierQuote = { rates: [], unavailable: [] };
  for (const service of services) {
    const own = rated.find(({ code }) => code === service.carrier_service_code);
    if (own) quote.rates.push(toRate(shipment, service, { own, add_ons }));
    else quote.unavailable.push(noRate(service));
  }
  return account.asks_negotiated
    ? refusePublished(quote, { stated: rated, carrier_name: "UPS" })
    : quote;
}

function toRate(
  { packages }: ShipmentForCarrier,
  service: CarrierService,
  { own, add_ons }: { own: RatedService; add_ons: readonly PricedAddOn[] },
): CarrierRate {
  const { cost, price_basis, surcharges, days, date, weight, zone } = own;
  const offered: readonly AddOnCode[] = "add_ons" in service ? service.add_ons : [];
  const extras = surcharges.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  return {
    service: service.code,
    currency: cost.currency,
    price_basis,
    base_cents: cost.amount_cents - extras,
    surcharges,
    add_ons: add_ons.flatMap(({ code, rated }) => {
      const priced = rated.find((each) => each.code === own.code);
      const isSame = priced?.price_basis === price_basis && priced.cost.currency === cost.currency;
      if (!offered.includes(code) || !isSame) return [];
      const cost_cents = priced.cost.amount_cents - cost.amount_cents;
      return cost_cents >= 0 ? [{ code, cost_cents, required: false }] : [];
    }),
    estimated_delivery_days: days,
    estimated_delivery_date: date,
    billable_weight: weight ? basedOn(weight, packages) : billableWeight(packages),
    zone,
  };
}

function basedOn(weight: BillableWeight, packages: ShipmentForCarrier["packages"]): BillableWeight {
  return { ...weight, basis: billableWeight(packages).basis };
}

function noRate({ code }: CarrierService): CarrierQuote["unavailable"][number] {
  const message = "UPS has no rate for this service here.";
  return { service: code, reason: "no_rate_for_lane", message };
}
