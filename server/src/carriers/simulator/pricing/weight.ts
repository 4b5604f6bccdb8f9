import type { WirePackage } from "../wire.ts";
import type { LaneTariff } from "./tariff.ts";

/** A kilogram of air counts as a kilogram from 5,000 cm³ on (139 in³ to the pound). */
const cubicCentimetresPerGram = 5;

export interface BillableWeight {
  grams: number;
  basis: "actual" | "volumetric";
}

/** The billed weight of one package: its weight, or its volume where that counts for more. */
export function billableWeight(parcel: WirePackage): BillableWeight {
  const { length_cm, width_cm, height_cm, weight_grams } = parcel;
  if (length_cm === null || width_cm === null || height_cm === null) {
    return { grams: weight_grams, basis: "actual" };
  }
  const volumetric = Math.ceil((length_cm * width_cm * height_cm) / cubicCentimetresPerGram);
  return volumetric > weight_grams
    ? { grams: volumetric, basis: "volumetric" }
    : { grams: weight_grams, basis: "actual" };
}

/** The unit that weights are billed in: whole pounds from the United States, else half kilograms. */
export function billingUnit(from: LaneTariff["from"]) {
  return from === "US"
    ? ({ unit: "lbs", grams: 453.59237, step: 1 } as const)
    : ({ unit: "kg", grams: 1_000, step: 0.5 } as const);
}

/** How many billing steps a weight starts: 1,001 g are three half kilograms. */
export function billingSteps(grams: number, from: LaneTariff["from"]): number {
  const { grams: unitGrams, step } = billingUnit(from);
  return Math.ceil(Number((grams / (unitGrams * step)).toFixed(6)));
}
