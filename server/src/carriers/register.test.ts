import { expect, test } from "vitest";
import { canadaPost } from "./canada-post/canada-post.ts";
import { isFreightService } from "./carrier.ts";
import { carrierRegister, createCarriers } from "./register.ts";
import { simulatedCarrier } from "./simulated/simulated-carrier.ts";

const register = createCarriers({ simulator_url: "http://127.0.0.1:1" });
const parcels = register.all.filter(({ descriptor }) => descriptor.mode === "courier");
const services = parcels.flatMap(({ descriptor }) => descriptor.services);

test("the catalogue has five couriers and three carriers of freight, each findable by its code", () => {
  const codes = register.all.map(({ descriptor }) => descriptor.code);
  expect(codes.slice(0, 5)).toEqual(["canada_post", "purolator", "ups", "fedex", "usps"]);
  expect(codes.slice(5)).toEqual(["tforce_freight", "day_ross", "manitoulin"]);
  for (const code of codes) expect(register.get(code)).toBe(register.find(code));
  expect(register.find("dodo_express")).toBeUndefined();
  expect(() => register.get("dodo_express")).toThrow("dodo_express");
});

test("a service is found by its code, with its carrier", () => {
  const found = register.findService("canada_post.expedited_parcel");
  expect(found?.carrier.descriptor.code).toBe("canada_post");
  expect(found?.service.postage_type_id).toBe(102);
  expect(register.findService("canada_post.pigeon")).toBeUndefined();
});

test("a postage type id lies in its carrier's block of a hundred", () => {
  const blocks = register.all.map(({ descriptor }) => [
    ...new Set(descriptor.services.map((service) => Math.floor(service.postage_type_id / 100))),
  ]);
  expect(blocks).toEqual([[1], [2], [3], [4], [5], [6], [7], [8]]);
});

test("a carrier's own code means one service in each country of origin", () => {
  const keys = register.all.flatMap(({ descriptor }) =>
    descriptor.services.flatMap((service) =>
      service.origins.map((from) => `${descriptor.code} ${service.carrier_service_code} ${from}`),
    ),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

test("a service is of freight where its carrier is, and of parcels elsewhere", () => {
  for (const { descriptor } of register.all) {
    for (const service of descriptor.services) {
      expect(isFreightService(service), service.code).toBe(descriptor.mode === "ltl");
    }
  }
});

test.each([
  ["CA", "CA"],
  ["US", "US"],
  ["CA", "US"],
  ["US", "CA"],
])("from %s to %s there are several services of several carriers", (from, to) => {
  const fitting = services.filter(
    ({ origins, destinations, reach }) =>
      origins.includes(from) &&
      (destinations === "world" ? from !== to : destinations.includes(to)) &&
      (reach === "any" || (reach === "domestic") === (from === to)),
  );
  expect(fitting.length).toBeGreaterThanOrEqual(8);
  expect(new Set(fitting.map(({ code }) => code.split(".")[0])).size).toBeGreaterThanOrEqual(3);
});

test("two carriers with one code, and a service not named for its carrier, are refused", () => {
  const one = simulatedCarrier(canadaPost, "http://127.0.0.1:1");
  expect(() => carrierRegister([one, one])).toThrow("canada_post");
  const renamed = { ...one, descriptor: { ...canadaPost, code: "canada" } };
  expect(() => carrierRegister([renamed])).toThrow("not named for canada");
});
