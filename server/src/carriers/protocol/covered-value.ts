import { toCents, type Cents } from "../../domain/values/money.ts";
import type { Package } from "../../domain/goods/parcel.ts";

/**
 * What carriers pay for a lost parcel of which no value was declared. Protection of a package without a declared value
 * covers as much: carriers take the extra with an amount only.
 */
const usualCents = 10_000;

/** The value of a package that `protection` covers, in the currency in which it is declared. */
export function coveredCents({ declared_value }: Pick<Package, "declared_value">): Cents {
  return declared_value ? toCents(declared_value) : usualCents;
}
