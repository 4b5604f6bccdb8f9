import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nextBusinessDay } from "../../src/domain/time/business-days.ts";
import { mintForAccount } from "../../src/resources/tokens/service.ts";
import { outcomeOf, type DataOf, type Failure, type Reply, type Shipment } from "../client.ts";
import { besides, fakeFreight } from "../fake-freight.ts";
import { aFreight, dock, shop, unit, type FreightEntry } from "../freight-shipments.ts";
import { aShipment, halifax } from "../shipments.ts";
import { aPlatform, anAccount, must, withToken, type TestAccount, type World } from "../world.ts";

/** The rules of an LTL shipment, how it changes, and who may see it. */

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform({}, { carriers: besides(fakeFreight()) });
  account = await anAccount(world, { balance_cents: 500_000 });
});
afterAll(() => world.close());

async function problemsOf(entry: object): Promise<Record<string, string[]>> {
  const reply = await account.post<Failure>("/shipments", entry);
  expect(outcomeOf(reply)).toBe("422 validation_failed");
  return reply.body.error.details as Record<string, string[]>;
}
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const nextSunday = dayIn(7 - new Date().getUTCDay() + 7);
const soon = nextBusinessDay(dayIn(5), { country_code: "CA", province_code: "ON" });
const put = (id: string, body: object) => account.put<DataOf<Shipment>>(`/shipments/${id}`, body);

describe("bad freight is refused with every failing field", () => {
  const bad: [string, object, string[]][] = [
    ["nothing to ship", { handling_units: undefined }, ["handling_units"]],
    [
      "units and packages",
      { packages: [{ weight: 1, weight_unit: "kg" }] },
      ["packages", "packages.0.length"],
    ],
    [
      "a package without a size",
      { handling_units: undefined, packages: [{ weight: 1, weight_unit: "kg" }] },
      ["packages.0.length"],
    ],
    [
      "more than 26 units",
      {
        handling_units: [
          { ...unit, quantity: 20 },
          { ...unit, quantity: 7, weight: 1 },
        ],
      },
      ["handling_units"],
    ],
    ["more than 20,000 lb", { handling_units: [{ ...unit, weight: 10_001 }] }, ["handling_units"]],
    [
      "a unit that is none",
      {
        handling_units: [
          {
            ...unit,
            quantity: 0,
            type: "sofa",
            weight: -1,
            freight_class: 71,
            nmfc_code: "x",
            pieces: 1.5,
            hazmat: "no",
          },
        ],
      },
      ["freight_class", "hazmat", "nmfc_code", "pieces", "quantity", "type", "weight"].map(
        (field) => `handling_units.0.${field}`,
      ),
    ],
    [
      "a class that there is not",
      { handling_units: [{ ...unit, freight_class: "77" }] },
      ["handling_units.0.freight_class"],
    ],
    [
      "no phone",
      { from_address: { ...dock, phone: "" }, to_address: { ...shop, phone: undefined } },
      ["from_address.phone", "to_address.phone"],
    ],
    ["a day that is past", { pickup: { date: "2024-02-29" } }, ["pickup.date"]],
    ["a day too far ahead", { pickup: { date: dayIn(31) } }, ["pickup.date"]],
    ["a Sunday", { pickup: { date: nextSunday } }, ["pickup.date"]],
    ["a day beyond every calendar", { pickup: { date: "9999-12-31" } }, ["pickup.date"]],
    ["a day that is none", { pickup: { date: "2026-02-30" } }, ["pickup.date"]],
    [
      "a time that is none",
      { pickup: { ready_time: "9 am" }, delivery: { close_time: "24:00" } },
      ["delivery.close_time", "pickup.ready_time"],
    ],
    [
      "a window that closes first",
      { pickup: { ready_time: "15:00", close_time: "14:00" }, delivery: { ready_time: "17:00" } },
      ["delivery.ready_time", "pickup.close_time"],
    ],
    [
      "a stop's accessorials at the other",
      {
        pickup: { accessorials: ["liftgate_delivery"] },
        delivery: { accessorials: ["inside_pickup"] },
      },
      ["delivery.accessorials.0", "pickup.accessorials.0"],
    ],
    [
      "an unreachable contact",
      { delivery: { contact: { phone: "call me", email: "at home" } } },
      ["delivery.contact.email", "delivery.contact.phone"],
    ],
    ["stops that are none", { pickup: [], delivery: "here" }, ["delivery", "pickup"]],
    [
      "what only parcels have",
      {
        add_ons: ["protection"],
        is_return: true,
        signature_confirmation: "signature",
        insured_value: 5,
        return_address: shop,
      },
      ["add_ons", "insured_value", "is_return", "return_address", "signature_confirmation"],
    ],
    ["a courier's service", { service: "ups.ground" }, ["service"]],
    [
      "a place overseas",
      { to_address: { ...shop, country_code: "FR", postal_code: "75001", province_code: "" } },
      ["items", "to_address.country_code"],
    ],
  ];
  test.each(bad)("%s", async (_what, changes, fields) => {
    expect(Object.keys(await problemsOf({ ...aFreight(), ...changes })).sort()).toEqual(fields);
  });

  test("an unknown type, and freight's fields on a parcel", async () => {
    expect(await problemsOf({ ...aShipment(), type: "air" })).toEqual({
      type: ["type must be one of courier, ltl."],
    });
    const parcel = { ...aShipment(), handling_units: [unit], pickup: {}, delivery: {} };
    expect(Object.keys(await problemsOf(parcel))).toEqual(["handling_units", "pickup", "delivery"]);
  });
});

describe("a copy of an answer", () => {
  const copied = [
    ["a dock", {}],
    ["a home", { delivery: { location_type: "residential" }, to_address: halifax }],
    ["a farm", { pickup: { location_type: "farm" } }],
  ] as const;
  test.each(copied)("is no change, and makes the same shipment again: %s", async (_at, changes) => {
    const shown = await account.create(aFreight(changes));
    const { updated_at, ...changed } = must(await put(shown.id, shown), 200).data;
    expect({ ...changed, updated_at: shown.updated_at }).toEqual(shown);
    expect(updated_at >= shown.updated_at).toBe(true);
    const again = must(await account.post<DataOf<Shipment>>("/shipments", shown), 201).data;
    const { id, ship_code, created_at } = again;
    expect(again).toEqual({ ...shown, id, ship_code, created_at, updated_at: again.updated_at });
    const priced = must(await account.post<DataOf<unknown[]>>("/rates", shown), 200).data;
    expect(priced.length).toBeGreaterThan(0);
  });

  test("its return address is the sender's, however it is written; any other is refused", async () => {
    const { id } = await account.create(aFreight());
    const same = { ...dock, city: ` ${dock.city}`, postal_code: "k1a0a9", is_residential: true };
    must(await put(id, { return_address: same, packages: [] }), 200);
    for (const return_address of [shop, { ...dock, name: 5 }, "here", {}])
      expect(Object.keys(await problemsOf(aFreight({ return_address })))).toEqual([
        "return_address",
      ]);
    const moved = await put(id, { from_address: shop, return_address: dock });
    expect(outcomeOf(moved)).toBe("422 validation_failed");
  });

  test("no packages are no freight", async () => {
    const nothing = { ...aFreight({ packages: [] }), handling_units: null };
    expect(Object.keys(await problemsOf(nothing))).toEqual(["handling_units"]);
  });
});

describe("a field that is left out is decided", () => {
  test("a class given as a number or a text is the class, else the density decides", async () => {
    const classes = [70, "92.5", undefined].map((freight_class) => ({ ...unit, freight_class }));
    const { handling_units } = await account.create(aFreight({ handling_units: classes }));
    expect(handling_units.map((each) => [each.freight_class, each.freight_class_source])).toEqual([
      ["70", "given"],
      ["92.5", "given"],
      ["92.5", "density"],
    ]);
  });

  const implied: [string, Partial<FreightEntry>, string[], string[]][] = [
    ["a dock needs nothing", {}, [], []],
    [
      "a home without a lift needs both",
      { to_address: { ...shop, is_residential: true } },
      [],
      ["residential_delivery", "liftgate_delivery"],
    ],
    [
      "light freight needs no liftgate",
      { handling_units: [{ ...unit, weight: 140 }], to_address: { ...shop, is_residential: true } },
      [],
      ["residential_delivery"],
    ],
    [
      "a person without a company is at home",
      { to_address: { ...shop, company: undefined } },
      [],
      ["residential_delivery", "liftgate_delivery"],
    ],
    [
      "a school is hard to get into",
      { pickup: { location_type: "school" } },
      ["limited_access_pickup"],
      [],
    ],
    [
      "a shop without a dock needs the liftgate",
      { pickup: { location_type: "business_without_dock" } },
      ["liftgate_pickup"],
      [],
    ],
    [
      "dangerous goods add hazmat at the pickup",
      { handling_units: [{ ...unit, hazmat: true }] },
      ["hazmat"],
      [],
    ],
    [
      "freight held at the terminal needs no liftgate",
      { delivery: { location_type: "residential", accessorials: ["hold_at_terminal"] } },
      [],
      ["hold_at_terminal"],
    ],
    [
      "an appointment can be requested by either name",
      {
        pickup: { appointment_required: true },
        delivery: { accessorials: ["appointment_delivery"] },
      },
      ["appointment_pickup"],
      ["appointment_delivery"],
    ],
  ];
  test.each(implied)("%s", async (_what, changes, pickup, delivery) => {
    const made = await account.create(aFreight(changes));
    expect(made.pickup!.accessorials).toEqual(pickup);
    expect(made.delivery!.accessorials).toEqual(delivery);
    expect(made.delivery!.appointment_required).toBe(delivery.includes("appointment_delivery"));
    const isHome = made.delivery!.location_type === "residential";
    expect(made.to_address.is_residential).toBe(isHome);
  });

  test("the account's own place is a dock, and the truck comes on its next business day", async () => {
    const { company: _company, ...plain } = dock;
    must(
      await world.operator.patch(`/accounts/${account.account_id}`, {
        default_from_address: plain,
      }),
      200,
    );
    const { pickup, from_address } = await account.create(aFreight({ from_address: undefined }));
    expect(pickup).toMatchObject({ location_type: "business_with_dock", accessorials: [] });
    expect(from_address.is_residential).toBe(false);
    const weekday = new Date(`${pickup!.date}T00:00:00Z`).getUTCDay();
    expect([1, 2, 3, 4, 5]).toContain(weekday);
  });
});

describe("changing a draft", () => {
  test("decides dependent fields anew, and makes earlier quotes unbookable", async () => {
    const delivery = { location_type: "residential", accessorials: ["notify_before_delivery"] };
    const { id } = await account.create(aFreight({ delivery }));
    const [quoted] = (await account.rates(id)).data;
    const light = must(await put(id, { handling_units: [{ ...unit, weight: 100 }] }), 200).data;
    expect(light.delivery!.accessorials).toEqual([
      "notify_before_delivery",
      "residential_delivery",
    ]);
    expect(light.handling_units[0]).toMatchObject({ weight: 100, freight_class: "300" });
    expect(outcomeOf(await account.buy(id, { rate_id: quoted!.id }))).toBe("422 validation_failed");
    const moved = must(await put(id, { to_address: shop }), 200).data;
    expect(moved.delivery).toMatchObject({
      location_type: "business_with_dock",
      accessorials: ["notify_before_delivery"],
    });
    const boxed = must(
      await put(id, {
        packages: [
          { weight: 40, weight_unit: "kg", length: 50, width: 50, height: 50, size_unit: "cm" },
        ],
        pickup: { date: soon, location_type: "farm" },
      }),
      200,
    ).data;
    expect(boxed.handling_units).toMatchObject([{ type: "box", weight: 40 }]);
    expect(boxed.pickup).toMatchObject({
      date: soon,
      accessorials: ["limited_access_pickup"],
    });
  });

  test("refuses what would make it another shipment, field by field", async () => {
    const { id } = await account.create(aFreight());
    const reply = await put(id, {
      type: "courier",
      is_return: true,
      pickup: { ready_time: "18:00" },
    });
    expect(outcomeOf(reply)).toBe("422 validation_failed");
    const { details } = (reply as unknown as Reply<Failure>).body.error;
    expect(Object.keys(details).sort()).toEqual(["is_return", "pickup.ready_time", "type"]);
    const parcel = await account.create(aShipment());
    expect(outcomeOf(await put(parcel.id, { pickup: { date: soon } }))).toBe(
      "422 validation_failed",
    );
  });

  test("after booking only the merchant's own fields change", async () => {
    const { id } = await account.create(aFreight());
    await account.bought(id, { service: "cheapest" });
    expect(outcomeOf(await put(id, { pickup: { date: soon } }))).toBe("409 already_labelled");
    expect(must(await put(id, { reference: "PO-9" }), 200).data).toMatchObject({
      reference: "PO-9",
    });
  });
});

describe("a token that has only scopes of LTL", () => {
  async function theirs(scopes: string[]) {
    const owner = await anAccount(world, { balance_cents: 500_000 });
    const token = await mintForAccount(world.db, {
      account_id: owner.account_id,
      name: "LTL",
      scopes,
    });
    const caller = { account_id: owner.account_id, environment: "test" as const, token };
    const [parcel, freight] = [await owner.create(aShipment()), await owner.create(aFreight())];
    return { owner, token: withToken(world, caller), parcel: parcel.id, freight: freight.id };
  }

  test("sees, quotes, books and cancels freight, and no parcel", async () => {
    const { token, parcel, freight } = await theirs(["ltl:write"]);
    const list = await token.get<{ data: Shipment[] }>("/shipments?type=courier");
    expect(must(list, 200).data).toEqual([]);
    expect(
      must(await token.get<{ data: Shipment[] }>("/shipments"), 200).data.map(({ id }) => id),
    ).toEqual([freight]);
    const paths = (id: string) => [
      () => token.get(`/shipments/${id}`),
      () => token.put(`/shipments/${id}`, { reference: "x" }),
      () => token.get(`/rates/${id}`),
      () => token.post(`/labels/${id}`, { service: "cheapest" }),
      () => token.get(`/labels/${id}`),
    ];
    const all = async (id: string) => {
      const outcomes: string[] = [];
      for (const call of paths(id)) outcomes.push(outcomeOf(await call()));
      return outcomes;
    };
    expect(await all(freight)).toEqual(["200", "200", "200", "201", "200"]);
    expect(await all(parcel)).toEqual(Array(5).fill("403 scope_missing"));
    expect(outcomeOf(await token.delete(`/shipments/${parcel}`))).toBe("403 scope_missing");
    expect(outcomeOf(await token.post(`/ltl/${freight}/cancel`))).toBe("200");
    expect(outcomeOf(await token.post("/rates", aFreight()))).toBe("200");
    expect(outcomeOf(await token.post("/rates", aShipment()))).toBe("403 scope_missing");
    expect(outcomeOf(await token.post("/labels", { ...aShipment(), service: "cheapest" }))).toBe(
      "403 scope_missing",
    );
    expect(outcomeOf(await token.get(`/shipments/${"x".repeat(30)}`))).toBe("404 not_found");
    expect(outcomeOf(await token.get("/shipments/%00"))).toBe("404 not_found");
  });

  test("gets a row error for each parcel of a bulk body, and 403 when there is nothing else", async () => {
    const { token } = await theirs(["ltl:write"]);
    const mixed = await token.post<{ data: { status: string; error?: { code: string } }[] }>(
      "/shipments",
      [aShipment(), aFreight(), 7],
    );
    expect(must(mixed, 201).data.map(({ status, error }) => error?.code ?? status)).toEqual([
      "scope_missing",
      "created",
      "validation_failed",
    ]);
    const none = await token.post<Failure>("/shipments", [aShipment(), aShipment()]);
    expect(none.body.error).toMatchObject({
      code: "scope_missing",
      details: { required_scopes: ["shipments:write"], token_scopes: ["ltl:write"] },
    });
    expect(outcomeOf(await token.post("/shipments", aShipment()))).toBe("403 scope_missing");
    expect(outcomeOf(await token.post("/shipments", aFreight()))).toBe("201");
  });

  test("has no response replayed that a wider token got", async () => {
    const { owner, token, parcel } = await theirs(["ltl:write"]);
    const key = { "idempotency-key": randomUUID() };
    must(await owner.post(`/labels/${parcel}`, { service: "cheapest" }, key), 201);
    expect(outcomeOf(await token.post(`/labels/${parcel}`, { service: "cheapest" }, key))).toBe(
      "403 scope_missing",
    );
    const bulk = { "idempotency-key": randomUUID() };
    const body = [aShipment(), aFreight()];
    must(await owner.post("/shipments", body, bulk), 201);
    expect(outcomeOf(await token.post("/shipments", body, bulk))).toBe("409 idempotency_conflict");
  });

  test("and reads only with ltl:read", async () => {
    const { token, freight } = await theirs(["ltl:read"]);
    expect(outcomeOf(await token.get(`/rates/${freight}`))).toBe("200");
    expect(outcomeOf(await token.post(`/labels/${freight}`, { service: "cheapest" }))).toBe(
      "403 scope_missing",
    );
    expect(outcomeOf(await token.post("/shipments", aFreight()))).toBe("403 scope_missing");
  });
});
