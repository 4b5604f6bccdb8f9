import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CapturedRate } from "./captured-rate.ts";
import { toCents } from "../values/money.ts";
import type { PricedRate } from "./pricing.ts";
import { tiers, type PricingSettings } from "./pricing-settings.ts";
import { captured, price } from "./pricing-world.ts";
import { addOnCodes, type TierRate } from "./rate.ts";

const someCents = fc.integer({ min: 0, max: 1_000_000 });
const aMargin = fc.record({
  percent: fc.integer({ min: 0, max: 200_000 }).map((thousandths) => thousandths / 1000),
  fixed: fc.integer({ min: 0, max: 5000 }).map((cents) => cents / 100),
});
const aProtection = fc.record({
  percent: fc.integer({ min: 0, max: 5000 }).map((thousandths) => thousandths / 1000),
  minimum: fc.integer({ min: 0, max: 500 }).map((cents) => cents / 100),
});
const someSettings: fc.Arbitrary<PricingSettings> = fc.record({
  tier: fc.constantFrom(...tiers),
  show_tier_rates_api: fc.boolean(),
  margins: fc.record({ retail: aMargin, standard: aMargin, enterprise: aMargin }),
  protection: fc.record({ retail: aProtection, standard: aProtection, enterprise: aProtection }),
});
const aCapturedRate: fc.Arbitrary<CapturedRate> = fc
  .record({
    base_cents: someCents.map((cents) => cents + 5000),
    surcharges: fc.array(
      fc.record({
        code: fc.constant("fuel"),
        name: fc.constant("Fuel"),
        // A discount is a surcharge below zero.
        amount_cents: fc.integer({ min: -1000, max: 1_000_000 }),
      }),
      { maxLength: 4 },
    ),
    add_ons: fc.uniqueArray(
      fc.record({
        code: fc.constantFrom(...addOnCodes),
        cost_cents: someCents,
        required: fc.boolean(),
      }),
      { selector: (addOn) => addOn.code },
    ),
    declared_value_cents: someCents,
    to_province_code: fc.constantFrom("ON", "QC", "AB", "NS", null),
    to_country_code: fc.constantFrom("CA", "US"),
  })
  .map(({ to_province_code, to_country_code, ...costs }) => ({
    ...captured,
    ...costs,
    taxed_lane: { from_country_code: "CA", to_country_code, to_province_code },
  }));
const aPricing = fc
  .record({ rate: aCapturedRate, pricing: someSettings })
  .chain(({ rate, pricing }) =>
    fc
      .subarray(rate.add_ons.map((addOn) => addOn.code))
      .map((addOns) => ({ rate, pricing, addOns })),
  );
const allTiers = ({ rate }: PricedRate): TierRate[] => [
  rate,
  ...(rate.tier_pricing ? [rate.tier_pricing.retail, rate.tier_pricing.enterprise] : []),
];
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

describe("the equations of a price, for every rate, margin, choice and tier", () => {
  test("base rate, surcharges and selected add-ons are the subtotal to the cent", () => {
    fc.assert(
      fc.property(aPricing, ({ rate, pricing, addOns }) => {
        for (const shown of allTiers(price(pricing, addOns, rate))) {
          const parts = [
            toCents(shown.base_rate),
            ...shown.surcharges.map(({ amount }) => toCents(amount)),
            ...shown.add_ons.map((one) => (one.selected ? toCents(one.price.subtotal) : 0)),
          ];
          expect(sum(parts)).toBe(toCents(shown.subtotal));
        }
      }),
    );
  });

  test("subtotal and tax lines are the total to the cent, and the ledger's cost is the same", () => {
    fc.assert(
      fc.property(aPricing, ({ rate, pricing, addOns }) => {
        const priced = price(pricing, addOns, rate);
        for (const shown of allTiers(priced)) {
          const lines = shown.taxes.map(({ amount }) => toCents(amount));
          expect(sum(lines)).toBe(toCents(shown.tax));
          expect(toCents(shown.subtotal) + toCents(shown.tax)).toBe(toCents(shown.total));
        }
        const { subtotal_cents, tax_cents, total_cents } = priced.cost;
        expect(toCents(priced.rate.subtotal)).toBe(subtotal_cents);
        expect(toCents(priced.rate.tax)).toBe(tax_cents);
        expect(subtotal_cents + tax_cents).toBe(total_cents);
      }),
    );
  });

  test("choosing an add-on adds exactly its price to subtotal, tax and total", () => {
    fc.assert(
      fc.property(aPricing, ({ rate, pricing }) => {
        const plain = price(pricing, [], rate).rate;
        for (const addOn of plain.add_ons.filter((one) => !one.selected)) {
          const chosen = price(pricing, [addOn.code], rate).rate;
          for (const amount of ["subtotal", "tax", "total"] as const) {
            const added = toCents(chosen[amount]) - toCents(plain[amount]);
            expect(added).toBe(toCents(addOn.price[amount]));
            const again = chosen.add_ons.find(({ code }) => code === addOn.code);
            expect(again?.price[amount]).toBe(addOn.price[amount]);
          }
        }
      }),
    );
  });

  test("postage is never charged below its cost", () => {
    fc.assert(
      fc.property(aPricing, ({ rate, pricing }) => {
        for (const shown of allTiers(price(pricing, [], rate))) {
          expect(toCents(shown.base_rate)).toBeGreaterThanOrEqual(rate.base_cents);
        }
      }),
    );
  });

  test("a stored rate has the same price as the captured one, and pricing does not change it", () => {
    fc.assert(
      fc.property(aPricing, ({ rate, pricing, addOns }) => {
        const stored = JSON.stringify(rate);
        const first = price(pricing, addOns, rate);
        expect(JSON.stringify(rate)).toBe(stored);
        expect(price(pricing, addOns, JSON.parse(stored) as CapturedRate)).toEqual(first);
        expect(first.rate.id).toBe(rate.id);
      }),
    );
  });
});
