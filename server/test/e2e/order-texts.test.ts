import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asTexts } from "../../src/database/driver/sending.ts";
import { serializerOf } from "../../src/http/serialize.ts";
import { Order } from "../../src/resources/orders/schemas.ts";
import { orderJson, shownColumns } from "../../src/resources/orders/shown-text.ts";
import { toOrder } from "../../src/resources/orders/view.ts";
import { getOrder, shipmentsOf } from "../../src/shipping/orders/store.ts";
import { anOrder } from "../orders.ts";
import { ottawa } from "../shipments.ts";
import type { DataOf } from "../client.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/**
 * Lists write orders from the texts of their columns. The result is, to the letter, what the view and the schema's
 * serializer make of the same row.
 */

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world);
});
afterAll(() => world.close());

async function expectAlike(id: string): Promise<void> {
  const { account_id } = account;
  const linked = await shipmentsOf(world.db, account_id, [id]);
  const values = toOrder(await getOrder(world.db, account_id, id), linked);
  const whole = serializerOf(Order)(values);
  expect(await textOf(id, null)).toBe(whole);
  const shown = JSON.parse(whole) as Record<string, unknown>;
  for (const [name, value] of Object.entries(shown))
    expect(await textOf(id, new Set([name]))).toBe(JSON.stringify({ [name]: value }));
}

async function textOf(id: string, fields: ReadonlySet<string> | null): Promise<string> {
  const { account_id } = account;
  const select = sql`
    SELECT ${shownColumns(fields)} FROM orders WHERE account_id = ${account_id} AND id = ${id}`;
  const { rows } = await world.db.executeQuery(asTexts(select).compile(world.db));
  return orderJson(rows[0]!, await shipmentsOf(world.db, account_id, [id]), fields);
}

const post = async (path: string, body: object) =>
  must(await account.post<DataOf<{ id: string }>>(path, body), 201).data.id;

test("orders are written from texts as from values, with the shipments that are linked to them", async () => {
  const full = anOrder({
    customer: { name: 'Ann "the" Bee', email: "ann@example.com" },
    totals: { subtotal: 12.3, shipping: 0, total: 14.07, currency: "CAD" },
    notes: "Ring\ntwice",
    tags: ["Noël, 2026", '{"a"}'],
    metadata: { zone: 1, é: 'x "y"' },
    requested_service: "cheapest",
  });
  const id = await post("/orders", full);
  for (const service of ["cheapest", "fastest"])
    await post(`/orders/${id}/shipments`, { from_address: ottawa, service });
  await expectAlike(id);
  await expectAlike(await post("/orders", anOrder()));
});

test("a key or a column that the schema does not name is not shown", async () => {
  const id = await post("/orders", anOrder());
  await sql`
    UPDATE orders SET to_address = to_address || '{"risk": "high"}', items = jsonb_set(items, '{0,bought_for}', '3')
    WHERE account_id = ${account.account_id} AND id = ${id}`.execute(world.db);
  await expectAlike(id);
  const listed = JSON.stringify((await account.get(`/orders?q=${id}`)).body);
  expect(listed).toContain(id);
  expect(listed).not.toMatch(/risk|bought_for|shipment_actions|account_id/);
});

const word = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", ""));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const moment = fc.date({
  min: new Date("2001-01-01T00:00:00Z"),
  max: new Date("2199-12-31T23:59:59Z"),
  noInvalidDate: true,
});

test("any values of the columns are written from texts as from values", async () => {
  const id = await post("/orders", anOrder());
  const change = fc.record({
    order_number: word,
    customer: optional(
      fc.record({
        name: optional(word),
        company: optional(word),
        email: optional(word),
        phone: optional(word),
        external_id: optional(word),
      }),
    ),
    requested_service: optional(word),
    notes: optional(word),
    subtotal_cents: optional(fc.nat()),
    shipping_cents: optional(fc.nat()),
    discount_cents: optional(fc.nat()),
    tax_cents: optional(fc.nat()),
    total_cents: optional(fc.maxSafeNat()),
    currency: fc.constantFrom("CAD", "USD", "JPY"),
    tags: fc.array(word, { maxLength: 4 }),
    metadata: fc.dictionary(word, optional(fc.oneof(word, fc.integer(), fc.array(word)))),
    placed_at: moment,
    updated_at: moment,
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ customer, metadata, ...columns }) => {
      await world.db
        .updateTable("orders")
        .set({
          ...columns,
          customer: customer && JSON.stringify(customer),
          metadata: JSON.stringify(metadata),
        })
        .where("account_id", "=", account.account_id)
        .where("id", "=", id)
        .execute();
      await expectAlike(id);
    }),
    { numRuns: 60 },
  );
});
