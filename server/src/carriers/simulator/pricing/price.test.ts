import fc from "fast-check";
import { expect, test } from "vitest";
import { newYork, seattle, toronto, vancouver } from "../../contract-samples-world.ts";
import { isFreightService } from "../../carrier.ts";
import { createCarriers } from "../../register.ts";
import { serviceName } from "../print-label.ts";
import { courierOf } from "../carriers/carriers.ts";
import type { WirePackage } from "../wire.ts";
import { costOf, priceService, type Consignment } from "./price.ts";

const parcel: WirePackage = {
  weight_grams: 2_000,
  length_cm: 30,
  width_cm: 20,
  height_cm: 10,
  package_type: "parcel",
  contents: null,
  declared_value: null,
};

const consignment: Consignment = {
  ship_date: "2026-10-05",
  sender: toronto,
  recipient: vancouver,
  packages: [parcel],
  currency: "CAD",
};
const canadaPost = courierOf("canada_post").tariff;

function rateOf(change: Partial<Consignment> = {}, carrier = "canada_post", code = "DOM.EP") {
  const priced = priceService(courierOf(carrier).tariff, code, { ...consignment, ...change });
  if ("rate" in priced) return priced.rate;
  throw new Error(priced.unavailable.message);
}
const totalOf = (...args: Parameters<typeof rateOf>) => costOf(rateOf(...args), [])!;

const paris = { ...newYork, province_code: null, postal_code: "75001", country_code: "FR" };
const places = { CA: [toronto, vancouver], US: [newYork, seattle] } as const;

const couriers = createCarriers({ simulator_url: "http://127.0.0.1:1" }).all.filter(
  ({ descriptor }) => descriptor.mode === "courier",
);

test("every service of the catalogue is offered from each of its origins to somewhere", () => {
  for (const { descriptor } of couriers) {
    for (const service of descriptor.services) {
      if (isFreightService(service)) continue;
      const { carrier_service_code, origins, code, max_weight_grams } = service;
      const { tariff } = courierOf(descriptor.code);
      for (const from of origins as ("CA" | "US")[]) {
        const [sender] = places[from];
        const recipients = [places.CA[1], places.US[1], paris];
        const priced = recipients.map((recipient) =>
          priceService(tariff, carrier_service_code, {
            ...consignment,
            sender,
            recipient,
            packages: [{ ...parcel, weight_grams: 500 }],
          }),
        );
        expect(
          priced.filter((one) => "rate" in one).length,
          `${code} from ${from}`,
        ).toBeGreaterThan(0);
      }
      const sold = tariff.services.find((service) => service.code === carrier_service_code);
      expect(sold?.max_weight_grams, code).toBe(max_weight_grams);
    }
  }
});

test("a service is named on its label as in the catalogue", () => {
  for (const { descriptor } of couriers) {
    const { tariff } = courierOf(descriptor.code);
    for (const { carrier_service_code, origins, name } of descriptor.services) {
      for (const origin of origins) {
        expect(serviceName(tariff, carrier_service_code, origin)).toBe(name);
      }
    }
  }
});

test("from coast to coast costs more and takes longer than around the corner", () => {
  const near = rateOf({ recipient: toronto });
  const far = rateOf();
  expect([near.zone, far.zone]).toEqual(["1", "8"]);
  expect(costOf(far, [])!).toBeGreaterThan(costOf(near, [])!);
  expect(far.transit_days).toBeGreaterThan(near.transit_days);
});

test("faster costs more on the same lane", () => {
  const totals = ["DOM.RP", "DOM.EP", "DOM.XP", "DOM.PC"].map((code) =>
    totalOf({}, "canada_post", code),
  );
  expect(totals).toEqual([...totals].sort((a, b) => a - b));
});

test("a package never costs less for weighing or measuring more", () => {
  const grams = fc.integer({ min: 1, max: 29_000 });
  const side = fc.integer({ min: 1, max: 90 });
  fc.assert(
    fc.property(
      grams,
      fc.integer({ min: 0, max: 1_000 }),
      side,
      side,
      (weight, more, long, wide) => {
        const small = { ...parcel, weight_grams: weight, length_cm: long, width_cm: wide };
        const heavier = { ...small, weight_grams: weight + more };
        const bigger = { ...small, length_cm: long + more / 100 };
        const price = (one: WirePackage) => totalOf({ packages: [one] });
        expect(price(heavier)).toBeGreaterThanOrEqual(price(small));
        expect(price(bigger)).toBeGreaterThanOrEqual(price(small));
      },
    ),
  );
});

test("a light box is charged for its size, and the rate states it", () => {
  const box = { ...parcel, length_cm: 60, width_cm: 50, height_cm: 40 };
  expect(rateOf({ packages: [box] }).billable_weight).toEqual({
    value: 24,
    unit: "kg",
    basis: "volumetric",
  });
  expect(rateOf().billable_weight).toEqual({ value: 2, unit: "kg", basis: "actual" });
  const inches = rateOf({ sender: newYork, recipient: seattle }, "ups", "03");
  expect(inches.billable_weight).toEqual({ value: 5, unit: "lbs", basis: "actual" });
});

test("homes, remote places and oversize packages are surcharged where the carrier does", () => {
  const surcharges = (
    change: Partial<Consignment>,
    carrier = "purolator",
    code = "PurolatorGround",
  ) => rateOf(change, carrier, code).surcharges.map((line) => line.code);
  const office = { ...vancouver, is_residential: false };
  const whitehorse = { ...office, province_code: "YT", postal_code: "Y1A 1A1" };
  const pole = { ...parcel, length_cm: 130 };
  expect(surcharges({ recipient: office })).toEqual(["fuel_surcharge"]);
  expect(surcharges({})).toEqual(["fuel_surcharge", "residential"]);
  expect(surcharges({ recipient: whitehorse })).toEqual(["fuel_surcharge", "remote_area"]);
  expect(surcharges({ recipient: office, packages: [pole] })).toEqual([
    "fuel_surcharge",
    "oversize",
  ]);
  expect(surcharges({}, "canada_post", "DOM.EP")).toEqual(["fuel_surcharge"]);
});

test("morning services stop short of remote places, and couriers of military post offices", () => {
  const whitehorse = { ...vancouver, province_code: "YT", postal_code: "Y1A 1A1" };
  const fleet = { ...newYork, province_code: "AE", postal_code: "09012" };
  const refusal = (carrier: string, code: string, change: Partial<Consignment>) =>
    priceService(courierOf(carrier).tariff, code, { ...consignment, ...change });
  expect(refusal("purolator", "PurolatorExpress9AM", { recipient: whitehorse })).toMatchObject({
    unavailable: { code: "lane_not_served" },
  });
  expect(refusal("ups", "03", { sender: newYork, recipient: fleet })).toMatchObject({
    unavailable: { code: "lane_not_served" },
  });
  expect(refusal("usps", "PRIORITY_MAIL", { sender: newYork, recipient: fleet })).toHaveProperty(
    "rate",
  );
});

test("protection is charged by the declared value, in whatever currency it was declared", () => {
  const protection = (declared_value: WirePackage["declared_value"]) =>
    rateOf({ packages: [{ ...parcel, declared_value }] }).extras.find(
      ({ code }) => code === "protection",
    )!.amount_cents;
  expect(protection(null)).toBe(canadaPost.protection.minimum_cents);
  expect(protection({ amount_cents: 100_000, currency: "CAD" })).toBe(1_000);
  expect(protection({ amount_cents: 100_000, currency: "USD" })).toBe(1_370);
});

test("a price in another currency is the same price, and a currency that is not billed in is refused", () => {
  const cad = rateOf().base_cents;
  expect(rateOf({ currency: "USD" }).base_cents).toBe(Math.round(cad / 1.37));
  for (const currency of ["XAU", "__proto__", "toString"]) {
    expect(() => rateOf({ currency })).toThrow("We do not bill");
  }
});

test("a parcel due after Friday arrives on Monday", () => {
  const [thursday, saturday] = ["2026-10-08", "2026-10-10"];
  const express = (ship_date: string) =>
    rateOf({ ship_date, recipient: toronto }, "canada_post", "DOM.XP");
  expect(express(thursday)).toMatchObject({ transit_days: 1, delivery_date: "2026-10-09" });
  expect(express("2026-10-09").delivery_date).toBe("2026-10-12");
  expect(express(saturday).delivery_date).toBe("2026-10-12");
});
