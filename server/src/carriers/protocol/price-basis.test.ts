import { describe, expect, test } from "vitest";
import type { CarrierRate } from "../carrier.ts";
import { refusePublished } from "./price-basis.ts";

const aRate = (service: string, price_basis?: CarrierRate["price_basis"]): CarrierRate => ({
  service,
  currency: "CAD",
  price_basis,
  base_cents: 1_000,
  surcharges: [],
  add_ons: [],
  estimated_delivery_days: null,
  estimated_delivery_date: null,
  billable_weight: { value: 1, unit: "kg", basis: "actual" },
  zone: null,
});
const ground = aRate("acme.ground", "published");
const express = aRate("acme.express", "negotiated");
const slow = aRate("acme.slow");
const carrier_name = "Acme";

describe("where an account's own prices were asked for", () => {
  test("published prices alone are not sold, and each service says why", () => {
    const quote = { rates: [ground, slow], unavailable: [] };
    const sold = refusePublished(quote, { stated: [ground, slow], carrier_name });
    expect(sold.rates).toEqual([slow]);
    expect(sold.unavailable).toEqual([
      {
        service: "acme.ground",
        reason: "carrier_credentials_invalid",
        message: "Acme answered with published prices, not with the account's own.",
      },
    ]);
  });

  test("a published price beside a negotiated one is the account's, also if only it was wanted", () => {
    for (const rates of [[ground, express], [ground]]) {
      const quote = { rates, unavailable: [] };
      expect(refusePublished(quote, { stated: [ground, express], carrier_name })).toEqual(quote);
    }
  });
});
