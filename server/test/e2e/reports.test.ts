import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DataOf, Failure, ListOf } from "../client.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";
import { inTransaction } from "../../src/database/connect.ts";
import { toCents } from "../../src/domain/values/money.ts";
import { post } from "../../src/ledger/ledger.ts";
import {
  groupings,
  type ReportRow,
  type ShippingReport,
} from "../../src/resources/reports/schemas.ts";

/** Counts, the shipping report and the search of transactions, against the ledger itself. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

const report = async (account: TestAccount, query: string) =>
  must(await account.get<ShippingReport>(`/reports/shipping?${query}`), 200);
const sum = (rows: readonly ReportRow[], of: "subtotal" | "tax" | "total" | "shipments") =>
  rows.reduce((total, row) => total + (of === "shipments" ? row[of] : toCents(row[of])), 0);

interface Line {
  type: "label" | "refund" | "adjustment";
  subtotal_cents: number;
  tax_cents: number;
  days_ago: number;
}

async function write(account_id: string, lines: readonly Line[]): Promise<void> {
  for (const { type, subtotal_cents, tax_cents, days_ago } of lines) {
    const cents = (type === "label" ? -1 : 1) * (subtotal_cents + tax_cents);
    await inTransaction(world.db, (tx) =>
      post(tx, {
        account_id,
        type,
        subtotal_cents,
        tax_cents,
        currency: "CAD",
        shipment_id: null,
        description: "Made up",
        entries: [
          { book: "credits", amount_cents: cents },
          { book: "adjustments", amount_cents: -cents },
        ],
        at: new Date(Date.now() - days_ago * 86_400_000),
      }),
    );
  }
}

test("the sums of every grouping are those of the ledger, to the cent", async () => {
  const aLine = fc.record({
    type: fc.constantFrom("label" as const, "refund" as const, "adjustment" as const),
    subtotal_cents: fc.integer({ min: 1, max: 20_000 }),
    tax_cents: fc.integer({ min: 0, max: 3000 }),
    days_ago: fc.integer({ min: 0, max: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(aLine, { maxLength: 12 }), async (lines) => {
      const account = await anAccount(world, { balance_cents: 500_000 });
      await write(account.account_id, lines);
      const { rows } = await sql<{ cents: number; labels: number }>`
        SELECT coalesce(-sum(amount_cents), 0)::int AS cents,
          (count(*) FILTER (WHERE type = 'label'))::int AS labels
        FROM ledger_transactions
        WHERE account_id = ${account.account_id} AND type IN ('label', 'ltl', 'refund')`.execute(
        world.db,
      );
      for (const group_by of groupings) {
        const { data, meta } = await report(account, `group_by=${group_by}`);
        expect(toCents(meta.totals.total)).toBe(rows[0]!.cents);
        expect(meta.totals.shipments).toBe(rows[0]!.labels);
        expect(sum(data, "total")).toBe(rows[0]!.cents);
        expect(sum(data, "subtotal") + sum(data, "tax")).toBe(rows[0]!.cents);
        expect(sum(data, "shipments")).toBe(rows[0]!.labels);
      }
    }),
    { numRuns: 5 },
  );
});

test("a bought label is counted by its carrier, and one that was voided since as voided", async () => {
  const account = await anAccount(world);
  const bought = await account.bought((await account.create(aShipment())).id);
  const { id } = await account.create(aShipment());
  await account.bought(id);
  must(await account.post(`/shipments/${id}/void`, {}), 200);
  const { data, meta } = await report(account, "group_by=carrier");
  expect(data.map(({ key }) => key)).toContain(bought.rate.carrier.code);
  expect(meta.totals).toMatchObject({ shipments: 2, voided: 1, delivered: 0, on_time_rate: null });
  const counts = must(await account.get<DataOf<object>>("/counts"), 200).data;
  expect(counts).toMatchObject({
    shipments: { purchased: 1, draft: 0 },
    orders: { unfulfilled: 0 },
    products: { pending_approval: 0 },
    capped_at: 10_000,
  });
});

test("counts leave out what the token may not read", async () => {
  const account = await anAccount(world, { scopes: ["orders:read"] });
  const counts = must(await account.get<DataOf<object>>("/counts"), 200).data;
  expect(Object.keys(counts).sort()).toEqual(["capped_at", "orders"]);
});

test("a range that is reversed, too long or no date is refused", async () => {
  const account = await anAccount(world);
  for (const query of [
    "from=2026-05-02&to=2026-05-01",
    "from=2024-01-01&to=2026-01-01",
    "from=yesterday",
    "group_by=weather",
  ])
    expect((await account.get(`/reports/shipping?${query}`)).status, query).toBe(422);
});

test("a last day before which there are no thirty days of the calendar is refused at `to`", async () => {
  const account = await anAccount(world);
  const path = "/reports/shipping?to=";
  for (const to of ["0001-01-01", "0001-01-29"]) {
    const refused = must(await account.get<Failure>(path + to), 422);
    expect(Object.keys(refused.error.details)).toEqual(["to"]);
  }
  expect(must(await account.get<ShippingReport>(`${path}0001-01-30`), 200).meta.from).toBe(
    "0001-01-01",
  );
  must(await account.get(`${path}0001-01-15&from=0001-01-01`), 200);
  must(await account.get(`${path}9999-12-31`), 200);
});

test("transactions are found by type, time, text and amount", async () => {
  const account = await anAccount(world, { balance_cents: 10_000 });
  await write(account.account_id, [
    { type: "label", subtotal_cents: 1000, tax_cents: 130, days_ago: 3 },
    { type: "refund", subtotal_cents: 1000, tax_cents: 130, days_ago: 1 },
  ]);
  const found = async (query: string) =>
    must(await account.get<ListOf<{ amount: number }>>(`/credits/transactions?${query}`), 200)
      .data.map(({ amount }) => amount)
      .sort((a, b) => a - b);
  expect(await found("type=label,refund")).toEqual([-11.3, 11.3]);
  expect(await found("q=made%20UP&max=0")).toEqual([-11.3]);
  expect(await found("min=11.3&max=50")).toEqual([11.3]);
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString();
  expect(await found(`created_to=${day}`)).toEqual([-11.3]);
  expect(await found("shipment_id=shp_unknown&page=1")).toEqual([]);
  const refused = await account.get("/credits/transactions?type=gift&min=1.234&created_from=soon");
  expect(refused.status).toBe(422);
});

test("a batch is polled without its ids, and lists its items by state", async () => {
  const account = await anAccount(world);
  const { id: shipment_id } = await account.create(aShipment());
  const { id } = must(
    await account.post<DataOf<{ id: string }>>("/batches", {
      name: "Two",
      shipment_ids: [shipment_id],
    }),
    201,
  ).data;
  must(await account.post(`/batches/${id}/process`, { service: "cheapest" }), 202);
  interface Polled {
    status: string;
    shipment_ids: string[];
    shipment_count: number;
  }
  const polled = async () =>
    must(await account.get<DataOf<Polled>>(`/batches/${id}?shipment_ids=false`), 200).data;
  await expect.poll(async () => (await polled()).status).toBe("completed");
  expect(await polled()).toMatchObject({ shipment_ids: [], shipment_count: 1 });
  const list = must(await account.get<ListOf<Polled>>("/batches?shipment_ids=false"), 200);
  expect(list.data.map(({ shipment_ids }) => shipment_ids)).toEqual([[]]);
  const items = async (state: string) =>
    must(await account.get<ListOf<object>>(`/batches/${id}/items?state=${state}`), 200).data;
  expect(await items("succeeded")).toEqual([
    {
      shipment_id,
      reference: null,
      state: "succeeded",
      cost: expect.any(Number) as number,
      error: null,
    },
  ]);
  expect(await items("failed,waiting")).toEqual([]);
  expect((await account.get(`/batches/${id}/items?state=lost`)).status).toBe(422);
});
