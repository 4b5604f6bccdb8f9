import type { Accessorial, HandlingUnitType } from "../goods/freight.ts";
import type { Cents } from "../values/money.ts";
import type { PackageType } from "../goods/parcel.ts";
import type { AddOnCode } from "./rate.ts";
import type { TaxedLane } from "./tax.ts";
import type { BillableWeight } from "../goods/units.ts";

/**
 * A carrier's price of one service at one moment, with all that it depends on. Plain data that
 * outlives the call: it is stored with the shipment, priced again at any tier without calling the
 * carrier (spec 4.14), and bought by its id while it is valid.
 */
export interface CapturedRate {
  /** Assigned at the capture, so that a rate keeps its id from the quote to the purchase. */
  id: string;
  expires_at: string;
  estimated: boolean;
  carrier: { code: string; name: string; scac: string | null };
  service: string;
  service_name: string;
  postage_type_id: number;
  package_type: PackageType | HandlingUnitType;
  trackable: boolean;
  pickup_supported: boolean;
  currency: string;
  /** The carrier's charge before tax: base plus surcharges. */
  base_cents: Cents;
  surcharges: { code: string; name: string; amount_cents: Cents }[];
  /** The carrier's charge for each add-on that it offers on this lane. */
  add_ons: { code: AddOnCode; cost_cents: Cents; required: boolean }[];
  /** The value that protection covers. */
  declared_value_cents: Cents;
  taxed_lane: TaxedLane;
  estimated_delivery_days: number | null;
  estimated_delivery_date: string | null;
  billable_weight: BillableWeight;
  zone: string | null;
  /** Of an LTL rate only: the quote that the booking names, and the accessorials in the price. */
  freight?: { quote_number: string; accessorials: readonly Accessorial[] };
}

/**
 * The carrier's expected charge for the label with the chosen add-ons and those that it requires,
 * before tax.
 */
export function carrierCostCents(rate: CapturedRate, chosen: readonly AddOnCode[]): Cents {
  const bought = rate.add_ons.filter(({ code, required }) => required || chosen.includes(code));
  return postageCostCents(rate) + sum(bought.map((addOn) => addOn.cost_cents));
}

/** The same without add-ons: the amount that the account's margin is added to. */
export function postageCostCents(rate: Pick<CapturedRate, "base_cents" | "surcharges">): Cents {
  return rate.base_cents + sum(rate.surcharges.map((surcharge) => surcharge.amount_cents));
}

function sum(amounts: readonly Cents[]): Cents {
  return amounts.reduce((total, amount) => total + amount, 0);
}
