import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeOf, type ListOf } from "../client.ts";
import { order, shipped, type Order } from "../orders.ts";
import { boston, ottawa } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/**
 * Lists of orders: their filters, whose orders they show, and that they cost the same however many there
 * are.
 */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

async function pageAt(account: TestAccount, link: string): Promise<ListOf<Order>> {
  return must(await account.get<ListOf<Order>>(link), 200);
}

test("filters restrict by what they name", async () => {
  const [account, other] = [await anAccount(world), await anAccount(world)];
  await order(other, { order_number: "A-1" });
  const first = await order(account, {
    order_number: "A-1",
    to_address: boston,
    tags: ["gift", "rush hour"],
    placed_at: "2026-01-31T23:59:59.999Z",
  });
  await order(account, {
    order_number: "A-2",
    source: "shopify",
    customer: { email: "Zoe@Example.com" },
    from_address: ottawa,
    placed_at: "2026-02-01T00:00:00Z",
  });
  await order(account, { order_number: "a%2", status: "on_hold", tags: ["rush"] });
  await order(account, { order_number: "B-1", status: "cancelled" });
  const found = async (query: string) =>
    (await pageAt(account, `/orders?${query}`)).data.map((row) => row.order_number).toSorted();
  expect(await found("")).toEqual(["A-1", "A-2", "B-1", "a%2"]);
  expect(await found("status=unfulfilled")).toEqual(["A-1", "A-2"]);
  expect(await found("status=on_hold,cancelled")).toEqual(["B-1", "a%2"]);
  expect(await found("status=on_hold,cancelled,on_hold")).toEqual(["B-1", "a%2"]);
  expect(await found("status=unfulfilled&source=api,shopify,csv")).toEqual(["A-1", "A-2"]);
  expect(await found("order_number=A-1")).toEqual(["A-1"]);
  expect(await found("order_number=a-1")).toEqual([]);
  expect(await found("source=shopify")).toEqual(["A-2"]);
  expect(await found("tag=rush%20hour")).toEqual(["A-1"]);
  expect(await found("tag=rush")).toEqual(["a%2"]);
  expect(await found("tag=hour")).toEqual([]);
  expect(await found("to_date=2026-01-31")).toEqual(["A-1"]);
  expect(await found("from_date=2026-02-01&to_date=2026-02-01")).toEqual(["A-2"]);
  expect(await found("from_date=2026-02-01T00:00:00Z&to_date=2026-02-01T00:00:00Z")).toEqual([
    "A-2",
  ]);
  expect(await found("q=a-")).toEqual(["A-1", "A-2"]);
  expect(await found("q=a%25")).toEqual(["a%2"]);
  expect(await found("q=delia")).toEqual(["A-1"]);
  expect(await found("q=ZOE@")).toEqual(["A-2"]);
  expect(await found(`q=${first.id}`)).toEqual(["A-1"]);
  expect(await found("q=_")).toEqual([]);
  expect(await found("unknown=1")).toHaveLength(4);
  for (const wrong of [
    "status=open",
    "source=etsy",
    "from_date=never",
    "q=",
    "q=%00",
    "tag=%00",
    "order_number=%00",
    "cursor=x",
  ])
    expect(outcomeOf(await account.get(`/orders?${wrong}`)), wrong).toBe("422 validation_failed");
});

test("each order of a page shows its own shipments", async () => {
  const account = await anAccount(world);
  const orders = [await order(account), await order(account), await order(account)];
  const ids: string[][] = [];
  for (const [index, { id }] of orders.entries()) {
    const own = await Promise.all(
      Array.from({ length: index }, () => shipped(account, id, { from_address: ottawa })),
    );
    ids.push(own.map((shipment) => shipment.id).toSorted());
  }
  const { data } = await pageAt(account, "/orders");
  expect(data.map(({ shipments }) => shipments.map(({ id }) => id)).toReversed()).toEqual(ids);
});

describe("with ten thousand orders", () => {
  const orderCount = 10_000;
  let account: TestAccount;
  beforeAll(async () => {
    account = await anAccount(world);
    const { id } = await order(account, { customer: { name: "Buyer" } });
    // Copies of an order that came in by HTTP, different in all fields that lists filter by; every
    // second one is another account's.
    await sql`
      INSERT INTO orders SELECT copy.* FROM orders o, generate_series(1, ${orderCount * 2}) AS n,
        jsonb_populate_record(o, jsonb_build_object(
          'id', 'ord_' || lpad(n::text, 26, '0'),
          'account_id', CASE n % 2 WHEN 0 THEN o.account_id ELSE 'acc_' || lpad((n % 97)::text, 26, '0') END,
          'order_number', 'N-' || n,
          'status', CASE n % 50 WHEN 0 THEN 'on_hold' WHEN 2 THEN 'cancelled' ELSE 'fulfilled' END,
          'source', CASE n % 40 WHEN 0 THEN 'shopify' ELSE 'api' END,
          'tags', jsonb_build_array('tag ' || n % 500),
          'to_address', o.to_address || jsonb_build_object('name', 'Name ' || n),
          'customer', o.customer || jsonb_build_object('email', n || '@example.com'),
          'placed_at', timestamptz '2026-01-01' + n * interval '1 minute')) AS copy
      WHERE o.id = ${id}`.execute(world.db);
    await sql`ANALYZE orders`.execute(world.db);
  });

  test("cursors lead through all of them and return each once", async () => {
    const seen: string[] = [];
    let link: string | null = "/orders?per_page=100";
    while (link) {
      const page: ListOf<Order> = await pageAt(account, link);
      seen.push(...page.data.map(({ id }) => id));
      link = page.links.next;
    }
    expect(seen.length).toBe(orderCount + 1);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(seen.toSorted().toReversed());
  });
});
