import { canadaTaxRates } from "./canada-tax-rates.ts";
import { percentOf, type Cents } from "../values/money.ts";

/** Sales tax on carriage (decision 7): Canadian place of supply by the destination's province. */

export interface TaxedLane {
  from_country_code: string;
  to_country_code: string;
  to_province_code: string | null;
}

export interface TaxLine {
  name: string;
  /** As a fraction: 0.13. */
  rate: number;
  amount_cents: Cents;
}

/**
 * The taxes on an amount, one line each, rounded half-up by itself. Only carriage within Canada is
 * taxed: across a border it is zero-rated, within the United States it bears no sales tax. `on` is
 * the moment of purchase; its day is UTC's, like every time of the API. A destination whose
 * province is unknown, as an estimate's may be, bears the federal tax alone.
 */
export function taxLines(lane: TaxedLane, taxableCents: Cents, on: Date): TaxLine[] {
  if (lane.from_country_code !== "CA" || lane.to_country_code !== "CA") return [];
  return taxesIn(lane.to_province_code, on).map(({ name, percent }) => ({
    name,
    // Shifted as text, because 9.975 / 100 is 0.09974999….
    rate: Number(`${percent}e-2`),
    amount_cents: percentOf(taxableCents, percent),
  }));
}

function taxesIn(provinceCode: string | null, on: Date) {
  const day = on.toISOString().slice(0, 10);
  const regime = canadaTaxRates.findLast(
    (row) => row.province_code === provinceCode && row.valid_from <= day,
  );
  return regime?.taxes ?? [{ name: "GST", percent: 5 }];
}
