import type { Address } from "../domain/addresses/address.ts";
import type { Freight, HandlingUnit } from "../domain/goods/freight.ts";
import { toGrams, totalGrams } from "../domain/goods/units.ts";

/** All that is printed on the documents of one booked LTL shipment (decisions 5 and 9). */
export interface FreightDocuments extends Freight {
  bol_number: string;
  /** Null until the carrier has assigned it; then there is room for the driver's sticker. */
  pro_number: string | null;
  confirmation_number: string;
  ship_code: string;
  carrier: { name: string; scac: string | null };
  service_name: string;
  ship_from: Address;
  ship_to: Address;
  /** The payer of the carrier: the platform, which the account has paid before. */
  bill_to: { name: string; lines: readonly string[] };
  freight_terms: "prepaid" | "collect" | "third_party";
  /** The shipper's own numbers: order, purchase order, reference. */
  references: readonly { number: string; info: string | null }[];
  special_instructions: string | null;
  declared_value: { amount: number; currency: string } | null;
}

/** One line of the bill: so many equal units. Weights are in tenths, so that a column adds up as printed. */
export interface FreightLine {
  unit: HandlingUnit;
  quantity: number;
  pieces: number | null;
  weight: TwoWeights;
}

export interface TwoWeights {
  pound_tenths: number;
  kilogram_tenths: number;
}

export function freightLine(unit: HandlingUnit): FreightLine {
  return {
    unit,
    quantity: unit.quantity,
    pieces: unit.pieces === null ? null : unit.pieces * unit.quantity,
    weight: twoWeights(totalGrams([unit])),
  };
}

/** One unit's weight, as its own label states it. */
export function unitWeight({ weight, weight_unit }: HandlingUnit): TwoWeights {
  return twoWeights(toGrams(weight, weight_unit));
}

// The international pound, exact by definition.
const gramsPerPound = 453.59237;

/** To the nearest tenth of each; a weight above zero is at least one. */
export function twoWeights(grams: number): TwoWeights {
  return {
    pound_tenths: Math.max(1, Math.round((grams * 10) / gramsPerPound)),
    kilogram_tenths: Math.max(1, Math.round(grams / 100)),
  };
}

export interface FreightTotals extends TwoWeights {
  units: number;
  /** Null when no line says how many pieces it has. */
  pieces: number | null;
}

export function freightTotals(freightLines: readonly FreightLine[]): FreightTotals {
  const sum = (pick: (each: FreightLine) => number) =>
    freightLines.reduce((total, each) => total + pick(each), 0);
  return {
    units: sum(({ quantity }) => quantity),
    pieces: freightLines.some(({ pieces }) => pieces !== null)
      ? sum(({ pieces }) => pieces ?? 0)
      : null,
    pound_tenths: sum(({ weight }) => weight.pound_tenths),
    kilogram_tenths: sum(({ weight }) => weight.kilogram_tenths),
  };
}

/** A zero tenth is left out: `1,250 lb`, `567.5 kg`. */
export function inTenths(tenths: number): string {
  return (tenths / 10).toLocaleString("en-US", { maximumFractionDigits: 1 });
}
