import fc from "fast-check";
import { expect, test } from "vitest";
import { keptOf } from "./cancellation.ts";

const cents = fc.integer({ min: 0, max: 10_000_000 });

test("the kept amount is the fee, at most the price, and no part of it exceeds the price's own", () => {
  fc.assert(
    fc.property(
      cents,
      fc.integer({ min: 0, max: 1_500_000 }),
      cents,
      (subtotal_cents, tax_cents, fee) => {
        const price = { subtotal_cents, tax_cents, total_cents: subtotal_cents + tax_cents };
        const kept = keptOf(price, fee);
        expect(kept.total_cents).toBe(Math.min(fee, price.total_cents));
        expect(kept.subtotal_cents + kept.tax_cents).toBe(kept.total_cents);
        expect(kept.tax_cents).toBeGreaterThanOrEqual(0);
        expect(kept.tax_cents).toBeLessThanOrEqual(tax_cents);
        expect(kept.subtotal_cents).toBeGreaterThanOrEqual(0);
        expect(kept.subtotal_cents).toBeLessThanOrEqual(subtotal_cents);
      },
    ),
  );
});

test("a fee of 56.50 on 113.00 with 13 % in it keeps half of either", () => {
  const price = { subtotal_cents: 10_000, tax_cents: 1_300, total_cents: 11_300 };
  expect(keptOf(price, 5650)).toEqual({ subtotal_cents: 5000, tax_cents: 650, total_cents: 5650 });
});
