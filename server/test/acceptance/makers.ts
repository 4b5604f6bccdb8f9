import { sql } from "kysely";
import { expect } from "vitest";
import { processBatch, untilProcessed } from "../batches.ts";
import type { DataOf, Headers, ListOf, Reply, Shipment } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import type { Operation } from "../operations.ts";
import { wallClock } from "../../src/domain/time/wall-clock.ts";
import { aLabelled, scheduled } from "../pickups.ts";
import { aShipment, ottawa } from "../shipments.ts";
import { anAccount, must, type TestAccount, type World } from "../world.ts";

/** How a test calls any operation of the document so that it succeeds. */

type ProductOrigin = (account: TestAccount, operation: string, world: World) => Promise<string>;

const needLabels = [
  "voidShipment",
  "deleteShipment",
  "getLabel",
  "getShipmentTracking",
  "getShipmentTimeline",
];
/** What an account may do only where the operator lets it. */
const switchedOn = { products_api_create: true, own_carrier_accounts: true };
const needFiles = ["getStatementPdf", "getStatementTransactions"];

/** The resources that paths name, made fresh, in a state that the operation is for. */
const makers: Record<string, ProductOrigin> = {
  shipment_id: async (account, operation) => {
    if (operation === "cancelBooking") {
      const { id } = await account.create(aFreight());
      await account.bought(id);
      return id;
    }
    const { id } = await account.create(aShipment());
    if (needLabels.includes(operation)) await account.bought(id);
    return id;
  },
  tracking_code: async (account) => {
    const { id } = await account.create(aShipment());
    return (await account.bought(id)).tracking_code!;
  },
  batch_id: async (account, operation) => {
    const { id } = await account.create(aShipment());
    const batch_id = await made(account, "/batches", { name: "Old", shipment_ids: [id] });
    if (operation === "listBatchErrors") {
      // Neither the shipment nor the batch names a service.
      must(await processBatch(account, batch_id, {}), 202);
      await untilProcessed(account, batch_id);
    }
    return batch_id;
  },
  transaction_id: async (account) => made(account, "/credits/top-up", { amount: 10 }),
  order_id: async (account) => {
    const { to_address, packages } = aShipment();
    const order = { order_number: "1", to_address, packages };
    return made(account, "/orders", order);
  },
  manifest_id: async (account) => {
    const shipment_ids = [await aLabelled(account, "canada_post")];
    return made(account, "/manifests", { carrier: "canada_post", shipment_ids });
  },
  pickup_id: async (account) => (await scheduled(account, await aLabelled(account))).id,
  event_id: async (account) => {
    const { data } = must(
      await account.get<DataOf<{ id: string }[]>>("/events?after=0&limit=1&wait=10"),
      200,
    );
    return data[0]!.id;
  },
  connection_id: async (account) =>
    made(account, "/carrier-connections", {
      carrier: "fedex",
      name: "Old",
      secrets: { api_key: "sim_an_old_key" },
    }),
  filter_id: async (account) => {
    const conditions = [{ field: "tags", operator: "exists" }];
    const filter = { name: "Old", target: "shipments", criteria: { match: "all", conditions } };
    return made(account, "/filters", filter);
  },
  sku: async (account) => {
    const product = { sku: "OLD/1", title: "Old" };
    must(await account.post<DataOf<unknown>>("/products", product), 201);
    return encodeURIComponent(product.sku);
  },
  rule_id: async (account) => {
    const actions = [{ type: "add_tag", tag: "seen" }];
    const rule = { name: "Old", trigger: "shipment.created", actions };
    const id = await made(account, "/rules", rule);
    await account.create(aShipment());
    return id;
  },
  import_id: async (account) => {
    const products = [{ sku: "MUG-1", title: "Ceramic mug" }, { title: "Without a sku" }];
    const path = "/imports/products";
    const { data } = must(
      await account.post<DataOf<{ id: string }>>(path, { format: "json", products }),
      202,
    );
    await untilStatus(account, `/imports/${data.id}`, "completed_with_errors");
    return data.id;
  },
  statement_id: async (account, operation, { db }) => {
    const path = "/billing/statements";
    const { data } = must(await account.get<ListOf<{ id: string }>>(path), 200);
    const { id } = data[0]!;
    if (needFiles.includes(operation)) {
      // Its month is over, and a worker runs.
      await sql`UPDATE statements SET due_at = now() WHERE id = ${id}`.execute(db);
      await untilStatus(account, `${path}/${id}`, "ready");
    }
    return id;
  },
  request_log_id: async (account) => {
    await account.create(aShipment());
    const path = "/requests?method=POST";
    const newest = async () => must(await account.get<ListOf<{ id: string }>>(path), 200);
    await expect.poll(async () => (await newest()).data.length).toBeGreaterThan(0);
    return (await newest()).data[0]!.id;
  },
  webhook_id: async (account, operation) => {
    // An address that nobody answers at, and no name that has to be looked up.
    const webhook = { url: "https://93.184.215.14/hooks", types: ["*"] };
    const id = await made(account, "/webhooks", webhook);
    if (operation === "listDeliveries")
      must(await account.post(`/webhooks/${id}/test`, undefined), 202);
    return id;
  },
  delivery_id: async (account, operation, world) => {
    const webhook = await makers.webhook_id!(account, operation, world);
    const path = `/webhooks/${webhook}/test`;
    const { data } = must(await account.post<DataOf<{ id: string }>>(path, undefined), 202);
    // While it is under way it cannot be sent again.
    await untilAttempted(account, `/deliveries/${data.id}`);
    return data.id;
  },
  payment_method_id: async () => "pm_card_visa",
  address_id: async (account) =>
    made(account, "/addresses", { label: "Old", address: ottawa, uses: ["to"] }),
  preset_id: async (account) => made(account, "/package-presets", { name: "Old" }),
  token_id: async (account) => {
    const token = { name: "Old", scopes: ["rates:read"] };
    return made(account, "/tokens", token);
  },
};

/** The resource of which a list needs at least one, for its response to show an example. */
const listed: Record<string, keyof typeof makers> = {
  listEvents: "event_id",
  listShipments: "shipment_id",
  listBatches: "batch_id",
  listManifests: "manifest_id",
  listPickups: "pickup_id",
  listTransactions: "tracking_code",
  listTracking: "tracking_code",
  listProducts: "sku",
  listStatements: "statement_id",
  listOrders: "order_id",
  listFilters: "filter_id",
  listCarrierConnections: "connection_id",
  listRules: "rule_id",
  listRuns: "rule_id",
  listRequests: "request_log_id",
  listWebhooks: "webhook_id",
  listAddresses: "address_id",
  listPackagePresets: "preset_id",
};

/** A shop that may do everything. */
export async function aShop(world: World): Promise<TestAccount> {
  const account = await anAccount(world);
  const path = `/accounts/${account.account_id}`;
  must(await world.operator.patch(path, { default_from_address: ottawa }), 200);
  must(await world.operator.patch(`${path}/settings`, switchedOn), 200);
  return account;
}

/** Asks for an operation with one of the bodies that the document shows. */
export async function ask(
  world: World,
  account: TestAccount,
  { operation, body, headers }: { operation: Operation; body: unknown; headers?: Headers },
): Promise<Reply<unknown> & { path: string }> {
  const { name, method } = operation;
  const path = await pathFor(world, account, operation);
  if (method === "GET" || method === "DELETE") {
    const call = account[method.toLowerCase() as "get" | "delete"];
    return { ...(await call(path, headers)), path };
  }
  const send = account[method.toLowerCase() as "post" | "put" | "patch"];
  return { ...(await send(path, await bodyFor(account, { name, path }, body), headers)), path };
}

/** The operation's path, with what it names made for it. */
async function pathFor(world: World, account: TestAccount, operation: Operation): Promise<string> {
  const { name, parameters } = operation;
  if (listed[name]) await makers[listed[name]]!(account, name, world);
  let { path } = operation;
  for (const parameter of parameters)
    path = path.replace(`{${parameter}}`, await makers[parameter]!(account, name, world));
  return path;
}

const shipmentId = /shp_[0-9a-z]{26}/;

/**
 * A body that the document shows, with a shipment of the account's own in the place of the one it names, and today in
 * the place of the day on which it was bought.
 */
async function bodyFor(
  account: TestAccount,
  { name, path }: { name: string; path: string },
  body: unknown,
): Promise<unknown> {
  if (name === "createManifest") return handingOver(account, body as object);
  const text = JSON.stringify(body);
  if (body === undefined || !shipmentId.test(text)) return body;
  return JSON.parse(text.replace(shipmentId, await aShipmentFor(account, { name, path })));
}

async function handingOver(account: TestAccount, body: object): Promise<object> {
  const id = await aLabelled(account, "canada_post");
  if (!("date" in body)) return { ...body, shipment_ids: [id] };
  const { time_zone } = must(
    await account.get<DataOf<{ time_zone: string }>>("/account"),
    200,
  ).data;
  return { ...body, date: wallClock(new Date(), time_zone).slice(0, 10) };
}

async function aShipmentFor(
  account: TestAccount,
  { name, path }: { name: string; path: string },
): Promise<string> {
  if (name === "removeBatchShipments") {
    const list = `/shipments?batch_id=${path.split("/")[2]!}`;
    return must(await account.get<ListOf<Shipment>>(list), 200).data[0]!.id;
  }
  if (["schedulePickup", "testRule", "testNewRule", "combineDocuments"].includes(name))
    return aLabelled(account);
  return (await account.create(aShipment())).id;
}

async function made(account: TestAccount, path: string, body: object): Promise<string> {
  return must(await account.post<DataOf<{ id: string }>>(path, body), 201).data.id;
}

async function untilStatus(account: TestAccount, path: string, status: string): Promise<void> {
  const shown = async () => must(await account.get<DataOf<{ status: string }>>(path), 200).data;
  await expect.poll(async () => (await shown()).status, { timeout: 30_000 }).toBe(status);
}

async function untilAttempted(account: TestAccount, path: string): Promise<void> {
  const shown = async () =>
    must(await account.get<DataOf<{ attempt_count: number; next_attempt_at: string }>>(path), 200);
  await expect
    .poll(async () => (await shown()).data.attempt_count, { timeout: 30_000 })
    .toBeGreaterThan(0);
}
