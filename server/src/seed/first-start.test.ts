import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aClient, type Client, type ListOf } from "../../test/client.ts";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { must } from "../../test/world.ts";
import { readConfig, type Config } from "../config.ts";
import { startWaybill, type Waybill } from "../wiring/main.ts";
import { readDemo } from "./demo-file.ts";

/** The contents of the demo after a first start (decision 24), before any worker has run but in the last test. */

let database: TestDatabase;
let waybill: Waybill;
let data_dir: string;
let config: Config;
let shop: Client;
let live: Client;
let operator: Client;
beforeAll(async () => {
  database = await testDatabase();
  data_dir = await mkdtemp(join(tmpdir(), "waybill-demo-"));
  config = readConfig({
    DATABASE_URL: database.url,
    PORT: "0",
    WAYBILL_DATA_DIR: data_dir,
    WAYBILL_SECRET: "a secret of forty characters for tests ab",
    WAYBILL_LOG_LEVEL: "silent",
    WAYBILL_DEMO: "on",
    WAYBILL_SIMULATOR_FIRST_SCAN_SECONDS: "1",
    WAYBILL_TRACKING_FIRST_POLL_SECONDS_TEST: "1",
    WAYBILL_TRACKING_POLL_SECONDS_TEST: "1",
  });
  waybill = await startWaybill(config, { api: true, worker: false, is_data_loss_accepted: true });
  const demo = readDemo(config)!;
  shop = aClient(demo.sandbox_base_url, demo.sandbox_token);
  live = aClient(demo.base_url, demo.live_token);
  operator = aClient(`${demo.dashboard_url}/api/admin`, demo.operator_token);
});
afterAll(async () => {
  await waybill.stop();
  await database.close();
  await rm(data_dir, { recursive: true, force: true });
});

test("saved filters, each of which matches something", async () => {
  interface Filter {
    id: string;
    target: string;
  }
  const { data } = must(await shop.get<ListOf<Filter>>("/filters"), 200);
  expect(data.length).toBeGreaterThanOrEqual(2);
  for (const { id, target } of data) {
    const list = target === "orders" ? "orders" : "shipments";
    const page = must(await shop.get<ListOf<unknown>>(`/${list}?filter_id=${id}`), 200);
    expect(page.data.length, `${list} ${id}`).toBeGreaterThan(0);
  }
});

test("statements of past months, each made on the first of the next", async () => {
  interface Statement {
    number: string;
    status: string;
    period_end: string;
    created_at: string;
  }
  const { data } = must(await shop.get<ListOf<Statement>>("/billing/statements"), 200);
  const past = data.filter(({ status }) => status !== "open");
  expect(past.length).toBeGreaterThanOrEqual(1);
  for (const { created_at, period_end } of past) {
    const day = new Date(created_at).toLocaleDateString("en-CA", { timeZone: "America/Toronto" });
    expect(day).toBe(new Date(Date.parse(period_end) + 86_400_000).toISOString().slice(0, 10));
  }
});

test("something on every screen, in both accounts", async () => {
  interface Named {
    status: string;
    carrier: { code: string } | null;
    on_hold: boolean;
    last_error: object | null;
  }
  const all = async (of: Client, path: string) =>
    must(await of.get<ListOf<Named>>(`${path}?per_page=100`), 200).data;
  const shipments = await all(shop, "/shipments");
  const carriers = new Set(shipments.flatMap(({ carrier }) => carrier?.code ?? []));
  expect([...carriers].sort()).toEqual(
    "canada_post day_ross fedex manitoulin purolator tforce_freight ups usps".split(" "),
  );
  expect(shipments.some(({ on_hold }) => on_hold)).toBe(true);
  expect(shipments.some(({ last_error }) => last_error)).toBe(true);
  const statuses = new Set(shipments.map(({ status }) => status));
  expect([...statuses]).toEqual(expect.arrayContaining(["draft", "purchased", "voided", "booked"]));
  expect(await all(shop, "/batches")).toHaveLength(3);
  expect(await all(shop, "/pickups")).toHaveLength(1);
  const products = new Set((await all(shop, "/products")).map(({ status }) => status));
  expect([...products]).toEqual(
    expect.arrayContaining([
      "Imported",
      "Classified",
      "Manufacturer Failed",
      "Approved",
      "Rejected",
    ]),
  );
  expect((await all(live, "/shipments")).length).toBeGreaterThan(9);
  expect((await all(live, "/orders")).length).toBeGreaterThan(9);
  // The charge that was refunded by hand becomes a review when a worker looks at it.
  const reviews = must(await operator.get<ListOf<{ kind: string }>>("/reviews"), 200).data;
  expect(reviews.map(({ kind }) => kind)).toEqual(["label_purchase"]);
  interface Balance {
    data: { held: number };
  }
  expect(must(await shop.get<Balance>("/credits/balance"), 200).data.held).toBeGreaterThan(0);
});

test("workers find one parcel that is late", async () => {
  const roles = { api: false, worker: true, is_data_loss_accepted: true };
  const worker = await startWaybill(config, roles);
  try {
    const late = async () => {
      const list = await shop.get<ListOf<{ status: string }>>("/tracking?delay=late");
      return must(list, 200).data.map(({ status }) => status);
    };
    // Each of fifty parcels is asked for in turn, and again ten seconds later.
    await expect.poll(late, { timeout: 50_000 }).toEqual(["in_transit"]);
  } finally {
    await worker.stop();
  }
});
