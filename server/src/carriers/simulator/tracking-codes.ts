import { courierOf } from "./carriers/carriers.ts";
import { numberFrom } from "./numbering.ts";

/**
 * Tracking codes as the carriers print them, check digits included. Every package has a serial number
 * of its own, counted through the journal; each carrier turns it into a code by a permutation that
 * starts at an offset from the journal's seed. So codes neither repeat nor look consecutive, and
 * those of two journals differ.
 */
export function trackingCode(carrier: string, seed: string, serial: number): string {
  const { prefix, body, checkDigit } = courierOf(carrier).tracking_codes;
  const written = body(numberFrom(`${seed}:${carrier}`), BigInt(serial));
  return prefix + written + checkDigit(written);
}
