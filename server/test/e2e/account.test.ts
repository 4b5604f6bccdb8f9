import { afterAll, beforeAll, expect, test } from "vitest";
import { aShipment, ottawa } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";
import type { DataOf, ListOf, Rates, Shipment } from "../client.ts";
import type { OwnAccount } from "../../src/resources/account/schemas.ts";

/** Settings and preferences that an account changes itself, and what follows from each. */

let world: World;
let shop: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

const put = async (body: object, account = shop) =>
  must(await account.put<DataOf<OwnAccount>>("/account", body), 200).data;
const details = (reply: { body: unknown }) =>
  (reply.body as { error: { details: Record<string, unknown> } }).error.details;
const withoutWishes = () => aShipment();

test("a token of any scope reads what it is, and its account", async () => {
  const reader = await anAccount(world, { scopes: ["rates:read"] });
  const own = must(await reader.get<DataOf<Record<string, unknown>>>("/token"), 200).data;
  expect(own).toMatchObject({
    name: "Test Shop",
    scopes: ["rates:read"],
    environment: "test",
    account_id: reader.account_id,
    expires_at: null,
  });
  const { data } = must(await reader.get<DataOf<OwnAccount>>("/account"), 200);
  expect(data).toMatchObject({
    id: reader.account_id,
    organization: { name: "Test Shop" },
    environment: "test",
    preferences: { label_format: null, add_ons: [], auto_classify: true },
    settings: { disabled_services: [] },
  });
  expect((await reader.put("/account", { time_zone: "America/Halifax" })).status).toBe(403);
});

test("each preference fills in what the next shipment leaves out, and no stored one", async () => {
  shop = await anAccount(world);
  const before = await shop.create(withoutWishes());
  const preferences = {
    label_format: "zpl",
    label_size: "letter",
    contents_type: "gift",
    incoterm: "DDP",
    add_ons: ["signature"],
  };
  await put({ preferences, default_from_address: ottawa });
  const { from_address: _from, ...entry } = withoutWishes();
  const after = must(await shop.post<DataOf<Shipment>>("/shipments", entry), 201).data;
  expect(after).toMatchObject({ ...preferences, from_address: { city: ottawa.city } });
  const said = { ...withoutWishes(), label_format: "png", add_ons: [] };
  expect(must(await shop.post<DataOf<Shipment>>("/shipments", said), 201).data).toMatchObject({
    label_format: "png",
    add_ons: [],
  });
  must(await shop.put(`/shipments/${before.id}`, { reference: "Changed" }), 200);
  expect(await shop.show(before.id)).toMatchObject({ label_format: null, incoterm: null });
});

test("a label is bought in the preferred format", async () => {
  shop = await anAccount(world);
  await put({ preferences: { label_format: "zpl" } });
  const { id } = await shop.create(withoutWishes());
  expect(await shop.bought(id)).toMatchObject({ label_format: "zpl" });
});

test("a disabled service is in no rates and no excluded_services, and cannot be bought", async () => {
  shop = await anAccount(world);
  const { id } = await shop.create(aShipment());
  const [rate] = (await shop.rates(id)).data;
  await put({ disabled_services: [rate!.service] });
  const { data, meta } = must(await shop.post<Rates>("/rates", aShipment()), 200);
  const shown = [...data, ...meta.excluded_services].map(({ service }) => service);
  expect(shown).not.toContain(rate!.service);
  const refused = await shop.buy(id, { service: rate!.service });
  expect([refused.status, details(refused)]).toEqual([
    422,
    expect.objectContaining({ reason: "service_disabled" }),
  ]);
  interface Carrier {
    services: { service: string; enabled: boolean }[];
  }
  const carriers = must(await shop.get<DataOf<Carrier[]>>("/carriers"), 200).data;
  const off = carriers.flatMap(({ services }) => services).filter(({ enabled }) => !enabled);
  expect(off.map(({ service }) => service)).toEqual([rate!.service]);
});

test("the balance shows the threshold, and a fall below it is an event", async () => {
  shop = await anAccount(world, { balance_cents: 3000 });
  await put({ preferences: { low_balance_threshold: 29 } });
  expect(await shop.balance()).toMatchObject({ low_balance_threshold: 29 });
  await shop.bought((await shop.create(aShipment())).id);
  const events = "/events?after=0&wait=10&types=credits.low_balance";
  expect(must(await shop.get<ListOf<unknown>>(events), 200).data).toHaveLength(1);
});

test("the package that the desk begins with is one of the account's presets", async () => {
  shop = await anAccount(world);
  const box = { name: "Box", length: 30, width: 20, height: 10, size_unit: "cm" };
  const { id } = must(await shop.post<DataOf<{ id: string }>>("/package-presets", box), 201).data;
  await put({ preferences: { package_preset_id: id } });
  const { data } = must(await shop.get<DataOf<{ preferences: object }>>("/account"), 200);
  expect(data.preferences).toMatchObject({ package_preset_id: id });
  const other = await anAccount(world);
  const refused = await other.put("/account", { preferences: { package_preset_id: id } });
  expect(refused.status).toBe(422);
  expect(details(refused)).toEqual({
    "preferences.package_preset_id": ["package_preset_id is no package preset of the account."],
  });
  must(await shop.delete(`/package-presets/${id}`), 204);
  const kept = must(await shop.get<DataOf<{ preferences: object }>>("/account"), 200).data;
  await put({ preferences: kept.preferences });
});

test("every failing field is named, and nothing is changed", async () => {
  shop = await anAccount(world);
  const before = must(await shop.get("/account"), 200);
  const reply = await shop.put("/account", {
    name: "  ",
    time_zone: "Mars/Olympus",
    tier: "enterprise",
    disabled_services: ["ups.submarine"],
    default_from_address: { ...ottawa, postal_code: "nonsense" },
    preferences: { label_format: "jpg", unknown: true },
  });
  expect(reply.status).toBe(422);
  expect(Object.keys(details(reply)).sort()).toEqual([
    "default_from_address.postal_code",
    "disabled_services.0",
    "name",
    "preferences.label_format",
    "preferences.unknown",
    "tier",
    "time_zone",
  ]);
  expect(must(await shop.get("/account"), 200)).toEqual(before);
  expect((await shop.put("/account", {})).status).toBe(422);
});

test("a time zone is one that Node and PostgreSQL read alike, so that reports and manifests follow it", async () => {
  shop = await anAccount(world);
  for (const time_zone of ["+0530", "+05:00", "AET", "IST", "US/Pacific-New", "SystemV/AST4"]) {
    const refused = await shop.put("/account", { name: "Renamed", time_zone });
    expect([time_zone, refused.status]).toEqual([time_zone, 422]);
    expect(Object.keys(details(refused))).toEqual(["time_zone"]);
  }
  const { data } = must(await shop.get<DataOf<OwnAccount>>("/account"), 200);
  expect(data).toMatchObject({ organization: { name: "Test Shop" }, time_zone: "America/Toronto" });
  for (const time_zone of ["UTC", "Etc/GMT+5", "America/Argentina/Buenos_Aires"]) {
    await put({ time_zone });
    must(await shop.get("/reports/shipping"), 200);
    const manifest = { carrier: "ups", date: "2026-10-05" };
    expect((await shop.post("/manifests", manifest)).status).toBe(422);
  }
});

test("what is read of an account may be sent back, and changes nothing", async () => {
  shop = await anAccount(world);
  await put({ default_from_address: ottawa, disabled_services: ["ups.standard"] });
  const { data } = must(await shop.get<DataOf<OwnAccount>>("/account"), 200);
  const book = must(await shop.get<ListOf<{ updated_at: string }>>("/addresses"), 200).data;
  expect(await put(data)).toEqual(data);
  const { data: after } = must(await shop.get<ListOf<{ updated_at: string }>>("/addresses"), 200);
  expect(after.map((each) => ({ ...each, updated_at: "" }))).toEqual(
    book.map((each) => ({ ...each, updated_at: "" })),
  );
  expect(await put({ ...data, disabled_services: [] })).toMatchObject({
    settings: { disabled_services: [] },
  });
  const refused = await shop.put("/account", {
    name: "Renamed",
    settings: { ...data.settings, tier: "enterprise", colour: "red" },
  });
  expect(details(refused)).toEqual({
    "settings.tier": ["tier is changed by the operator only."],
    "settings.disabled_services": ["disabled_services is changed beside settings, not in it."],
    "settings.colour": ["colour is not a field of this call."],
  });
  expect(Object.keys(details(await shop.put("/account", { settings: 5 })))).toEqual(["settings"]);
  expect(must(await shop.get<DataOf<OwnAccount>>("/account"), 200).data.organization).toEqual(
    data.organization,
  );
});

test("what preferences name is looked up beside what is wrong with the others", async () => {
  shop = await anAccount(world);
  const auto_recharge = { threshold: 50, amount: 20 };
  const named = { ...auto_recharge, payment_method_id: "pm_none" };
  for (const [preferences, fields] of [
    [{ auto_recharge }, ["auto_recharge.amount", "auto_recharge.payment_method_id"]],
    [
      { auto_recharge: named, package_preset_id: "pst_none", label_format: "jpg" },
      [
        "auto_recharge.amount",
        "auto_recharge.payment_method_id",
        "label_format",
        "package_preset_id",
      ],
    ],
    [
      { auto_recharge: { ...named, threshold: "50" } },
      ["auto_recharge.payment_method_id", "auto_recharge.threshold"],
    ],
    [{ auto_recharge: 5, package_preset_id: 5 }, ["auto_recharge", "package_preset_id"]],
  ] as const) {
    const reply = await shop.put("/account", { preferences });
    expect(reply.status).toBe(422);
    const expected = fields.map((field) => `preferences.${field}`);
    expect(Object.keys(details(reply)).toSorted()).toEqual(expected);
  }
});

test("one account's settings are not another's", async () => {
  shop = await anAccount(world);
  const stranger = await anAccount(world);
  await put({ name: "Renamed", time_zone: "America/Halifax" });
  expect(must(await stranger.get<DataOf<OwnAccount>>("/account"), 200).data).toMatchObject({
    organization: { name: "Test Shop" },
    time_zone: "America/Toronto",
  });
});

test("a product is classified and approved by itself only as the account says", async () => {
  const imported = async (preferences: object) => {
    const account = await anAccount(world);
    await put({ preferences }, account);
    const products = [
      {
        sku: "MUG-1",
        title: "Ceramic coffee mug",
        manufacturer: "Maple & Pine Workshop",
        country_of_origin: "CN",
      },
    ];
    const { id } = must(
      await account.post<DataOf<{ id: string }>>("/imports/products", { format: "json", products }),
      202,
    ).data;
    await expect
      .poll(
        async () =>
          must(await account.get<DataOf<{ status: string }>>(`/imports/${id}`), 200).data.status,
      )
      .toBe("completed");
    return must(await account.get<DataOf<Record<string, unknown>>>("/products/MUG-1"), 200).data;
  };
  const found = await imported({});
  expect(found).toMatchObject({ hs_code_source: "classified", approved_at: null });
  const confidence = found["hs_confidence"] as number;
  expect(await imported({ auto_classify: false })).toMatchObject({ hs_code: null });
  expect(await imported({ auto_approve_confidence: confidence })).toMatchObject({
    status: "Approved",
  });
  const above = Math.min(1, confidence + 0.01);
  expect(await imported({ auto_approve_confidence: above })).toMatchObject({
    status: found["status"],
  });
});
