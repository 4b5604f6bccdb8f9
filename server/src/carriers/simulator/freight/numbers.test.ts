import { expect, test } from "vitest";
import { freightCarrierOf } from "../carriers/carriers.ts";
import { bookingNumbers } from "./numbers.ts";

const carriers = ["tforce_freight", "day_ross", "manitoulin"];

/** Whether the last digit of a PRO number is valid for the others. */
function isProNumber(carrier: string, pro: string): boolean {
  const { proCheckDigit } = freightCarrierOf(carrier).numbers;
  return /^\d+$/.test(pro) && proCheckDigit(pro.slice(0, -1)) === pro.slice(-1);
}

test("a PRO number that TForce issued fits the rule for its check digit", () => {
  expect(isProNumber("tforce_freight", "905939123")).toBe(true);
  expect(isProNumber("tforce_freight", "905939124")).toBe(false);
});

test.each(carriers)("the numbers of %s are of one form, checked, and issued once", (carrier) => {
  const all = Array.from({ length: 2_000 }, (_, index) =>
    bookingNumbers(carrier, { seed: "here", serial: index + 1 }),
  );
  for (const which of ["confirmation_number", "bol_number", "pro_number"] as const) {
    expect(new Set(all.map((numbers) => numbers[which])).size).toBe(all.length);
  }
  const forms = all.map(({ pro_number }) => pro_number.length);
  expect(new Set(forms).size).toBe(1);
  expect(all.every(({ pro_number }) => isProNumber(carrier, pro_number))).toBe(true);
  const elsewhere = bookingNumbers(carrier, { seed: "there", serial: 1 });
  expect(all.map(({ pro_number }) => pro_number)).not.toContain(elsewhere.pro_number);
});

test.each(["day_ross", "manitoulin"])("a misread digit is detected by %s", (carrier) => {
  const { pro_number } = bookingNumbers(carrier, { seed: "here", serial: 7 });
  const misread = [...pro_number].flatMap((digit, index) =>
    [..."0123456789"]
      .filter((other) => other !== digit)
      .map((other) => pro_number.slice(0, index) + other + pro_number.slice(index + 1)),
  );
  const passed = misread.filter((number) => isProNumber(carrier, number));
  // Eleven remainders share ten digits, so that a few misreadings pass.
  expect(passed.length).toBeLessThanOrEqual(carrier === "day_ross" ? misread.length / 10 : 0);
});
