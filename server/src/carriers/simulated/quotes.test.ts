import { expect, test } from "vitest";
import { aShipment, context, toronto, vancouver } from "../contract-samples-world.ts";
import { purolator } from "../purolator/purolator.ts";
import type { WireRate } from "../simulator/wire.ts";
import { fromQuoteResponse, parcelRates, toQuoteRequest } from "./quotes.ts";

const services = purolator.services.slice(0, 2);
const [ground, morning] = services as [(typeof services)[0], (typeof services)[0]];
const asked = { services, currency: "CAD" };

const rate: WireRate = {
  service_code: ground.carrier_service_code,
  zone: "8",
  currency: "CAD",
  base_cents: 1_234,
  surcharges: [{ code: "fuel_surcharge", name: "Fuel", amount_cents: 200 }],
  extras: [{ code: "signature", amount_cents: 300 }],
  transit_days: 4,
  delivery_date: "2026-10-09",
  billable_weight: { value: 2, unit: "kg", basis: "actual" },
};

test("a request is in the carrier's own codes, in grams and centimetres", () => {
  const shipment = aShipment(toronto, vancouver);
  const [parcel] = shipment.packages;
  const packages = [
    { ...parcel!, weight: 2.5, weight_unit: "lbs" as const, size_unit: "in" as const },
  ];
  const request = toQuoteRequest(
    { context, shipment: { ...shipment, packages }, services, estimated: false },
    services,
  );
  expect(request.service_codes).toEqual(["PurolatorGround", "PurolatorGround10:30AM"]);
  expect(request.currency).toBe("CAD");
  expect(request.packages[0]).toMatchObject({
    weight_grams: 1_134,
    length_cm: 76.2,
    declared_value: { amount_cents: 8_000, currency: "CAD" },
  });
});

test("a rate is returned under Waybill's code, and a service without a result has no rate for the lane", () => {
  const { rates, unavailable } = fromQuoteResponse(
    { rates: [rate], unavailable: [] },
    asked,
    parcelRates,
  );
  expect(rates).toEqual([
    {
      service: "purolator.ground",
      currency: "CAD",
      base_cents: 1_234,
      surcharges: rate.surcharges,
      add_ons: [{ code: "signature", cost_cents: 300, required: false }],
      estimated_delivery_days: 4,
      estimated_delivery_date: "2026-10-09",
      billable_weight: rate.billable_weight,
      zone: "8",
    },
  ]);
  expect(unavailable).toMatchObject([{ service: morning.code, reason: "no_rate_for_lane" }]);
});

test.each([
  ["a price below zero", { base_cents: -1 }],
  ["half a cent", { base_cents: 0.5 }],
  ["a price in words", { base_cents: "12.34" }],
  ["no price", { base_cents: null }],
  ["a surcharge without an amount", { surcharges: [{ code: "fuel", name: "Fuel" }] }],
  ["a day that does not exist", { delivery_date: "2026-02-30" }],
])("a rate with %s excludes its service alone", (_name, flaw) => {
  const other = { ...rate, service_code: morning.carrier_service_code };
  const answer = { rates: [{ ...rate, ...flaw }, other], unavailable: [] };
  const { rates, unavailable } = fromQuoteResponse(answer, asked, parcelRates);
  expect(rates.map(({ service }) => service)).toEqual([morning.code]);
  expect(unavailable).toMatchObject([{ service: ground.code, reason: "carrier_error" }]);
});

test("a rate in another currency is passed on, in that currency", () => {
  const answer = { rates: [{ ...rate, currency: "USD" }], unavailable: [] };
  const { rates } = fromQuoteResponse(answer, asked, parcelRates);
  expect(rates).toMatchObject([{ service: ground.code, currency: "USD", base_cents: 1234 }]);
});

test("rates that were not requested, doubles and rubbish are dropped", () => {
  const answer = {
    rates: [null, 7, "rate", { ...rate, service_code: "Pigeon" }, rate, { ...rate, base_cents: 1 }],
    unavailable: [
      { service_code: morning.carrier_service_code, code: "weight_exceeded", message: "Heavy." },
    ],
  };
  const { rates, unavailable } = fromQuoteResponse(answer, asked, parcelRates);
  expect(rates.map(({ base_cents }) => base_cents)).toEqual([1_234]);
  expect(unavailable).toEqual([
    { service: morning.code, reason: "weight_limit_exceeded", message: "Heavy." },
  ]);
});
