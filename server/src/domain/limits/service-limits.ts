import { declaredCents } from "./declared-value.ts";
import type { ExchangeTable } from "../values/exchange-table.ts";
import { fromCents, type Cents } from "../values/money.ts";
import type { Item, Package, PackageType } from "../goods/parcel.ts";
import type { AddOnCode, ExclusionReason } from "../pricing/rate.ts";
import {
  fromCentimetres,
  fromGrams,
  lengthPlusGirthCm,
  longestSideCm,
  toGrams,
} from "../goods/units.ts";

/** The lanes of a service, be it a courier's or a truck's. */
export interface LaneLimits {
  name: string;
  origins: readonly string[];
  /** Country codes, or `world` for every country but the origin's own. */
  destinations: readonly string[] | "world";
  /** `domestic`: origin and destination in one country; `international`: never. */
  reach: "domestic" | "international" | "any";
  add_ons: readonly AddOnCode[];
}

/** The limits of a courier's service, known without calling it. A limit is for each package by itself. */
export interface ServiceLimits extends LaneLimits {
  package_types: readonly PackageType[];
  max_packages: number;
  max_weight_grams: number;
  max_length_cm: number;
  /** Length plus twice width plus twice height. */
  max_length_plus_girth_cm: number;
  requires_dimensions: boolean;
  delivers_to_po_box: boolean;
  max_declared_value_cents: Cents;
}

export interface LimitedShipment {
  from_address: { country_code: string };
  to_address: { country_code: string };
  to_po_box: boolean;
  packages: readonly Package[];
  items: readonly Item[];
  /** The add-ons that the shipment must have, its signature confirmation among them. */
  add_ons: readonly AddOnCode[];
  /** An estimate has no customs lines yet, and none are required. */
  estimated: boolean;
  /** The account's, which the service's limit of value is in. */
  currency: string;
  exchange: ExchangeTable;
}

type Lane = Pick<LimitedShipment, "from_address" | "to_address">;

export interface Exclusion {
  reason: ExclusionReason;
  message: string;
}

/**
 * Why a service cannot carry a shipment, or null when no known limit is exceeded (decision 7). The
 * first reason counts: from what the client can least change to what it can most.
 */
export function exclusionFor(service: ServiceLimits, shipment: LimitedShipment): Exclusion | null {
  for (const rule of rules) {
    const exclusion = rule(service, shipment);
    if (exclusion) return exclusion;
  }
  return null;
}

type Rule = (service: ServiceLimits, shipment: LimitedShipment) => Exclusion | null;

const rules: readonly Rule[] = [
  origin,
  destination,
  poBox,
  packageCount,
  packageType,
  dimensions,
  weight,
  size,
  declaredValue,
  options,
  customs,
];

/** Why the service does not start there; null where it does. */
export function origin(service: LaneLimits, shipment: Lane): Exclusion | null {
  const from = shipment.from_address.country_code;
  if (service.origins.includes(from)) return null;
  const message = `${service.name} collects in ${service.origins.join(", ")} only, not in ${from}.`;
  return { reason: "origin_not_supported", message };
}

/** Why the service does not go there; null where it does. */
export function destination(service: LaneLimits, shipment: Lane): Exclusion | null {
  const from = shipment.from_address.country_code;
  const to = shipment.to_address.country_code;
  const no = (message: string) => ({ reason: "destination_not_supported", message }) as const;
  const { destinations, reach, name } = service;
  const isWorldwide = destinations === "world";
  if (from === to && (reach === "international" || isWorldwide)) {
    return no(`${name} delivers abroad only, not within ${from}.`);
  }
  if (from !== to && reach === "domestic") {
    return no(`${name} delivers within ${from} only, not to ${to}.`);
  }
  if (isWorldwide || destinations.includes(to)) return null;
  return no(`${name} delivers to ${destinations.join(", ")} only, not to ${to}.`);
}

function poBox(service: ServiceLimits, shipment: LimitedShipment): Exclusion | null {
  if (!shipment.to_po_box || service.delivers_to_po_box) return null;
  const message = `${service.name} does not deliver to a post office box.`;
  return { reason: "po_box_not_supported", message };
}

function packageCount(service: ServiceLimits, { packages }: LimitedShipment): Exclusion | null {
  if (packages.length <= service.max_packages) return null;
  const most = service.max_packages === 1 ? "one package" : `${service.max_packages} packages`;
  const message = `The shipment has ${packages.length} packages; ${service.name} takes at most ${most}.`;
  return { reason: "package_count_not_supported", message };
}

function packageType(service: ServiceLimits, { packages }: LimitedShipment): Exclusion | null {
  return firstOf(packages, (parcel, which) => {
    if (service.package_types.includes(parcel.package_type)) return null;
    const taken = service.package_types.join(", ");
    const message = `${which} is of the type ${parcel.package_type}; ${service.name} takes ${taken}.`;
    return { reason: "package_type_not_supported", message };
  });
}

function dimensions(service: ServiceLimits, { packages }: LimitedShipment): Exclusion | null {
  if (!service.requires_dimensions) return null;
  return firstOf(packages, (parcel, which) => {
    if (parcel.size_unit !== null) return null;
    const message = `${which} has no dimensions; ${service.name} needs length, width and height.`;
    return { reason: "missing_dimensions", message };
  });
}

function weight(service: ServiceLimits, { packages }: LimitedShipment): Exclusion | null {
  const most = service.max_weight_grams;
  return firstOf(packages, (parcel, which) => {
    const unit = parcel.weight_unit;
    if (toGrams(parcel.weight, unit) <= most) return null;
    const limit = `${fromGrams(most, unit)} ${unit}`;
    const message = `${which} weighs ${parcel.weight} ${unit}; ${service.name} takes at most ${limit}.`;
    return { reason: "weight_limit_exceeded", message };
  });
}

/** Compared in whole centimetres, as carriers measure: 108 in (274.32 cm) is within 274 cm. */
function size(service: ServiceLimits, { packages }: LimitedShipment): Exclusion | null {
  return firstOf(packages, (parcel, which) => {
    const unit = parcel.size_unit;
    const longest = longestSideCm(parcel);
    const girth = lengthPlusGirthCm(parcel);
    if (unit === null || longest === null || girth === null) return null;
    const tooBig = (says: string, most: number) => {
      const limit = `${fromCentimetres(most, unit)} ${unit}`;
      const message = `${which} ${says}; ${service.name} takes at most ${limit}.`;
      return { reason: "size_limit_exceeded", message } as const;
    };
    if (Math.round(longest) > service.max_length_cm) {
      return tooBig(`is ${fromCentimetres(longest, unit)} ${unit} long`, service.max_length_cm);
    }
    if (Math.round(girth) > service.max_length_plus_girth_cm) {
      const says = `has a length plus girth of ${fromCentimetres(girth, unit)} ${unit}`;
      return tooBig(says, service.max_length_plus_girth_cm);
    }
    return null;
  });
}

/** A value in another currency without an exchange rate is checked against no limit. */
function declaredValue(
  service: ServiceLimits,
  { packages, currency, exchange }: LimitedShipment,
): Exclusion | null {
  const most = service.max_declared_value_cents;
  return firstOf(packages, (parcel, which) => {
    const cents = declaredCents(parcel, { currency, exchange });
    if (cents === null || cents <= most) return null;
    const message =
      `${which} is declared at ${fromCents(cents).toFixed(2)} ${currency}; ` +
      `${service.name} takes at most ${fromCents(most).toFixed(2)} ${currency}.`;
    return { reason: "declared_value_exceeded", message };
  });
}

function options(service: ServiceLimits, shipment: LimitedShipment): Exclusion | null {
  const missing = shipment.add_ons.find((code) => !service.add_ons.includes(code));
  if (missing === undefined) return null;
  const message = `${service.name} does not offer the add-on ${missing}.`;
  return { reason: "option_not_supported", message };
}

/** What a shipment over a border lacks for its declaration; null for a domestic one, and for an estimate. */
export function customs(
  _service: LaneLimits,
  shipment: Omit<LimitedShipment, "packages">,
): Exclusion | null {
  const isDomestic = shipment.from_address.country_code === shipment.to_address.country_code;
  if (isDomestic || shipment.estimated) return null;
  const incomplete = (message: string) => ({ reason: "customs_incomplete", message }) as const;
  if (shipment.items.length === 0) {
    return incomplete("A shipment across a border needs items for its customs declaration.");
  }
  const index = shipment.items.findIndex((item) => !item.country_of_origin || !item.hs_code);
  if (index === -1) return null;
  const field = shipment.items[index]?.hs_code ? "country_of_origin" : "hs_code";
  return incomplete(`Item ${index + 1} has no ${field} for the customs declaration.`);
}

/** The first package's exclusion, where there is one. */
function firstOf(
  packages: readonly Package[],
  check: (parcel: Package, which: string) => Exclusion | null,
): Exclusion | null {
  for (const [index, parcel] of packages.entries()) {
    const exclusion = check(parcel, packages.length === 1 ? "The package" : `Package ${index + 1}`);
    if (exclusion) return exclusion;
  }
  return null;
}
