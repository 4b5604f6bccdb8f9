import type { FreightClass } from "../../../../domain/goods/freight.ts";
import type { Cents } from "../../../../domain/values/money.ts";
import type { FreightTariff } from "../../pricing/freight-tariff.ts";
import { sumOf } from "./billable-pounds.ts";

/** The gross charge for carrying freight, from terminal to terminal: pounds by class, at the best weight break. */

interface RatedLine {
  pounds: number;
  class_percent: number;
}

export interface LaneTariff {
  /** For 100 lb of class 100 below the first break. */
  cwt_cents: Cents;
  weight_breaks: FreightTariff["weight_breaks"];
  /** The shipment's minimum rated weight, whatever it weighs. */
  at_least_pounds: number;
}

/** Percent of the rate of class 100. */
export function classPercent(freightClass: FreightClass, spreadPercent: number): number {
  return 100 + ((Number(freightClass) - 100) * spreadPercent) / 100;
}

/**
 * Deficit weight rating: a shipment of 470 lb may be charged as one of 500 lb when that is cheaper, the 30 lb
 * that it lacks at its lowest class. Each break is tried, so that more freight is never cheaper than less.
 */
export function lineHaulCents(lines: readonly RatedLine[], options: LaneTariff): Cents {
  const pounds = sumOf(lines.map((line) => line.pounds));
  const lowest = Math.min(...lines.map((line) => line.class_percent));
  const charges = options.weight_breaks.map(({ from_pounds, percent }) => {
    const cwtCents = (classPercent: number) =>
      Math.round((options.cwt_cents * classPercent * percent) / 10_000);
    const deficit = Math.max(0, Math.max(from_pounds, options.at_least_pounds) - pounds);
    const hundredths =
      sumOf(lines.map((line) => line.pounds * cwtCents(line.class_percent))) +
      deficit * cwtCents(lowest);
    return Math.round(hundredths / 100);
  });
  return Math.min(...charges);
}
