import { freightCarrierOf } from "../carriers/carriers.ts";
import { numberFrom, scatter } from "../numbering.ts";

/**
 * The carrier's numbers of a booking. A PRO number ends with a check digit: TForce's is the remainder of
 * seven (its recorded numbers fit); the other two publish no rule, and have made-up ones.
 */
interface BookingNumbers {
  confirmation_number: string;
  bol_number: string;
  pro_number: string;
  cancellation_number: string;
}

/** Those of a journal's booking number `serial`: none is issued twice, and those of two journals differ. */
export function bookingNumbers(
  carrier: string,
  { seed, serial }: { seed: string; serial: number },
): BookingNumbers {
  const form = freightCarrierOf(carrier).numbers;
  const digits = (purpose: string, length: number) =>
    scatter(numberFrom(`${seed}:${carrier}:${purpose}`), BigInt(serial), length);
  const pro = form.pro_prefix + digits("pro", form.pro_digits);
  return {
    confirmation_number: form.confirmation + digits("confirmation", 8),
    bol_number: form.bol + digits("bol", 8),
    pro_number: pro + form.proCheckDigit(pro),
    cancellation_number: `${form.cancellation}${digits("cancellation", 8)}`,
  };
}
