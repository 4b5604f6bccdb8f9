import type { Accessorial, HandlingUnitType } from "../goods/freight.ts";
import { exchanged, type Exchange } from "../values/exchange.ts";
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
  /** The account's. Where the carrier charges in another one, these amounts are converted. */
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
  /** What the carrier said, where the amounts above are others. */
  charged?: Charged;
  /** By this the amounts above were made of the carrier's, with the operator's margin. */
  exchange?: Exchange;
  /** Where the carrier bills the merchant, on a connection of the account's own: what it charges is no cost here. */
  billed_by?: "carrier";
  /** The connection that the carrier was asked on, and on which the rate is bought. */
  connection_id?: string;
  /** The rate without the margin: what the carrier's charge is worth in the platform's books. */
  cost_rate?: number;
}

/** A carrier's price in the currency that it charges in. */
export interface Charged {
  currency: string;
  base_cents: Cents;
  surcharges_cents: Cents[];
  /** In the order of the rate's add-ons. */
  add_ons_cents: Cents[];
}

/** What a carrier charges, in the currency that it charges in. */
export interface Charge {
  amount_cents: Cents;
  currency: string;
}

/**
 * The carrier's expected charge for the label with the chosen add-ons and those that it requires,
 * before tax, in the carrier's own currency.
 */
export function carrierCharge(rate: CapturedRate, chosen: readonly AddOnCode[]): Charge {
  const amount_cents = sum(chargedCents(rate, chosen));
  return { amount_cents, currency: rate.charged?.currency ?? rate.currency };
}

/** The same in the account's currency, each amount converted by itself and without the operator's margin. */
export function carrierCostCents(rate: CapturedRate, chosen: readonly AddOnCode[]): Cents {
  if (rate.billed_by === "carrier") return 0;
  return sum(chargedCents(rate, chosen).map((cents) => exchanged(cents, rate.cost_rate ?? 1)));
}

/** The amounts that make up the charge. */
function chargedCents(rate: CapturedRate, chosen: readonly AddOnCode[]): Cents[] {
  const { charged } = rate;
  const base = charged?.base_cents ?? rate.base_cents;
  const surcharges =
    charged?.surcharges_cents ?? rate.surcharges.map((surcharge) => surcharge.amount_cents);
  const extras = rate.add_ons.flatMap(({ code, required, cost_cents }, place) =>
    required || chosen.includes(code) ? [charged?.add_ons_cents[place] ?? cost_cents] : [],
  );
  return [base, ...surcharges, ...extras];
}

/** The rate as if the carrier charged so much more postage, in its own currency. */
export function dearerBy(rate: CapturedRate, cents: Cents): CapturedRate {
  const { charged, exchange } = rate;
  const isBilledHere = rate.billed_by !== "carrier";
  const base_cents = rate.base_cents + (isBilledHere ? exchanged(cents, exchange?.rate ?? 1) : 0);
  if (!charged) return { ...rate, base_cents };
  return { ...rate, base_cents, charged: { ...charged, base_cents: charged.base_cents + cents } };
}

/** The same without add-ons: the amount that the account's margin is added to. */
export function postageCostCents(rate: Pick<CapturedRate, "base_cents" | "surcharges">): Cents {
  return rate.base_cents + sum(rate.surcharges.map((surcharge) => surcharge.amount_cents));
}

function sum(amounts: readonly Cents[]): Cents {
  return amounts.reduce((total, amount) => total + amount, 0);
}
