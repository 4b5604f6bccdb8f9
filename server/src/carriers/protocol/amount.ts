import type { Cents } from "../../domain/values/money.ts";
import { withoutEnd } from "../../domain/values/without-end.ts";

/**
 * A decimal amount as carriers write it, in cents: rounded half-up once, away from zero, and never a binary
 * fraction. Null for anything else.
 */
export function centsOf(text: string | null | undefined): Cents | null {
  const [, sign, whole = "", fraction = ""] =
    /^([+-]?)(\d{0,10})(?:\.(\d*))?$/.exec(text?.trim() ?? "") ?? [];
  if (sign === undefined || whole + fraction === "") return null;
  const cents = Number(whole || "0") * 100 + Number(fraction.slice(0, 2).padEnd(2, "0"));
  const rounded = cents + (Number(fraction.charAt(2)) >= 5 ? 1 : 0);
  return sign === "-" && rounded > 0 ? -rounded : rounded;
}

/** Cents as a decimal with two places. */
export function decimalOf(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A whole number of a unit as a decimal of thousands, without trailing zeros: grams as kilograms. */
export function thousandthsOf(units: number): string {
  const digits = String(Math.round(units)).padStart(4, "0");
  return withoutEnd(withoutEnd(`${digits.slice(0, -3)}.${digits.slice(-3)}`, "0"), ".");
}
