import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import type { CapturedRate } from "./captured-rate.ts";
import { priceRate } from "./pricing.ts";
import { captured, price, settings } from "./pricing-world.ts";
import { defaultPricingSettings, PricingSettings } from "./pricing-settings.ts";
import { exclusionReasons, isRetryable, Rate } from "./rate.ts";

const ajv = new Ajv({ allErrors: true, strict: false });
addFormats.default(ajv);

/** Without the names of its parts: Ajv refuses a schema in which a named part occurs twice. */
function compile(schema: object): ValidateFunction {
  const text = JSON.stringify(schema, (key, value: unknown) => (key === "$id" ? undefined : value));
  return ajv.compile(JSON.parse(text) as object);
}

/** A captured rate with as little as allowed: null wherever null is allowed. */
const bare: CapturedRate = {
  ...captured,
  surcharges: [],
  estimated_delivery_days: null,
  estimated_delivery_date: null,
  zone: null,
};
const shown = (showTiers: boolean) =>
  priceRate(bare, {
    settings: { ...defaultPricingSettings, show_tier_rates_api: showTiers },
    add_ons: [],
    now: new Date("2026-10-05T12:00:00Z"),
  }).rate;

function expectValid(validate: ValidateFunction, value: unknown): void {
  validate(value);
  expect(validate.errors).toBeNull();
}

describe("a rate", () => {
  const fields =
    "add_ons base_rate billable_weight carrier currency estimated estimated_delivery_date " +
    "estimated_delivery_days exchange expires_at id package_type pickup_supported postage_type_id service " +
    "service_name subtotal surcharges tax taxes total trackable zone";

  test("it has exactly the fields of decision 7, null where nothing is known", () => {
    expect(Object.keys(shown(false)).sort().join(" ")).toBe(fields);
    expect(shown(false)).toMatchObject({ zone: null, estimated_delivery_days: null });
  });

  test("its tiers have the same fields, and no tiers of their own", () => {
    const { retail, enterprise } = shown(true).tier_pricing!;
    expect(Object.keys(retail).sort().join(" ")).toBe(fields);
    expect(Object.keys(enterprise).sort().join(" ")).toBe(fields);
  });

  test("it matches its schema", () => {
    const validate = compile(Rate);
    expectValid(validate, shown(false));
    expectValid(validate, shown(true));
    expectValid(validate, price(settings(), ["protection", "signature"]).rate);
    expect(validate({ ...shown(false), zone: undefined })).toBe(false);
  });
});

test("the pricing that an account starts with is valid as a setting", () => {
  const validate = compile(PricingSettings);
  expectValid(validate, defaultPricingSettings);
  expect(validate({ ...defaultPricingSettings, tier: "gold" })).toBe(false);
});

test("only reasons that pass by themselves are worth a retry", () => {
  expect(exclusionReasons.filter(isRetryable)).toEqual([
    "carrier_timeout",
    "carrier_error",
    "carrier_rate_limited",
  ]);
});
