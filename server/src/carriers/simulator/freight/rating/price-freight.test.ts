import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accessorials, freightClasses } from "../../../../domain/goods/freight.ts";
import { isFreightService } from "../../../carrier.ts";
import { createCarriers } from "../../../register.ts";
import {
  freightRate,
  gramsOf,
  pallet,
  places,
  priced,
  standardServices,
  totalCents,
} from "../freight-world.ts";
import { freightCarrierOf, freightCarriers } from "../../carriers/carriers.ts";

const { toronto, vancouver, newYork, seattle, montreal, winnipeg } = places;

test("descriptor and tariff agree on each service, and each is offered from each of its origins", () => {
  const { all } = createCarriers({ simulator_url: "http://127.0.0.1:1" });
  const carriers = all.filter(({ descriptor }) => descriptor.mode === "ltl");
  expect(carriers.map(({ descriptor }) => descriptor.code)).toEqual([...freightCarriers.keys()]);
  const from = { CA: toronto, US: newYork };
  for (const { descriptor } of carriers) {
    const { tariff } = freightCarrierOf(descriptor.code);
    const codes = descriptor.services.map((service) => service.carrier_service_code);
    expect(tariff.services.map(({ code }) => code).sort()).toEqual(codes.sort());
    for (const service of descriptor.services) {
      if (!isFreightService(service)) throw new Error(`${service.code} is of parcels`);
      const { carrier_service_code: code, origins, code: name } = service;
      const own = tariff.services.find((candidate) => candidate.code === code)!;
      expect([...own.accessorials].sort(), name).toEqual([...service.accessorials].sort());
      expect(own.max_total_weight_grams, name).toBe(service.max_total_weight_grams);
      expect(Object.keys(tariff.accessorials), name).toEqual(
        expect.arrayContaining([...service.accessorials]),
      );
      for (const origin of origins as ("CA" | "US")[]) {
        const answers = [vancouver, seattle].map((recipient) =>
          priced(descriptor.code, code, { sender: from[origin], recipient }),
        );
        const sold = answers.filter((answer) => "rate" in answer);
        expect(sold.length, `${name} from ${origin}`).toBeGreaterThan(0);
      }
    }
  }
});

test.each(standardServices)(
  "a pallet with %s (%s) has the price of such a pallet",
  (carrier, code) => {
    const near = totalCents(carrier, code);
    const far = totalCents(carrier, code, { recipient: vancouver });
    const heavy = totalCents(carrier, code, { units: [{ ...pallet, quantity: 10 }] });
    expect(near).toBeGreaterThan(150_00);
    expect(near).toBeLessThan(300_00);
    expect(far).toBeGreaterThan(400_00);
    expect(far).toBeLessThan(700_00);
    expect(heavy).toBeGreaterThan(3 * near);
    expect(heavy).toBeLessThan(10 * near);
  },
);

describe.each(standardServices)("with %s (%s)", (carrier, code) => {
  const price = (...units: (typeof pallet)[]) => totalCents(carrier, code, { units });
  const pounds = fc.integer({ min: 1, max: 8_000 });
  const more = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 3_000 }));
  const aClass = fc.constantFrom(...freightClasses);
  const side = fc.integer({ min: 10, max: 240 });

  test("freight never costs less for weighing more, whatever else is on the truck", () => {
    fc.assert(
      fc.property(pounds, more, pounds, aClass, aClass, (weight, added, other, first, second) => {
        const beside = { ...pallet, weight_grams: gramsOf(other), freight_class: second };
        const of = (lbs: number) =>
          price({ ...pallet, weight_grams: gramsOf(lbs), freight_class: first }, beside);
        expect(of(weight + added)).toBeGreaterThanOrEqual(of(weight));
      }),
    );
  });

  test("freight never costs less for a higher class or size", () => {
    fc.assert(
      fc.property(pounds, aClass, aClass, side, side, (weight, one, another, short, long) => {
        const of = (freight_class: typeof one, sides: number) =>
          price({
            ...pallet,
            weight_grams: gramsOf(weight),
            freight_class,
            length_cm: sides,
            height_cm: sides,
          });
        const [low, high] = [one, another].sort((a, b) => Number(a) - Number(b)) as [never, never];
        expect(of(high, short)).toBeGreaterThanOrEqual(of(low, short));
        const [small, big] = [Math.min(short, long), Math.max(short, long)];
        expect(of(one, big)).toBeGreaterThanOrEqual(of(one, small));
      }),
    );
  });

  test("the line haul is never below the minimum charge, and the smallest is the minimum", () => {
    const { lanes } = freightCarrierOf(carrier).tariff;
    const minimum = lanes.find(({ from, to }) => from === "CA" && to === "CA")!.minimum_cents;
    const tiny = { ...pallet, weight_grams: 1_000, length_cm: 20, width_cm: 20, height_cm: 20 };
    expect(freightRate(carrier, code, { units: [tiny] }).base_cents).toBe(minimum);
    fc.assert(
      fc.property(pounds, aClass, (weight, freight_class) => {
        const units = [{ ...pallet, weight_grams: gramsOf(weight), freight_class }];
        expect(freightRate(carrier, code, { units }).base_cents).toBeGreaterThanOrEqual(minimum);
      }),
    );
  });

  test("accessorials add their own lines, exactly, and change no other", () => {
    const { services } = freightCarrierOf(carrier).tariff;
    const offered = services.find((service) => service.code === code)!.accessorials;
    const plain = freightRate(carrier, code);
    fc.assert(
      fc.property(fc.subarray([...offered]), (asked) => {
        const rate = freightRate(carrier, code, { accessorials: asked });
        const lines = rate.surcharges.slice(plain.surcharges.length);
        expect(lines.map((line) => line.code)).toEqual(asked);
        expect({ ...rate, surcharges: rate.surcharges.slice(0, plain.surcharges.length) }).toEqual({
          ...plain,
          accessorials: asked,
        });
        for (const line of lines) {
          const alone = freightRate(carrier, code, { accessorials: [line.code as never] });
          expect(alone.surcharges).toContainEqual(line);
        }
      }),
    );
    const missing = accessorials.filter((each) => !offered.includes(each));
    for (const each of missing) {
      expect(priced(carrier, code, { accessorials: [each] })).toMatchObject({
        unavailable: { code: "accessorial_not_offered" },
      });
    }
  });

  test("farther costs more and takes longer", () => {
    const way = [montreal, winnipeg, vancouver].map((recipient) =>
      freightRate(carrier, code, { recipient }),
    );
    for (const [index, { base_cents, transit_days }] of way.slice(1).entries()) {
      expect(base_cents).toBeGreaterThan(way[index]!.base_cents);
      expect(transit_days).toBeGreaterThan(way[index]!.transit_days);
    }
  });

  test("a price in another currency is the same price", () => {
    const cad = freightRate(carrier, code);
    const usd = freightRate(carrier, code, { currency: "USD" });
    expect(usd.base_cents).toBe(Math.round(cad.base_cents / 1.37));
    expect(() => priced(carrier, code, { currency: "XAU" })).toThrow("We do not bill");
  });
});

test("fuel is a percentage of the line haul and of the guarantee, and of nothing else", () => {
  const line = (code: string, which: string, change = {}) =>
    freightRate("tforce_freight", code, change).surcharges.find((each) => each.code === which)!;
  const { base_cents } = freightRate("tforce_freight", "309");
  const guarantee = line("309", "guaranteed").amount_cents;
  expect(guarantee).toBe(Math.round(base_cents * 0.25));
  expect(line("309", "fuel_surcharge").amount_cents).toBe(
    Math.round((base_cents + guarantee) * 0.312),
  );
  const asked = { accessorials: ["liftgate_delivery", "hazmat"] };
  expect(line("308", "fuel_surcharge", asked)).toEqual(line("308", "fuel_surcharge"));
});

test("each carrier serves the lanes that it serves, and no others", () => {
  const { yellowknife, iqaluit, halifax, miami } = places;
  const serves = (
    carrier: string,
    code: string,
    sender: typeof toronto,
    recipient: typeof toronto,
  ) => "rate" in priced(carrier, code, { sender, recipient });
  const all = standardServices.map(([carrier, code]) => [carrier, code] as const);
  const to = (recipient: typeof toronto) =>
    all.map(([carrier, code]) => serves(carrier, code, toronto, recipient));
  expect(to(halifax)).toEqual([true, true, true]);
  expect(to(yellowknife)).toEqual([false, true, true]);
  expect(to(iqaluit)).toEqual([false, true, false]);
  expect(to(miami)).toEqual([true, false, false]);
  expect(serves("day_ross", "TB", toronto, miami)).toBe(true);
  expect(serves("manitoulin", "LTL", toronto, newYork)).toBe(true);
  for (const code of ["GL", "TB", "CS"]) {
    expect(serves("day_ross", code, newYork, seattle)).toBe(false);
  }
  expect(serves("manitoulin", "LTL", newYork, seattle)).toBe(false);
  expect(serves("tforce_freight", "308", newYork, seattle)).toBe(true);
  expect(serves("manitoulin", "ROCKE", toronto, halifax)).toBe(false);
  expect(priced("day_ross", "pigeon")).toMatchObject({ unavailable: { code: "service_unknown" } });
});

test("a border, a partner's area and a long unit are surcharged, each by its line", () => {
  const lines = (change: Parameters<typeof priced>[2], code = "LTL") =>
    freightRate("manitoulin", code, change).surcharges.map((line) => line.code);
  const beam = { ...pallet, quantity: 2, length_cm: 400 };
  expect(lines({})).toEqual(["fuel_surcharge"]);
  expect(lines({ recipient: newYork })).toEqual(["fuel_surcharge", "cross_border"]);
  expect(lines({ recipient: places.halifax })).toEqual(["fuel_surcharge", "beyond_service_area"]);
  const long = freightRate("manitoulin", "LTL", { units: [beam] }).surcharges;
  expect(long).toContainEqual({ code: "over_length", name: "Over length", amount_cents: 24_000 });
  expect(lines({}, "ROCKE")).toEqual(["rock_solid", "fuel_surcharge"]);
});

test("freight arrives on a business day of its destination: Christmas and weekends do not count", () => {
  const arrival = (pickup_date: string) => {
    const rate = freightRate("day_ross", "GL", { pickup_date });
    return [rate.transit_days, rate.delivery_date];
  };
  expect(arrival("2026-10-05")).toEqual([1, "2026-10-06"]);
  expect(arrival("2026-10-09")).toEqual([1, "2026-10-13"]);
  expect(arrival("2026-12-24")).toEqual([1, "2026-12-28"]);
});
