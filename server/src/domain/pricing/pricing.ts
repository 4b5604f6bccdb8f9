import { addOnTexts, assertOffered, priceAddOns, type PricedAddOn } from "./add-ons.ts";
import {
  carrierCharge,
  carrierCostCents,
  postageCostCents,
  type CapturedRate,
  type Charge,
} from "./captured-rate.ts";
import { exchanged } from "../values/exchange.ts";
import { fromCents, percentOf, toCents, type Cents } from "../values/money.ts";
import { marginFor, type PricingSettings, type Tier } from "./pricing-settings.ts";
import type { AddOn, AddOnCode, MoneyBreakdown, Rate, TierRate } from "./rate.ts";
import { taxLines, type TaxLine } from "./tax.ts";

/**
 * From a carrier's cost to a client's price (decision 7). Two equations hold to the cent:
 *
 *     base_rate + Σ surcharges + Σ selected add-ons = subtotal
 *     subtotal + tax = total
 *
 * The margin is rounded once, over base and surcharges together, and is all in `base_rate`:
 * surcharges read as the carrier names and charges them.
 */

export interface PricedRate {
  rate: Rate;
  cost: Cost;
}

/** The amounts that a purchase moves in the ledger. */
export interface Cost {
  subtotal_cents: Cents;
  tax_cents: Cents;
  total_cents: Cents;
  currency: string;
  /** The carrier's charge for it, before tax. */
  carrier_cost_cents: Cents;
  /** The same in the currency that the carrier charges in. Absent in purchases begun by earlier releases. */
  carrier_charge?: Charge;
}

interface PricingOptions {
  settings: PricingSettings;
  /** The client's choice; those that the carrier requires are added. */
  add_ons: readonly AddOnCode[];
  /** The moment of the purchase, which decides the tax. */
  now: Date;
}

/**
 * The account's price of a captured rate, any number of times without calling the carrier: for
 * showing, for a purchase with other add-ons, for other tiers (spec 4.14). `tier_pricing` is there
 * only when the account shows it. Throws 422 `unserviceable` for an add-on that the rate does not
 * offer.
 */
export function priceRate(captured: CapturedRate, terms: PricingOptions): PricedRate {
  assertOffered(captured, terms.add_ons);
  const { tier, show_tier_rates_api } = terms.settings;
  const price = priceAtTier(captured, tier, terms);
  const rate: Rate = toRate(captured, price, terms.add_ons);
  if (show_tier_rates_api) {
    rate.tier_pricing = {
      retail: toRate(captured, priceAtTier(captured, "retail", terms), terms.add_ons),
      enterprise: toRate(captured, priceAtTier(captured, "enterprise", terms), terms.add_ons),
    };
  }
  const { subtotal_cents, tax_cents, total_cents } = price;
  const { currency } = captured;
  const amounts = { subtotal_cents, tax_cents, total_cents, currency };
  const carrier_cost_cents = carrierCostCents(captured, terms.add_ons);
  const carrier_charge = carrierCharge(captured, terms.add_ons);
  return { rate, cost: { ...amounts, carrier_cost_cents, carrier_charge } };
}

/** What the carrier is expected to charge, in its own currency. */
export function expectedCharge({ carrier_charge, carrier_cost_cents, currency }: Cost): Charge {
  return carrier_charge ?? { amount_cents: carrier_cost_cents, currency };
}

/**
 * The carrier's actual charge in the account's currency, for the platform's books: the expected cost, less what
 * it charged less than expected. `rate` is 1 where it charges in the account's currency, and 0 where it bills
 * the merchant.
 */
export function costOfCharge(cost: Cost, chargedCents: Cents, rate = 1): Cents {
  const saved = expectedCharge(cost).amount_cents - chargedCents;
  return cost.carrier_cost_cents - exchanged(saved, rate);
}

interface Price {
  base_cents: Cents;
  add_ons: (PricedAddOn & { tax_cents: Cents })[];
  subtotal_cents: Cents;
  taxes: TaxLine[];
  tax_cents: Cents;
  total_cents: Cents;
}

function priceAtTier(captured: CapturedRate, tier: Tier, terms: PricingOptions): Price {
  const { settings, now } = terms;
  const lane = { carrier: captured.carrier.code, service: captured.service };
  const margin = marginFor(settings.margins[tier], lane);
  const postageCents = postageCostCents(captured);
  const marginCents = percentOf(postageCents, margin.percent) + toCents(margin.fixed);
  const addOnTerms = { margin, protection: settings.protection[tier] };
  const addOns = priceAddOns(captured, addOnTerms, terms.add_ons);

  const selectedCents = addOns.map((addOn) => (addOn.selected ? addOn.price_cents : 0));
  const subtotalCents = selectedCents.reduce((a, b) => a + b, postageCents + marginCents);
  const taxes = taxLines(captured.taxed_lane, subtotalCents, now);
  const taxCents = totalOf(taxes);

  // An add-on's tax is the difference that choosing it makes, so that its price is exactly what it adds.
  const withTax = addOns.map((addOn) => {
    const step = addOn.selected ? -addOn.price_cents : addOn.price_cents;
    const otherwise = totalOf(taxLines(captured.taxed_lane, subtotalCents + step, now));
    return { ...addOn, tax_cents: Math.abs(otherwise - taxCents) };
  });
  return {
    base_cents: captured.base_cents + marginCents,
    add_ons: withTax,
    subtotal_cents: subtotalCents,
    taxes,
    tax_cents: taxCents,
    total_cents: subtotalCents + taxCents,
  };
}

function totalOf(taxes: readonly TaxLine[]): Cents {
  return taxes.reduce((total, line) => total + line.amount_cents, 0);
}

/** What the carrier bills the merchant itself; null where it bills the platform. */
function carrierPriceOf(captured: CapturedRate, chosen: readonly AddOnCode[]) {
  if (captured.billed_by !== "carrier") return null;
  const { amount_cents, currency } = carrierCharge(captured, chosen);
  return { amount: fromCents(amount_cents), currency };
}

function toRate(captured: CapturedRate, price: Price, chosen: readonly AddOnCode[]): TierRate {
  const { carrier, currency, service } = captured;
  return {
    id: captured.id,
    service,
    postage_type_id: captured.postage_type_id,
    carrier: { code: carrier.code, name: carrier.name, service_code: service, scac: carrier.scac },
    service_name: captured.service_name,
    package_type: captured.package_type,
    trackable: captured.trackable,
    pickup_supported: captured.pickup_supported,
    base_rate: fromCents(price.base_cents),
    surcharges: captured.surcharges.map(({ code, name, amount_cents }) => ({
      code,
      name,
      amount: fromCents(amount_cents),
    })),
    add_ons: price.add_ons.map((addOn) => toAddOn(addOn, currency)),
    subtotal: fromCents(price.subtotal_cents),
    taxes: price.taxes.map(({ name, rate, amount_cents }) => ({
      name,
      rate,
      amount: fromCents(amount_cents),
    })),
    tax: fromCents(price.tax_cents),
    total: fromCents(price.total_cents),
    currency,
    billed_by: captured.billed_by ?? "platform",
    carrier_price: carrierPriceOf(captured, chosen),
    exchange: captured.exchange ?? null,
    estimated_delivery_days: captured.estimated_delivery_days,
    estimated_delivery_date: captured.estimated_delivery_date,
    billable_weight: captured.billable_weight,
    zone: captured.zone,
    expires_at: captured.expires_at,
    estimated: captured.estimated,
    ...freightTermsOf(captured),
  };
}

function freightTermsOf({ freight, estimated_delivery_days }: CapturedRate) {
  if (!freight) return {};
  const { quote_number, accessorials } = freight;
  return { transit_days: estimated_delivery_days, accessorials: [...accessorials], quote_number };
}

function toAddOn(addOn: Price["add_ons"][number], currency: string): AddOn {
  const { code, required, selected, price_cents, tax_cents } = addOn;
  const price: MoneyBreakdown = {
    subtotal: fromCents(price_cents),
    tax: fromCents(tax_cents),
    total: fromCents(price_cents + tax_cents),
    currency,
  };
  return { code, ...addOnTexts[code], price, selected, required };
}
