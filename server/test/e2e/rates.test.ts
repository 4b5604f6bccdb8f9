import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeOf, type Failure, type Rates, type Reply } from "../client.ts";
import { aShipment, aSteeredShipment, boston, halifax, ottawa, parcel } from "../shipments.ts";
import { aPlatform, anAccount, must, setDials, type TestAccount, type World } from "../world.ts";

/** Rates as an integrator gets them (spec 2.5, 2.6, 4.2, 4.14; decision 7). */

let world: World;
let account: TestAccount;
let allServices: string[];
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world);
  allServices = servicesOf(must(await account.post<Rates>("/rates", aShipment()), 200));
});
afterAll(async () => {
  await world.close();
});

/** Every service of a response, offered or excluded; none may be in both. */
function servicesOf({ data, meta }: Rates): string[] {
  const services = [...data, ...meta.excluded_services].map(({ service }) => service).toSorted();
  expect(new Set(services).size).toBe(services.length);
  return services;
}

function excludedOf(rates: Rates, carrier: string): Rates["meta"]["excluded_services"] {
  return rates.meta.excluded_services.filter((each) => each.carrier === carrier);
}

/** Services requested from the carrier: those that never start or end here are excluded beforehand. */
function asked(excluded: Rates["meta"]["excluded_services"]) {
  return excluded.filter(({ reason }) => !reason.endsWith("_not_supported"));
}

function quoted(entry: object, timeout?: number): Promise<Rates> {
  return account.post<Rates>("/rates", { ...entry, timeout }).then((reply) => must(reply, 200));
}

describe("steering and exclusions", () => {
  test.each([
    ["sim:timeout=ups", "carrier_timeout", true],
    ["sim:error=ups", "carrier_error", true],
    ["sim:no_lane=ups", "no_rate_for_lane", false],
    ["sim:slow=ups:5000", "carrier_timeout", true],
  ])(
    "%s: each UPS service is excluded as %s, the others are offered",
    async (steering, reason, retryable) => {
      const rates = await quoted(aSteeredShipment(steering), 1);
      expect(rates.meta.timeout_seconds).toBe(1);
      expect(servicesOf(rates)).toEqual(allServices);
      const ups = asked(excludedOf(rates, "ups"));
      expect(ups.length).toBeGreaterThan(0);
      for (const each of ups) {
        expect(each).toMatchObject({ reason, retryable });
        expect(each.postage_type_id).toBeGreaterThan(0);
        expect(each.message).toMatch(/\.$/);
        expect(each.service_name).not.toBe("");
      }
      const carriers = new Set(rates.data.map((rate) => rate.carrier.code));
      expect(carriers).not.toContain("ups");
      expect(carriers).toContain("canada_post");
    },
  );

  test("a carrier that is slow but in time is offered", async () => {
    const rates = await quoted(aSteeredShipment("sim:slow=ups:300"), 3);
    expect(rates.data.some((rate) => rate.carrier.code === "ups")).toBe(true);
  });

  test("several instructions act at once, each on its carrier", async () => {
    const steering = "sim:timeout=ups;error=fedex;no_lane=purolator";
    const rates = await quoted(aSteeredShipment(steering), 1);
    expect(servicesOf(rates)).toEqual(allServices);
    const reasonOf = (carrier: string) =>
      new Set(asked(excludedOf(rates, carrier)).map(({ reason }) => reason));
    expect(reasonOf("ups")).toEqual(new Set(["carrier_timeout"]));
    expect(reasonOf("fedex")).toEqual(new Set(["carrier_error"]));
    expect(reasonOf("purolator")).toEqual(new Set(["no_rate_for_lane"]));
  });

  test("with every carrier hung a timeout of 1 s answers in time, with everything excluded", async () => {
    const entry = aSteeredShipment("sim:timeout=*");
    const started = performance.now();
    const rates = await quoted(entry, 1);
    // The promise is 1.25 s; the margin is for a busy machine.
    expect(performance.now() - started).toBeLessThan(1600);
    expect(rates.data).toEqual([]);
    expect(servicesOf(rates)).toEqual(allServices);
    const reasons = new Set(rates.meta.excluded_services.map(({ reason }) => reason));
    expect(reasons).toContain("carrier_timeout");
    expect(reasons).not.toContain("carrier_error");
  });

  test.each([
    [401, "carrier_credentials_invalid"],
    [429, "carrier_rate_limited"],
    [503, "carrier_error"],
  ])("a carrier that answers %i is excluded as %s", async (error_status, reason) => {
    await setDials(world, { purolator: { error_rate: 1, error_status, operations: ["quotes"] } });
    const rates = await quoted(aShipment());
    await setDials(world, {});
    const reasons = new Set(excludedOf(rates, "purolator").map((each) => each.reason));
    expect(reasons).toContain(reason);
  });

  test("a service whose limits are exceeded is excluded with the reason; it is no error", async () => {
    const heavy = await quoted(aShipment({ packages: [{ ...parcel, weight: 60 }] }));
    expect(servicesOf(heavy)).toEqual(allServices);
    expect(new Set(excludedOf(heavy, "canada_post").map(({ reason }) => reason))).toContain(
      "weight_limit_exceeded",
    );
    const anvil = await quoted(
      aShipment({ packages: [{ ...parcel, weight: 5, weight_unit: "kg", length: 400 }] }),
    );
    expect(new Set(anvil.meta.excluded_services.map(({ reason }) => reason))).toContain(
      "size_limit_exceeded",
    );
    const poBox = await quoted(aShipment({ to_address: { ...halifax, address1: "PO Box 12" } }));
    expect(excludedOf(poBox, "ups").map(({ reason }) => reason)).toContain("po_box_not_supported");
    expect(poBox.data.some((rate) => rate.carrier.code === "canada_post")).toBe(true);
  });

  test("a cross-border price can be requested before the customs lines are known", async () => {
    const rates = await quoted(aShipment({ to_address: boston }));
    expect(servicesOf(rates)).toEqual(allServices);
    for (const rate of rates.data) expect(rate.tax).toBe(0);
  });

  test("a service that the account is not offered appears nowhere but in excluded_services", async () => {
    const narrowed = await anAccount(world);
    const service = must(await account.post<Rates>("/rates", aShipment()), 200).data[0]!.service;
    const settings = `/accounts/${narrowed.account_id}/settings`;
    must(await world.operator.patch(settings, { disabled_services: [service] }), 200);
    const rates = must(await narrowed.post<Rates>("/rates", aShipment()), 200);
    expect(rates.data.map((rate) => rate.service)).not.toContain(service);
    const { id } = await narrowed.create(aShipment());
    expect(outcomeOf(await narrowed.buy(id, { service }))).toBe("422 unserviceable");
  });
});

describe("timeouts and bodies", () => {
  test("the timeout is a whole number from 1 to 25, in the query as digits", async () => {
    const { id } = await account.create(aShipment());
    for (const timeout of [0, 26, -1, 1.5, "5", true]) {
      const refused = await account.post<Failure>("/rates", { ...aShipment(), timeout });
      expect(Object.keys(must(refused, 422).error.details)).toEqual(["timeout"]);
    }
    for (const timeout of ["0", "26", "1.5", "abc", "", "1e1"]) {
      expect(outcomeOf(await account.get(`/rates/${id}?timeout=${timeout}`))).toBe(
        "422 validation_failed",
      );
    }
    expect((await account.rates(id, "?timeout=25")).meta.timeout_seconds).toBe(25);
    expect((await quoted(aShipment(), 7)).meta.timeout_seconds).toBe(7);
  });

  test("an estimate needs two postal codes and a weight, is marked as one, and cannot be bought", async () => {
    const estimate = {
      from_postal_code: ottawa.postal_code,
      to_postal_code: "B3J1S3",
      to_country_code: "CA",
      weight: 1.4,
      weight_unit: "kg",
    };
    const rates = must(await account.post<Rates>("/rates/estimate", estimate), 200);
    expect(rates.data.length).toBeGreaterThan(0);
    expect(rates.data.every((rate) => rate.estimated)).toBe(true);
    expect(servicesOf(rates)).toEqual(allServices);
    const { id } = await account.create(aShipment());
    expect(outcomeOf(await account.buy(id, { rate_id: rates.data[0]!.id }))).toBe(
      "422 validation_failed",
    );

    const whole = must(await account.post<Rates>("/rates/estimate", aShipment()), 200);
    expect(whole.data.every((rate) => rate.estimated)).toBe(true);

    const wrong = { ...estimate, to_postal_code: "ZZZ", weight: 0 };
    const refused = must(await account.post<Failure>("/rates/estimate", wrong), 422);
    expect(Object.keys(refused.error.details)).toContain("weight");
  });

  test.each([
    [
      { to_postal_code: "x", weight: -1, weight_unit: "q", length: 1 },
      ["height", "size_unit", "to_postal_code", "weight", "weight_unit", "width"],
    ],
    [
      { from_postal_code: 7, to_postal_code: null, timeout: 0 },
      ["from_postal_code", "timeout", "to_postal_code"],
    ],
    [
      { from_postal_code: "x", to_country_code: "Canada", size_unit: "feet", width: "wide" },
      ["from_postal_code", "height", "length", "size_unit", "to_country_code", "width"],
    ],
  ])("an estimate names each of its wrong fields: %j", async (wrong, paths) => {
    const lane = { from_postal_code: "K1A 0B1", to_postal_code: "B3J1S3", to_country_code: "CA" };
    const body = { ...lane, weight: 1, weight_unit: "kg", ...wrong };
    const refused = must(await account.post<Failure>("/rates/estimate", body), 422);
    expect(Object.keys(refused.error.details).sort()).toEqual(paths);
  });

  test("rates of a shipment that changed cannot be bought any more", async () => {
    const { id } = await account.create(aShipment());
    const { data } = await account.rates(id);
    must(await account.put(`/shipments/${id}`, { packages: [{ ...parcel, weight: 9 }] }), 200);
    expect(outcomeOf(await account.buy(id, { rate_id: data[0]!.id }))).toBe(
      "422 validation_failed",
    );
    const dearer = await account.bought(id, { service: data[0]!.service });
    expect(dearer.cost!.total).toBeGreaterThan(data[0]!.total);
  });
});

describe("an estimate without a postal code", () => {
  const short = { from_postal_code: ottawa.postal_code, weight: 1.4, weight_unit: "kg" };
  const estimate = (body: object) => account.post<Rates>("/rates/estimate", { ...short, ...body });

  test.each(["HK", "IE", "PA", "DE", "FR"])(
    "is priced for %s, where no price is by it",
    async (country) => {
      for (const to_postal_code of [undefined, null, "", " "]) {
        const reply = await estimate({ to_country_code: country, to_postal_code });
        expect(must(reply, 200).data.length).toBeGreaterThan(0);
      }
    },
  );

  test.each(["CA", "US"])("is 422 for %s, where prices are by it", async (country) => {
    for (const to_postal_code of [undefined, null, ""]) {
      const reply = await estimate({ to_country_code: country, to_postal_code });
      const { details } = (reply.body as unknown as Failure).error;
      expect(reply.status).toBe(422);
      expect(details["to_postal_code"]).toEqual([
        expect.stringContaining("postal_code is required"),
      ]);
    }
  });

  test("of the origin begins in the country that is named, and not at home", async () => {
    const from = (from_country_code: string) =>
      account.post<Rates>("/rates/estimate", {
        from_country_code,
        to_country_code: "US",
        to_postal_code: "10001",
        weight: 1,
        weight_unit: "kg",
      });
    for (const [country, field] of [
      ["US", "from_postal_code"],
      ["CA", "from_postal_code"],
      ["ZZ", "from_country_code"],
    ] as const) {
      const refused = must(await from(country), 422) as unknown as Failure;
      expect(Object.keys(refused.error.details), country).toEqual([field]);
    }
    const { data, meta } = must(await from("HK"), 200);
    expect(data).toEqual([]);
    expect(new Set(meta.excluded_services.map(({ reason }) => reason))).toEqual(
      new Set(["origin_not_supported"]),
    );
  });

  test("of freight is refused at `type`, and not priced as a parcel", async () => {
    const reply = await estimate({ to_postal_code: "B3J1S3", to_country_code: "CA", type: "ltl" });
    expect(must(reply as unknown as Reply<Failure>, 422).error.details).toEqual({
      type: ["type is estimated by a whole body, with to_address and handling_units."],
    });
    must(await estimate({ to_postal_code: "B3J1S3", to_country_code: "CA", type: "courier" }), 200);
  });
});
