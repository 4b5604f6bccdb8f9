import { createHash } from "node:crypto";

/**
 * How the carriers number what they issue: no number twice, none that can be guessed from the previous
 * one.
 */

/** The start of a journal's numbers for one purpose. */
export function numberFrom(text: string): bigint {
  return createHash("sha256").update(text).digest().readBigUInt64BE();
}

/** A permutation of the numbers of so many digits: the stride shares no factor with a power of ten. */
export function scatter(seed: bigint, serial: bigint, length: number): string {
  const number = (seed + serial * 7_777_777_777_777n) % 10n ** BigInt(length);
  return number.toString().padStart(length, "0");
}

/** As on bank cards: every second digit from the right doubled, and the digits of a double added up. */
export function luhnDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** Seven digits number the packages of one shipper; the next ten million go under the next shipper. */
export const packagesPerShipper = 10_000_000n;

/** Weights 3 and 1 in turn from the right; the check digit makes the sum a multiple of ten. */
export function threeOneDigit(body: string): string {
  const sum = [...body]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}
