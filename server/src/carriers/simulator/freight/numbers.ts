import { luhnDigit, numberFrom, scatter } from "../numbering.ts";

/**
 * The numbers that a booking has with its carrier. A PRO number ends with a digit that the rest is checked by:
 * TForce's is the remainder of seven (its recorded numbers fit); the other two publish no rule, and have ours.
 */
export interface BookingNumbers {
  confirmation_number: string;
  bol_number: string;
  pro_number: string;
  cancellation_number: string;
}

/** Those of the so-manieth booking of a journal: none is given out twice, and those of two journals differ. */
export function bookingNumbers(
  carrier: string,
  { seed, serial }: { seed: string; serial: number },
): BookingNumbers {
  const form = forms[carrier];
  if (!form) throw new Error(`No booking numbers for ${carrier}.`);
  const digits = (purpose: string, length: number) =>
    scatter(numberFrom(`${seed}:${carrier}:${purpose}`), BigInt(serial), length);
  const pro = form.pro_prefix + digits("pro", form.pro_digits);
  return {
    confirmation_number: form.confirmation + digits("confirmation", 8),
    bol_number: form.bol + digits("bol", 8),
    pro_number: pro + form.check(pro),
    cancellation_number: `${form.cancellation}${digits("cancellation", 8)}`,
  };
}

/** Whether the last digit of a PRO number fits the others. */
export function isProNumber(carrier: string, pro: string): boolean {
  const form = forms[carrier];
  return /^\d+$/.test(pro) && form !== undefined && form.check(pro.slice(0, -1)) === pro.slice(-1);
}

interface Form {
  confirmation: string;
  bol: string;
  pro_prefix: string;
  pro_digits: number;
  check: (body: string) => string;
  cancellation: string;
}

const forms: Readonly<Record<string, Form>> = {
  tforce_freight: {
    confirmation: "WBU",
    bol: "",
    pro_prefix: "9",
    pro_digits: 7,
    check: (body) => String(BigInt(body) % 7n),
    cancellation: "WBX",
  },
  day_ross: {
    confirmation: "DR",
    bol: "5",
    pro_prefix: "41",
    pro_digits: 7,
    check: elevenDigit,
    cancellation: "DRX",
  },
  manitoulin: {
    confirmation: "MTP",
    bol: "2",
    pro_prefix: "55",
    pro_digits: 7,
    check: luhnDigit,
    cancellation: "MTX",
  },
};

/** Weights 2, 3, 4 … from the right, modulo 11; a ten counts as zero. */
function elevenDigit(body: string): string {
  const sum = [...body]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index + 2), 0);
  return String((sum % 11) % 10);
}
