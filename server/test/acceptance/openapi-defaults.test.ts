import { afterAll, beforeAll, expect, test } from "vitest";
import type { Token } from "../../src/resources/tokens/schemas.ts";
import { createBatch } from "../batches.ts";
import type { DataOf, ListOf, Rates, Shipment } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { order, shipped } from "../orders.ts";
import { aLabelled, scheduled } from "../pickups.ts";
import { rule } from "../rules.ts";
import { aShipment, halifax, ottawa } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";
import type { ApiDocument } from "./document-examples.ts";

/** Compares the document's default of an absent field with the server's behaviour. */

let world: World;
let account: TestAccount;
let document: ApiDocument;
let defaults: [place: string, value: unknown][];
beforeAll(async () => {
  world = await aPlatform({ WAYBILL_PER_PAGE_DEFAULT: "3" });
  account = await anAccount(world, { balance_cents: 500_000 });
  const settings = `/accounts/${account.account_id}/settings`;
  must(
    await world.operator.patch(settings, { products_api_create: true, own_carrier_accounts: true }),
    200,
  );
  document = must(await account.get<ApiDocument>("/openapi.json"), 200);
  defaults = [...defaultsIn(document.components.schemas, ""), ...defaultsIn(document.paths, "")];
});
afterAll(() => world.close());

/** `NewShipment.type`, or `/rules/{rule_id}/runs` for the one parameter that has a default. */
function defaultsIn(value: unknown, place: string): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (key === "default") return [[place, inner]];
    if (key === "example" || key === "examples") return [];
    const isOfPlace = /^(properties|anyOf|get|parameters|schema|\d+)$/.test(key);
    return defaultsIn(inner, isOfPlace ? place : [place, key].filter(Boolean).join("."));
  });
}

/** The value that a response shows for each absent field. */
async function shownOfAbsentFields(): Promise<Record<string, unknown>> {
  const shipment = await account.create(aShipment());
  const freight = await account.create(aFreight());
  const pickup = await scheduled(account, await aLabelled(account));
  const kept = await rule(account);
  const sold = await order(account, { from_address: ottawa });
  const address = await validated(halifax);
  return {
    "NewShipment.type": shipment.type,
    "NewShipment.is_return": shipment.is_return,
    "NewPackage.package_type": shipment.packages[0]!.package_type,
    "NewAddress.is_residential": shipment.to_address.is_residential,
    "AddressValidationRequest.is_residential": address.is_residential,
    "AddressToValidate.is_residential": (await validated({ address: halifax })).is_residential,
    "NewHandlingUnit.stackable": freight.handling_units[0]!.stackable,
    "NewHandlingUnit.hazmat": freight.handling_units[0]!.hazmat,
    "NewFreightPickup.ready_time": freight.pickup!.ready_time,
    "NewFreightPickup.close_time": freight.pickup!.close_time,
    "NewFreightDelivery.ready_time": freight.delivery!.ready_time,
    "NewFreightDelivery.close_time": freight.delivery!.close_time,
    "NewPickup.ready_time": pickup.ready_time,
    "NewPickup.close_time": pickup.close_time,
    "ShipmentOverrides.is_return": (await shipped(account, sold.id)).is_return,
    ...(await shownOfPurchase()),
    ...(await shownOfRates()),
    "Rotation.overlap_seconds": await overlapSeconds(),
    "NewPackagePreset.package_type": await presetType(),
    ...(await shownOfDocuments()),
    ...(await shownOfWebhook()),
    PreviewRows: await previewedRows(),
    RuleEnabled: kept.enabled,
    RulePriority: kept.priority,
    RuleStopsProcessing: kept.stop_processing,
  };
}

async function presetType() {
  type Preset = DataOf<{ package_type: string }>;
  return must(await account.post<Preset>("/package-presets", { name: "Box" }), 201).data
    .package_type;
}

/** Combined documents do not show these fields: naming the documented values changes nothing. */
async function shownOfDocuments() {
  const [one, other] = [await aLabelled(account), await aLabelled(account)];
  const combined = async (changes: object) => {
    const body = { shipment_ids: [other, one], ...changes };
    type Combined = DataOf<{ pages: number; missing: object[] }>;
    const { pages, missing } = must(
      await account.post<Combined>("/documents/combine", body),
      201,
    ).data;
    return { pages, missing };
  };
  const order_by = "given";
  const types = ["label"];
  expect(await combined({ order_by, types })).toEqual(await combined({}));
  return { "CombineDocuments.order_by": order_by, "CombineDocuments.types": types };
}

async function validated(body: object) {
  type Validated = DataOf<{ address: { is_residential: boolean } }>;
  return must(await account.post<Validated>("/addresses/validate", body), 200).data.address;
}

async function shownOfPurchase() {
  const body = aShipment({ service: "cheapest" });
  const bought = await account.post<DataOf<{ shipment_id: string }>>("/labels", body);
  const { type, is_return } = await account.show(must(bought, 201).data.shipment_id);
  return { "ShipmentToBuy.type": type, "ShipmentToBuy.is_return": is_return };
}

/** Rates do not show these fields: naming the documented values changes nothing. */
async function shownOfRates() {
  const ratesFor = async (changes: Partial<Shipment> = {}) => {
    const { data } = must(await account.post<Rates>("/rates", { ...aShipment(), ...changes }), 200);
    return data.map(({ service, total }) => [service, total]);
  };
  const absent = await ratesFor();
  expect(absent).not.toEqual([]);
  expect(await ratesFor({ type: "courier", is_return: false })).toEqual(absent);
  return { "RatesRequest.type": "courier", "RatesRequest.is_return": false };
}

async function overlapSeconds(): Promise<number> {
  const entry = { name: "Rotated", scopes: ["rates:read"] };
  const { id } = must(await account.post<DataOf<Token>>("/tokens", entry), 201).data;
  const fresh = must(await account.post<DataOf<Token>>(`/tokens/${id}/rotate`), 201).data;
  const { revoked_at } = must(await account.get<DataOf<Token>>(`/tokens/${id}`), 200).data;
  return (Date.parse(revoked_at!) - Date.parse(fresh.created_at)) / 1000;
}

async function aWebhook() {
  // An address that nobody answers at, and no name that has to be looked up.
  const entry = { url: "https://93.184.215.14/hooks", types: ["*"] };
  type Made = DataOf<{ id: string; max_in_flight: number }>;
  return must(await account.post<Made>("/webhooks", entry), 201).data;
}

async function shownOfWebhook() {
  const { id, max_in_flight } = await aWebhook();
  const path = `/webhooks/${id}`;
  const tested = must(await account.post<DataOf<{ type: string }>>(`${path}/test`), 202).data;
  type Rotated = DataOf<{ old_secrets_expire_at: string }>;
  const before = Date.now();
  const rotated = must(await account.post<Rotated>(`${path}/rotate-secret`), 200).data;
  return {
    "NewWebhook.max_in_flight": max_in_flight,
    "SecretRotation.overlap_hours": Math.round(
      (Date.parse(rotated.old_secrets_expire_at) - before) / 3_600_000,
    ),
    "WebhookTest.type": tested.type,
  };
}

async function previewedRows(): Promise<number> {
  for (let made = 0; made < 4; made += 1) await account.create(aShipment());
  const condition = { field: "to_address.province_code", operator: "eq", value: "NS" };
  const criteria = { match: "all", conditions: [condition] };
  const body = { target: "shipments", criteria };
  type Previewed = DataOf<{ shipments: Shipment[] }>;
  return must(await account.post<Previewed>("/filters/preview", body), 200).data.shipments.length;
}

test("the documented default of an absent field of a body is the server's", async () => {
  const ofBodies = defaults.filter(([place]) => !place.startsWith("/"));
  expect(ofBodies.length).toBeGreaterThan(15);
  expect(await shownOfAbsentFields()).toEqual(Object.fromEntries(ofBodies));
});

/** The ids in the paths of lists. */
async function idsInPaths(): Promise<Record<string, string>> {
  const { id } = await account.create(aShipment());
  const products = { format: "json", products: [{ sku: "CUP", title: "Cup" }] };
  const imported = await account.post<DataOf<{ id: string }>>("/imports/products", products);
  return {
    batch_id: (await createBatch(account, [id])).id,
    import_id: must(imported, 202).data.id,
    rule_id: (await rule(account)).id,
    webhook_id: (await aWebhook()).id,
  };
}

test("a list without per_page has as many rows as the document states", async () => {
  const ofLists = defaults.filter(([place]) => place.startsWith("/"));
  expect(ofLists.length).toBeGreaterThan(15);
  const ids = await idsInPaths();
  for (const [place, stated] of ofLists) {
    const path = place.replace(/\{(\w+)\}/, (_, name: string) => ids[name]!);
    const { meta } = must(await account.get<ListOf<unknown>>(path), 200);
    expect(meta["per_page"], place).toBe(stated);
  }
});

test("fields absent from a change stay unchanged, so its schema states no default", async () => {
  const { id } = await account.create(aShipment({ is_return: true }));
  const changed = await account.put<DataOf<Shipment>>(`/shipments/${id}`, { insured_value: 20 });
  expect(must(changed, 200).data.is_return).toBe(true);
  const places = defaults.map(([place]) => place);
  expect(places.filter((place) => /^\w+Changes\b/.test(place))).toEqual([]);
});
