import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCarriers } from "../../src/carriers/register.ts";
import { connect, type Connection } from "../../src/database/connect.ts";
import { asTexts } from "../../src/database/driver/sending.ts";
import { serializerOf } from "../../src/http/serialize.ts";
import { Shipment } from "../../src/shipping/shipments/schemas.ts";
import { shipmentJson, shownColumns } from "../../src/shipping/shipments/shown-text.ts";
import { getShipment } from "../../src/shipping/shipments/store.ts";
import { toShipment } from "../../src/shipping/shipments/view.ts";
import type { Database } from "../../src/database/tables.ts";
import type { DataOf } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { anOrder } from "../orders.ts";
import { aShipment, aSteeredShipment, boston, notebooks } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/**
 * Lists and single reads write shipments from the texts of their columns. The result is, to the letter, what the view and
 * the schema's serializer make of the same row.
 */

let world: World;
let account: TestAccount;
/** Of a server whose time zone is not UTC. */
let newfoundland: Connection;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world, { balance_cents: 5_000_000 });
  const url = new URL(world.database_url);
  url.searchParams.set("options", "-c TimeZone=America/St_Johns");
  newfoundland = connect({ url: url.href, connections_max: 2, application_name: "test" });
});
afterAll(async () => {
  await newfoundland.close();
  await world.close();
});

const clock = { now: () => new Date("2026-11-24T12:00:00.000Z") };
const files = {
  link: (key: string) => ({ url: `https://files.example/${key}`, expires_at: clock.now() }),
};
const shower = () => ({
  carriers: createCarriers({ simulator_url: world.simulator_url }),
  clock,
  files: files as never,
});

/** The shipment in both ways, through a connection. */
async function bothWays(db: Database, id: string): Promise<{ texts: string; values: string }> {
  const select = sql`
    SELECT ${shownColumns()} FROM shipments WHERE account_id = ${account.account_id} AND id = ${id}`;
  const { rows } = await db.executeQuery(asTexts(select).compile(db));
  const row = await getShipment(world.db, account.account_id, id);
  return {
    texts: shipmentJson(shower(), rows[0]!),
    values: serializerOf(Shipment)(toShipment(shower(), row)),
  };
}

async function expectAlike(id: string): Promise<void> {
  for (const db of [world.db, newfoundland.db, world.db]) {
    const { texts, values } = await bothWays(db, id);
    expect(texts).toBe(values);
  }
}

const post = async (path: string, body: object) =>
  must(await account.post<DataOf<{ id: string }>>(path, body), 201).data.id;

test("shipments in every state are written from texts as from values", async () => {
  const order_id = await post("/orders", anOrder());
  const full = aShipment({
    order_id,
    reference: `A "quoted" \\ reference`,
    tags: ["fragile", "Noël, 2026", '{"a"}', "é\u2028"],
    metadata: { zone: 1, a: true, é: 'x "y"', bin: 2.5 },
    add_ons: ["protection"],
    signature_confirmation: "adult_signature",
    is_return: true,
  });
  const draft = await account.create(full);
  const abroad = await account.create(aShipment({ to_address: boston, items: [notebooks] }));
  const bought = await account.create(full);
  await account.bought(bought.id, { service: "cheapest", add_ons: ["protection"] });
  await account.bought(abroad.id);
  const voided = await account.create(aShipment());
  await account.bought(voided.id);
  must(await account.post(`/shipments/${voided.id}/void`), 200);
  const cancelled = await account.create(aShipment());
  must(await account.post(`/shipments/${cancelled.id}/void`), 200);
  const refused = await account.create(aSteeredShipment("sim:refuse"));
  expect((await account.buy(refused.id)).status).toBeGreaterThan(299);
  const freight = await account.create(aFreight());
  const booked = await account.create(aFreight());
  await account.bought(booked.id);
  const all = [draft, abroad, bought, voided, cancelled, refused, freight, booked];
  for (const { id } of all) await expectAlike(id);
  for (const { id } of all) {
    const [one] = (await account.get<{ data: { id: string }[] }>(`/shipments?q=${id}`)).body.data;
    expect(one).toMatchObject({ id });
  }
});

test("a key or a column that the schema does not name is not shown", async () => {
  const { id } = await account.create(aShipment());
  await sql`
    UPDATE shipments SET to_address = to_address || '{"risk": "high"}', packages = jsonb_set(packages, '{0,bought_for}', '3'),
      documents = '[{"type": "label", "format": "pdf", "file_key": "labels/x", "pages": 7}]', rule_terms = '{"max": 9}'
    WHERE account_id = ${account.account_id} AND id = ${id}`.execute(world.db);
  await expectAlike(id);
  const text = JSON.stringify([
    (await account.get(`/shipments/${id}`)).body,
    (await account.get(`/shipments?q=${id}`)).body,
  ]);
  expect(text).not.toMatch(/risk|bought_for|rule_terms|"pages"|file_key|account_id|revision/);
});

const word = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", ""));
const moment = fc.date({
  min: new Date("2001-01-01T00:00:00Z"),
  max: new Date("2199-12-31T23:59:59Z"),
  noInvalidDate: true,
});
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

test("any values of the columns are written from texts as from values", async () => {
  const { id } = await account.create(aShipment());
  const change = fc.record({
    service: optional(word),
    carrier: optional(fc.constantFrom("ups", "purolator", "nobody's")),
    service_name: optional(word),
    tracking_code: optional(word),
    reference: optional(word),
    refund_reason: optional(word),
    refund_status: optional(fc.constantFrom("pending" as const, "approved" as const)),
    refund_cents: optional(fc.nat()),
    refund_requested_at: optional(moment),
    refund_resolved_at: optional(moment),
    cost_subtotal_cents: optional(fc.nat()),
    cost_tax_cents: optional(fc.nat()),
    cost_total_cents: optional(fc.maxSafeNat()),
    cost_currency: optional(fc.constantFrom("CAD", "USD")),
    insured_value_cents: optional(fc.nat()),
    tags: fc.array(word, { maxLength: 4 }),
    metadata: fc.dictionary(word, optional(fc.oneof(word, fc.integer(), fc.array(word)))),
    delivered_at: optional(moment),
    created_at: moment,
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ metadata, ...columns }) => {
      await world.db
        .updateTable("shipments")
        .set({ ...columns, metadata: JSON.stringify(metadata) })
        .where("account_id", "=", account.account_id)
        .where("id", "=", id)
        .execute();
      await expectAlike(id);
    }),
    { numRuns: 150 },
  );
});
