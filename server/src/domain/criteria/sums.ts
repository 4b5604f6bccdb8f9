import { centsPer, hundredthsPer, milligramsPer, rounded } from "./base-units.ts";
import type { Line, Parcel, Weighed } from "./subjects.ts";

/** What is added up of packages and items, in base units; null, as in SQL, when there is nothing to add. */

export function milligrams(parts: readonly Weighed[]): number | null {
  const total = sum(
    parts.flatMap(({ weight, weight_unit, quantity = 1 }) =>
      weight === null || weight_unit === null
        ? []
        : [weight * milligramsPer[weight_unit] * quantity],
    ),
  );
  return total === null ? null : rounded(total);
}

/** The longest side of any of them, in hundredths of a millimetre. */
export function longestSide(parts: readonly Parcel[]): number | null {
  const sides = parts.flatMap(({ length, width, height, size_unit }) =>
    length === null || width === null || height === null || size_unit === null
      ? []
      : [rounded(Math.max(length, width, height) * hundredthsPer[size_unit])],
  );
  return sides.length > 0 ? Math.max(...sides) : null;
}

/** What the packages are declared at, else what the items are worth. */
export function declaredCents(packages: readonly Parcel[], items: readonly Line[]): number | null {
  const declared = packages.flatMap(({ declared_value: value }) =>
    value == null ? [] : [rounded(value * centsPer)],
  );
  return (
    sum(declared) ?? sum(items.map(({ value, quantity }) => rounded(value * centsPer) * quantity))
  );
}

/** How many there are, where one may stand for several. */
export function pieces(parts: readonly { quantity?: number }[]): number {
  return sum(parts.map(({ quantity = 1 }) => quantity)) ?? 0;
}

function sum(values: readonly number[]): number | null {
  return values.length > 0 ? values.reduce((total, value) => total + value) : null;
}
