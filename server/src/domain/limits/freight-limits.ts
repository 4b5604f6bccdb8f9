import {
  accessorialsOf,
  type Accessorial,
  type Freight,
  type HandlingUnit,
} from "../goods/freight.ts";
import {
  customs,
  destination,
  origin,
  type Exclusion,
  type LaneLimits,
  type LimitedShipment,
} from "./service-limits.ts";
import { fromCentimetres, fromGrams, toCentimetres, toGrams, totalGrams } from "../goods/units.ts";

/** The limits of an LTL service, known without calling its carrier. */
export interface FreightLimits extends LaneLimits {
  /** Handling units of one shipment, each counted by its quantity. */
  max_units: number;
  max_unit_weight_grams: number;
  max_total_weight_grams: number;
  /** The longer of length and width of one unit. */
  max_length_cm: number;
  max_height_cm: number;
  /** All accessorials that it offers, `hazmat` among them where it accepts dangerous goods. */
  accessorials: readonly Accessorial[];
}

type LimitedFreight = Omit<LimitedShipment, "packages"> & { freight: Freight };

/** Why an LTL service cannot carry a shipment, or null; the first reason counts, as for parcels. */
export function freightExclusionFor(
  service: FreightLimits,
  shipment: LimitedFreight,
): Exclusion | null {
  for (const rule of rules) {
    const exclusion = rule(service, shipment);
    if (exclusion) return exclusion;
  }
  return null;
}

type Rule = (service: FreightLimits, shipment: LimitedFreight) => Exclusion | null;

const rules: readonly Rule[] = [
  origin,
  destination,
  poBox,
  unitCount,
  unitWeight,
  totalWeight,
  unitSize,
  dangerousGoods,
  otherAccessorials,
  options,
  customs,
];

function poBox(service: FreightLimits, { to_po_box }: LimitedFreight): Exclusion | null {
  if (!to_po_box) return null;
  const message = `${service.name} does not deliver to a post office box.`;
  return { reason: "po_box_not_supported", message };
}

function unitCount(service: FreightLimits, { freight }: LimitedFreight): Exclusion | null {
  const count = freight.handling_units.reduce((sum, { quantity }) => sum + quantity, 0);
  if (count <= service.max_units) return null;
  const message = `The shipment has ${count} handling units; ${service.name} takes at most ${service.max_units}.`;
  return { reason: "package_count_not_supported", message };
}

function unitWeight(service: FreightLimits, { freight }: LimitedFreight): Exclusion | null {
  return firstOf(freight.handling_units, ({ weight, weight_unit: unit }, which) => {
    if (toGrams(weight, unit) <= service.max_unit_weight_grams) return null;
    const limit = `${fromGrams(service.max_unit_weight_grams, unit)} ${unit}`;
    const message = `${which} weighs ${weight} ${unit}; ${service.name} takes at most ${limit}.`;
    return { reason: "weight_limit_exceeded", message };
  });
}

function totalWeight(service: FreightLimits, { freight }: LimitedFreight): Exclusion | null {
  const grams = totalGrams(freight.handling_units);
  if (grams <= service.max_total_weight_grams) return null;
  const [total, most] = [grams, service.max_total_weight_grams].map((each) =>
    fromGrams(each, "lbs"),
  );
  const message = `The shipment weighs ${total} lbs; ${service.name} takes at most ${most} lbs.`;
  return { reason: "weight_limit_exceeded", message };
}

/** Compared in whole centimetres, as carriers measure. */
function unitSize(service: FreightLimits, { freight }: LimitedFreight): Exclusion | null {
  return firstOf(freight.handling_units, ({ length, width, height, size_unit: unit }, which) => {
    const sides = [
      { is: "long", side: Math.max(length, width), most: service.max_length_cm },
      { is: "high", side: height, most: service.max_height_cm },
    ];
    const wrong = sides.find(({ side, most }) => Math.round(toCentimetres(side, unit)) > most);
    if (!wrong) return null;
    const limit = `${fromCentimetres(wrong.most, unit)} ${unit}`;
    const message = `${which} is ${wrong.side} ${unit} ${wrong.is}; ${service.name} takes at most ${limit}.`;
    return { reason: "size_limit_exceeded", message };
  });
}

function dangerousGoods(service: FreightLimits, { freight }: LimitedFreight): Exclusion | null {
  if (!accessorialsOf(freight).includes("hazmat")) return null;
  if (service.accessorials.includes("hazmat")) return null;
  return {
    reason: "hazmat_not_supported",
    message: `${service.name} takes no dangerous goods.`,
  };
}

function otherAccessorials(service: FreightLimits, { freight }: LimitedFreight): Exclusion | null {
  const missing = accessorialsOf(freight).filter((code) => !service.accessorials.includes(code));
  if (missing.length === 0) return null;
  const message = `${service.name} does not offer ${missing.join(", ")}.`;
  return { reason: "accessorial_not_supported", message };
}

function options(service: FreightLimits, { add_ons }: LimitedFreight): Exclusion | null {
  const missing = add_ons.find((code) => !service.add_ons.includes(code));
  if (missing === undefined) return null;
  const message = `${service.name} does not offer the add-on ${missing}.`;
  return { reason: "option_not_supported", message };
}

function firstOf(
  units: readonly HandlingUnit[],
  check: (unit: HandlingUnit, which: string) => Exclusion | null,
): Exclusion | null {
  for (const [index, unit] of units.entries()) {
    const which = units.length === 1 ? "The handling unit" : `Handling unit ${index + 1}`;
    const exclusion = check(unit, which);
    if (exclusion) return exclusion;
  }
  return null;
}
