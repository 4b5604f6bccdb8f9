import { luhnDigit, numberFrom, scatter } from "./numbering.ts";

/**
 * Tracking codes as the carriers print them, check digits included. Every package has a serial number
 * of its own, counted through the journal; each carrier turns it into a code by a permutation that
 * starts where the journal's seed says. So codes neither repeat nor look like a row of numbers, and
 * those of two journals differ.
 */
export function trackingCode(carrier: string, seed: string, serial: number): string {
  const write = bodies[carrier];
  if (!write) throw new Error(`No tracking codes for ${carrier}.`);
  const body = write(numberFrom(`${seed}:${carrier}`), BigInt(serial));
  return (carrier === "ups" ? "1Z" : "") + body + checkDigit(carrier, body);
}

/** The digit that a scanner checks the rest of the code by. UPS leaves its leading 1Z out of the sum. */
export function checkDigit(carrier: string, body: string): string {
  const check = checks[carrier];
  if (!check) throw new Error(`No check digits for ${carrier}.`);
  return check(body);
}

const checks: Readonly<Record<string, (body: string) => string>> = {
  canada_post: checkThreeOne,
  purolator: luhnDigit,
  ups: checkUps,
  fedex: checkFedex,
  usps: checkThreeOne,
};

/** What each carrier writes before the check digit. */
const bodies: Readonly<Record<string, (seed: bigint, serial: bigint) => string>> = {
  canada_post: (seed, serial) => `70${scatter(seed, serial, 13)}`,

  purolator: (seed, serial) => `329${scatter(seed, serial, 8)}`,

  // Six characters of shipper, 03 for ground, seven digits of package.
  ups(seed, serial) {
    const shipper = (seed + serial / packagesPerShipper) % 36n ** 5n;
    const letters = shipper.toString(36).toUpperCase().padStart(5, "0");
    return `R${letters}03${scatter(seed, serial % packagesPerShipper, 7)}`;
  },

  fedex: (seed, serial) => scatter(seed, serial, 11),

  // 92 055 for Priority Mail with tracking, nine digits of mailer, seven of package.
  usps(seed, serial) {
    const mailer = 900_000_000n + ((seed + serial / packagesPerShipper) % 100_000_000n);
    return `92055${mailer}${scatter(seed, serial % packagesPerShipper, 7)}`;
  },
};

/** Seven digits number the packages of one shipper; the next ten million go under the next shipper. */
const packagesPerShipper = 10_000_000n;

/** Weights 3 and 1 in turn from the right; the check digit makes the sum a multiple of ten. */
function checkThreeOne(body: string): string {
  const sum = [...body]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

/** Weights 1, 3 and 7 in turn from the right, modulo 11; a ten counts as zero. */
function checkFedex(body: string): string {
  const sum = [...body]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * [1, 3, 7][index % 3]!, 0);
  return String((sum % 11) % 10);
}

/** UPS counts letters too, A as 2, B as 3 and so on in tens, and doubles every second place. */
function checkUps(body: string): string {
  const value = (character: string) =>
    /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 63) % 10;
  const sum = [...body].reduce(
    (total, character, index) => total + value(character) * (index % 2 === 0 ? 1 : 2),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}
