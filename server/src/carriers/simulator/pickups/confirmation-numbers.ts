import { createHash } from "node:crypto";

/**
 * What each carrier's drivers and help desk know a pickup by, of the form that the carrier gives out:
 * Canada Post ten digits, Purolator eight, UPS a PRN of eleven characters, FedEx the depot and a number,
 * USPS `WTC` and a number. Those of one journal differ, and so, nearly always, do those of two.
 */
export function confirmationNumber(
  carrier: string,
  { seed, serial }: { seed: string; serial: number },
): string {
  const write = forms[carrier];
  if (!write) throw new Error(`No confirmation numbers for ${carrier}.`);
  return write(String(serial), createHash("sha256").update(`${seed}:${carrier}`).digest("hex"));
}

const forms: Readonly<Record<string, (serial: string, seed: string) => string>> = {
  canada_post: (serial, seed) => `00${digitsOf(seed, 2)}${serial.padStart(6, "0")}`,
  purolator: (serial, seed) => `01${digitsOf(seed, 1)}${serial.padStart(5, "0")}`,
  ups: (serial, seed) => `29${seed.slice(0, 3).toUpperCase()}${serial.padStart(6, "0")}`,
  fedex: (serial, seed) => `YYZ${seed.slice(0, 2).toUpperCase()}${serial}`,
  usps: (serial, seed) => `WTC${digitsOf(seed, 3)}${serial.padStart(6, "0")}`,
};

function digitsOf(seed: string, count: number): string {
  return String(parseInt(seed.slice(0, 8), 16) % 10 ** count).padStart(count, "0");
}
