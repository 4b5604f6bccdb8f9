import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DataOf } from "../client.ts";
import { anOrder } from "../orders.ts";
import { rule } from "../rules.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform, type TestAccount, type World } from "../world.ts";

/**
 * A later release adds columns while processes of this one serve requests: their prepared statements stay
 * valid.
 */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

let added = 0;

/**
 * Adds a column to every table. A connection's statements prepared for other columns fail, and are discarded,
 * once.
 */
async function addColumns(): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT oid::regclass::text AS name FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace`.execute(
    world.db,
  );
  const column = sql.raw(`of_later_release_${(added += 1)}`);
  for (const { name } of rows)
    await sql`ALTER TABLE ${sql.raw(name)} ADD COLUMN ${column} text`.execute(world.db);
}

/** Reads and changes of all resources, inside transactions and outside; each with its status. */
async function callAll(
  account: TestAccount,
  before: () => Promise<void> = async () => undefined,
): Promise<[string, number][]> {
  const statuses: [string, number][] = [];
  const call = async (method: "get" | "put" | "post", path: string, body: object = {}) => {
    await before();
    const reply = await (method === "get"
      ? account.get<DataOf<{ id: string }>>(path)
      : account[method]<DataOf<{ id: string }>>(path, body));
    statuses.push([`${method} ${path.replaceAll(/\w+_\w{20,}/g, "…")}`, reply.status]);
    return reply.body.data?.id ?? "none";
  };
  const shipment = await call("post", "/shipments", aShipment());
  await call("get", `/shipments/${shipment}`);
  await call("put", `/shipments/${shipment}`, { reference: "changed" });
  await call("get", `/rates/${shipment}`);
  await call("post", `/labels/${shipment}`, { service: "cheapest" });
  await call("get", `/shipments/${shipment}/tracking`);
  await call("post", `/shipments/${shipment}/void`);
  const order = await call("post", "/orders", anOrder());
  await call("get", `/orders/${order}`);
  await call("put", `/orders/${order}`, { notes: "changed" });
  const filter = await call("post", "/filters", {
    name: `Drafts ${order}`,
    target: "shipments",
    criteria: { match: "all", conditions: [{ field: "status", operator: "eq", value: "draft" }] },
  });
  await call("get", `/shipments?filter_id=${filter}`);
  const draft = await call("post", "/shipments", { ...aShipment(), batch: "Monday" });
  const batch = await call("post", "/batches", { name: order, shipment_ids: [draft] });
  await call("get", `/batches/${batch}`);
  for (const list of ["shipments", "orders", "batches", "filters", "rules", "tracking", "pickups"])
    await call("get", `/${list}`);
  await call("get", "/credits/transactions");
  await call("get", "/billing/statements");
  return statuses;
}

test("a column that is added to every table of a running process fails no call", async () => {
  const account = await anAccount(world, { balance_cents: 5_000_000 });
  await rule(account);
  const before = await callAll(account);
  expect(before.filter(([, status]) => status >= 300)).toEqual([]);
  expect(await callAll(account, addColumns)).toEqual(before);
});
