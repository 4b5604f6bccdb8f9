import type { BillableWeight } from "../../domain/goods/units.ts";
import type { Cents } from "../../domain/values/money.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";
import type { CarrierCost, CarrierRate } from "../carrier.ts";
import { centsIn, dayIn, listIn, textIn, valueIn } from "../protocol/json.ts";
import { errorTable, successOf } from "./errors.ts";
import { surchargeName } from "./surcharges.ts";

/** The `RatedShipment`s of an answer, as prices of UPS's own services. No I/O. */

/** A price as UPS states it, before it is known which service of ours it is for. */
export interface RatedService {
  code: string;
  cost: CarrierCost;
  price_basis: NonNullable<CarrierRate["price_basis"]>;
  /** With delivery on a Saturday: UPS then prices the service again without it, and in no fixed order. */
  on_saturday: boolean;
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
    on_saturday: isOnSaturday(rated),
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

const saturdayCharge = "300";

function isOnSaturday(rated: unknown): boolean {
  const charges = [rated, valueIn(rated, "NegotiatedRateCharges")].flatMap((each) =>
    listIn(each, "ItemizedCharges"),
  );
  const flag = textIn(rated, "TimeInTransit", "ServiceSummary", "SaturdayDelivery");
  return flag === "1" || charges.some((each) => textIn(each, "Code") === saturdayCharge);
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
