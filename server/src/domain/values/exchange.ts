import type { Cents } from "./money.ts";
import { withoutEnd } from "./without-end.ts";

/**
 * Exchange rates and the amounts that they convert (decision 26). A rate is a decimal with at most twelve
 * significant digits, which a JSON number carries exactly. Nothing here computes with binary fractions:
 * rates and amounts are multiplied as whole numbers.
 */

/** As the API shows it: an amount in `from`, multiplied by `rate`, is the amount in `to`. */
export interface Exchange {
  from: string;
  to: string;
  rate: number;
  /** The day (UTC) from which the rate applies. */
  valid_from: string;
}

export const rateDigitsMax = 12;
export const rateMin = 0.000_000_001;
export const rateMax = 1_000_000_000;

/** An exact decimal: `digits` × 10^-`scale`. */
interface Decimal {
  digits: bigint;
  scale: number;
}

/** The rate that a text or a number states, or null where it is not a positive decimal in the allowed range. */
export function readRate(given: string | number): number | null {
  const text = String(given).trim();
  if (typeof given === "string" && !/^\d{1,12}(\.\d{1,30})?$/.test(text)) return null;
  const rate = Number(text);
  if (!Number.isFinite(rate) || rate < rateMin || rate > rateMax) return null;
  return significantDigits(text) > rateDigitsMax ? null : rate;
}

/** The amount in the other currency, rounded half-up, away from zero for negatives, to a whole cent. */
export function exchanged(cents: Cents, rate: number): Cents {
  const { digits, scale } = decimalOf(rate);
  const product = BigInt(cents) * digits;
  const size = dividedHalfUp(product < 0n ? -product : product, 10n ** BigInt(scale));
  return Number(product < 0n ? -size : size);
}

/** The rate of the opposite direction, rounded half-up to twelve significant digits. */
export function inverseRate(rate: number): number {
  const { digits, scale } = decimalOf(rate);
  return fraction(10n ** BigInt(scale), digits);
}

/** The rate with so many percent added, rounded half-up to twelve significant digits. */
export function rateWithMargin(rate: number, percent: number): number {
  if (percent === 0) return rate;
  const of = decimalOf(rate);
  const share = decimalOf(percent);
  const hundred = 100n * 10n ** BigInt(share.scale);
  return fraction(of.digits * (hundred + share.digits), 10n ** BigInt(of.scale) * hundred);
}

/** `numerator` ÷ `denominator`, both positive, as a number of twelve significant digits. */
function fraction(numerator: bigint, denominator: bigint): number {
  // So many decimals that the quotient has at least thirteen digits; then one rounding to twelve.
  const decimals = Math.max(0, 14 + String(denominator).length - String(numerator).length);
  const quotient = (numerator * 10n ** BigInt(decimals)) / denominator;
  const surplus = String(quotient).length - rateDigitsMax;
  // What the division dropped is below the digit that decides, so it changes no rounding.
  const digits = dividedHalfUp(quotient, 10n ** BigInt(surplus));
  return Number(`${digits}e${surplus - decimals}`);
}

function dividedHalfUp(value: bigint, divisor: bigint): bigint {
  return (2n * value + divisor) / (2n * divisor);
}

function decimalOf(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", part = ""] = mantissa.split(".");
  const scale = part.length - Number(exponent);
  const digits = BigInt(whole + part);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

function significantDigits(text: string): number {
  const [mantissa = ""] = text.split("e");
  const digits = mantissa.replace(".", "").replace(/^0+/, "");
  return mantissa.includes(".") ? withoutEnd(digits, "0").length : digits.length;
}
