import { describe, expect, test } from "vitest";
import type { ApiError } from "../errors/errors.ts";
import { captured, price, settings } from "./pricing-world.ts";
import { tiers, type PricingSettings } from "./pricing-settings.ts";
import { compareRates, type AddOnCode, type TierRate } from "./rate.ts";

const withStandardMargin = (standard: PricingSettings["margins"]["standard"]) =>
  settings({ margins: { ...settings().margins, standard } });
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
      carrier_charge: { amount_cents: 1200, currency: "CAD" },
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

  test("a chosen add-on is in the total and in the carrier's cost; an unchosen one is only on offer", () => {
    const { rate, cost } = price(settings(), ["signature"]);
    expect(rate).toMatchObject({ subtotal: 13.5, tax: 1.76, total: 15.26 });
    expect(rate.add_ons.map(({ code, selected }) => [code, selected])).toEqual([
      ["protection", false],
      ["signature", true],
    ]);
    expect(cost.carrier_cost_cents).toBe(1350);
  });

  test("an add-on that the carrier requires is selected without being chosen", () => {
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

  test("protection is recomputed at each tier's own settings, not scaled", () => {
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
