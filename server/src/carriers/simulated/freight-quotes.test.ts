import { expect, test } from "vitest";
import { aQuote, someFreight } from "../contract-samples-world.ts";
import { manitoulin } from "../manitoulin/manitoulin.ts";
import type { WireFreightRate } from "../simulator/freight/wire.ts";
import { freightRates, toFreightQuoteRequest } from "./freight-quotes.ts";
import { fromQuoteResponse } from "./quotes.ts";
import { simulatedFreightCarrier } from "./simulated-freight-carrier.ts";

const services = manitoulin.services.slice(0, 2);
const [ltl, rockSolid] = services as [(typeof services)[0], (typeof services)[0]];
const asked = { services, currency: "CAD" };
const request = aQuote(simulatedFreightCarrier(manitoulin, "http://127.0.0.1:1"));

const rate: WireFreightRate = {
  service_code: ltl.carrier_service_code,
  zone: "ON-BC",
  currency: "CAD",
  base_cents: 38_100,
  surcharges: [{ code: "fuel_surcharge", name: "Fuel surcharge", amount_cents: 11_582 }],
  transit_days: 5,
  delivery_date: "2026-10-09",
  billable_weight: { value: 534, unit: "lbs", basis: "volumetric" },
  quote_number: "Q123456-0123456789",
  accessorials: ["liftgate_delivery"],
};

test("a request has grams, centimetres, and each stop's accessorials, once", () => {
  const freight = someFreight();
  freight.pickup.accessorials = ["hazmat", "liftgate_pickup"];
  freight.delivery.accessorials = ["hazmat"];
  const shipment = { ...request.shipment, freight };
  expect(toFreightQuoteRequest({ ...request, shipment }, services)).toMatchObject({
    pickup_date: freight.pickup.date,
    service_codes: ["LTL", "ROCKE"],
    units: [{ quantity: 1, weight_grams: 226_796, length_cm: 121.92, freight_class: "100" }],
    accessorials: ["hazmat", "liftgate_pickup"],
  });
});

test("a rate is returned under Waybill's code with its quote number, without add-ons", () => {
  const { rates, unavailable } = fromQuoteResponse(
    { rates: [rate], unavailable: [] },
    asked,
    freightRates,
  );
  expect(rates).toMatchObject([
    {
      service: "manitoulin.ltl",
      base_cents: 38_100,
      add_ons: [],
      estimated_delivery_days: 5,
      freight: { quote_number: "Q123456-0123456789", accessorials: ["liftgate_delivery"] },
    },
  ]);
  expect(unavailable).toMatchObject([{ service: rockSolid.code, reason: "no_rate_for_lane" }]);
});

test.each([
  ["no quote number", { quote_number: null }],
  ["an empty one", { quote_number: "" }],
  ["an unknown accessorial", { accessorials: ["red_carpet"] }],
  ["a price below zero", { base_cents: -1 }],
])("a rate with %s excludes its service alone", (_name, flaw) => {
  const other = { ...rate, service_code: rockSolid.carrier_service_code };
  const answer = { rates: [{ ...rate, ...flaw }, other], unavailable: [] };
  const { rates, unavailable } = fromQuoteResponse(answer, asked, freightRates);
  expect(rates.map(({ service }) => service)).toEqual([rockSolid.code]);
  expect(unavailable).toMatchObject([{ service: ltl.code, reason: "carrier_error" }]);
});

test("asking a freight carrier to carry parcels is a programming error, which names the mistake", () => {
  const parcels = { ...request, shipment: { ...request.shipment, freight: undefined } };
  expect(() => toFreightQuoteRequest(parcels, services)).toThrow("asked to carry parcels");
});
