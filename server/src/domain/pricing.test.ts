import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CapturedRate } from "./captured-rate.ts";
import type { ApiError } from "./errors.ts";
import { toCents } from "./money.ts";
import { priceRate } from "./pricing.ts";
import { defaultPricingSettings, tiers, type PricingSettings } from "./pricing-settings.ts";
import { addOnCodes, compareRates, type AddOnCode, type TierRate } from "./rate.ts";

const now = new Date("2026-10-05T12:00:00Z");

const captured: CapturedRate = {
  id: "rat_01k6w0000000000000000000aa",
  expires_at: "2026-10-05T12:30:00.000Z",
  estimated: false,
  carrier: { code: "canada_post", name: "Canada Post", scac: null },
  service: "canada_post.expedited",
  service_name: "Expedited Parcel",
  postage_type_id: 102,
  package_type: "parcel",
  trackable: true,
  pickup_supported: true,
  currency: "CAD",
  base_cents: 1000,
  surcharges: [{ code: "fuel", name: "Fuel", amount_cents: 200 }],
  add_ons: [
    { code: "protection", cost_cents: 90, required: false },
    { code: "signature", cost_cents: 150, required: false },
  ],
  declared_value_cents: 20_000,
  taxed_lane: { from_country_code: "CA", to_country_code: "CA", to_province_code: "ON" },
  estimated_delivery_days: 3,
  estimated_delivery_date: "2026-10-08",
  billable_weight: { value: 1.2, unit: "kg", basis: "actual" },
  zone: "4",
};

/** No margin anywhere, unless the test says so. */
function settings(given: Partial<PricingSettings> = {}): PricingSettings {
  const none = { percent: 0, fixed: 0 };
  return {
    ...defaultPricingSettings,
    margins: { retail: none, standard: none, enterprise: none },
    ...given,
  };
}
const withStandardMargin = (standard: PricingSettings["margins"]["standard"]) =>
  settings({ margins: { ...settings().margins, standard } });
const price = (
  pricing: PricingSettings,
  addOns: readonly AddOnCode[] = [],
  rate: CapturedRate = captured,
) => priceRate(rate, { settings: pricing, add_ons: addOns, now });
const addOnOf = (rate: TierRate, code: AddOnCode) =>
  rate.add_ons.find((addOn) => addOn.code === code);

describe("margin", () => {
  test("it is the percent of base and surcharges, rounded once, plus the fixed part", () => {
    const { rate, cost } = price(withStandardMargin({ percent: 12.5, fixed: 0.35 }));
    // 12.00 + 1.50 + 0.35
    expect(rate).toMatchObject({ base_rate: 11.85, subtotal: 13.85, tax: 1.8, total: 15.65 });
    expect(rate.surcharges).toEqual([{ code: "fuel", name: "Fuel", amount: 2 }]);
    expect(cost).toEqual({
      subtotal_cents: 1385,
      tax_cents: 180,
      total_cents: 1565,
      currency: "CAD",
      carrier_cost_cents: 1200,
    });
  });

  test("the service's margin wins over the carrier's, and the carrier's over the tier's", () => {
    const general = { percent: 10, fixed: 1 };
    const carriers = { canada_post: { percent: 0, fixed: 2 } };
    const services = { "canada_post.expedited": { percent: 0, fixed: 3 } };
    const others = { carriers: { ups: { percent: 90, fixed: 9 } } };
    const subtotal = (standard: PricingSettings["margins"]["standard"]) =>
      price(withStandardMargin(standard)).rate.subtotal;
    expect(subtotal({ ...general, ...others })).toBe(14.2);
    expect(subtotal({ ...general, carriers })).toBe(14);
    expect(subtotal({ ...general, carriers, services })).toBe(15);
  });

  test("an account pays its own tier's price", () => {
    const margins = {
      retail: { percent: 20, fixed: 0 },
      standard: { percent: 10, fixed: 0 },
      enterprise: { percent: 5, fixed: 0 },
    };
    const subtotals = tiers.map((tier) => price(settings({ margins, tier })).rate.subtotal);
    expect(subtotals).toEqual([14.4, 13.2, 12.6]);
  });
});

describe("add-ons", () => {
  test("protection costs 1.5 % of the declared value, and never under 1.00", () => {
    const protection = (declared_value_cents: number) =>
      addOnOf(price(settings(), [], { ...captured, declared_value_cents }).rate, "protection")
        ?.price.subtotal;
    expect(protection(20_000)).toBe(3);
    expect(protection(6_700)).toBe(1.01);
    expect(protection(6_600)).toBe(1);
    expect(protection(0)).toBe(1);
  });

  test("an extra of the carrier costs its price plus the margin's percent, not its fixed part", () => {
    const { rate } = price(withStandardMargin({ percent: 10, fixed: 5 }));
    expect(addOnOf(rate, "signature")?.price).toMatchObject({ subtotal: 1.65, currency: "CAD" });
  });

  test("a chosen add-on is in the total and in the carrier's cost; another one is only on offer", () => {
    const { rate, cost } = price(settings(), ["signature"]);
    expect(rate).toMatchObject({ subtotal: 13.5, tax: 1.76, total: 15.26 });
    expect(rate.add_ons.map(({ code, selected }) => [code, selected])).toEqual([
      ["protection", false],
      ["signature", true],
    ]);
    expect(cost.carrier_cost_cents).toBe(1350);
  });

  test("what the carrier requires is selected without being asked for", () => {
    const signature = { code: "signature", cost_cents: 150, required: true } as const;
    const { rate, cost } = price(settings(), [], { ...captured, add_ons: [signature] });
    expect(rate).toMatchObject({
      subtotal: 13.5,
      add_ons: [{ code: "signature", selected: true, required: true }],
    });
    expect(cost.carrier_cost_cents).toBe(1350);
  });

  test("an add-on that the rate does not offer is refused by name", () => {
    const buying = () => price(settings(), ["saturday_delivery"]);
    expect(buying).toThrow(
      expect.objectContaining({
        code: "unserviceable",
        details: {
          service: "canada_post.expedited",
          add_on: "saturday_delivery",
          offered_add_ons: ["protection", "signature"],
        },
      }) as ApiError,
    );
  });
});

describe("tier pricing", () => {
  test("it is absent, key and all, unless the account shows it", () => {
    expect("tier_pricing" in price(settings()).rate).toBe(false);
    const { rate } = price(settings({ show_tier_rates_api: true }));
    expect(Object.keys(rate.tier_pricing ?? {})).toEqual(["retail", "enterprise"]);
  });

  test("protection is recomputed at each tier's own terms, not scaled", () => {
    const { rate } = price(
      settings({
        show_tier_rates_api: true,
        margins: { ...settings().margins, retail: { percent: 50, fixed: 0 } },
        protection: {
          retail: { percent: 2, minimum: 1 },
          standard: { percent: 1.5, minimum: 1 },
          enterprise: { percent: 0.1, minimum: 0.75 },
        },
      }),
      ["protection"],
    );
    const protectionAt = (tier: TierRate | undefined) =>
      tier && addOnOf(tier, "protection")?.price.subtotal;
    expect(protectionAt(rate)).toBe(3);
    expect(protectionAt(rate.tier_pricing?.retail)).toBe(4);
    expect(protectionAt(rate.tier_pricing?.enterprise)).toBe(0.75);
    expect(rate.tier_pricing?.retail.subtotal).toBe(22);
    expect(rate.tier_pricing?.enterprise.subtotal).toBe(12.75);
  });

  test("showing the tiers changes nothing in the rate itself", () => {
    const shown = price(settings({ show_tier_rates_api: true }));
    delete shown.rate.tier_pricing;
    expect(shown).toEqual(price(settings()));
  });
});

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
        // A discount is a surcharge under zero.
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
const allTiers = ({ rate }: ReturnType<typeof priceRate>): TierRate[] => [
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

  test("postage is never sold under its cost", () => {
    fc.assert(
      fc.property(aPricing, ({ rate, pricing }) => {
        for (const shown of allTiers(price(pricing, [], rate))) {
          expect(toCents(shown.base_rate)).toBeGreaterThanOrEqual(rate.base_cents);
        }
      }),
    );
  });

  test("a stored rate prices like the one that was captured, and pricing leaves it as it was", () => {
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

describe("the order of rates", () => {
  const rated = (service: string, baseCents: number, days: number | null) =>
    price(settings(), [], {
      ...captured,
      service,
      base_cents: baseCents,
      estimated_delivery_days: days,
    }).rate;

  test("cheapest total first, then faster with unknown last, then by service", () => {
    const dear = rated("a.dear", 2000, 1);
    const unknown = rated("a.unknown", 1000, null);
    const slow = rated("b.slow", 1000, 5);
    const fastB = rated("b.fast", 1000, 2);
    const fastA = rated("a.fast", 1000, 2);
    const sorted = [dear, unknown, slow, fastB, fastA].sort(compareRates);
    expect(sorted.map(({ service }) => service)).toEqual([
      "a.fast",
      "b.fast",
      "b.slow",
      "a.unknown",
      "a.dear",
    ]);
    expect(compareRates(dear, { ...dear })).toBe(0);
  });
});
