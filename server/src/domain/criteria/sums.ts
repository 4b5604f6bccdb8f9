import { centsPer, hundredthsPer, milligramsPer, rounded } from "./base-units.ts";
import type { Line, Parcel, Weighed } from "./subjects.ts";

/** Sums over packages and items, in base units; null, as in SQL, when there is nothing to add. */

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

/**
 * The declared value of the packages, else the value of the items; null, too, where the amounts are of two
 * currencies. An amount without a currency is in `currency`.
 */
export function declaredCents(
  packages: readonly Parcel[],
  items: readonly Line[],
  currency: string,
): number | null {
  const declared = packages.flatMap((parcel) =>
    parcel.declared_value == null
      ? []
      : [{ cents: rounded(parcel.declared_value * centsPer), currency: parcel.currency }],
  );
  if (declared.length > 0) return sumInOneCurrency(declared, currency);
  const worth = items.map((item) => ({
    cents: rounded(item.value * centsPer) * item.quantity,
    currency: item.currency,
  }));
  return sumInOneCurrency(worth, currency);
}

function sumInOneCurrency(
  amounts: readonly { cents: number; currency?: string | null }[],
  currency: string,
): number | null {
  if (new Set(amounts.map((each) => each.currency ?? currency)).size > 1) return null;
  return sum(amounts.map(({ cents }) => cents));
}

/** How many pieces there are, where one row may stand for several. */
export function pieces(parts: readonly { quantity?: number }[]): number {
  return sum(parts.map(({ quantity = 1 }) => quantity)) ?? 0;
}

function sum(values: readonly number[]): number | null {
  return values.length > 0 ? values.reduce((total, value) => total + value) : null;
}
