import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "kysely";
import type { DataOf, Purchase, TopUp } from "./client.ts";
import { aClientLog, type ClientLog, type Exchange } from "./client-log.ts";
import { brokenPromises } from "./client-oracle.ts";
import { assertInvariants, readJournal, type JournalEntry } from "./invariants.ts";
import { aShipment } from "./shipments.ts";
import { aPlatform, anAccount, must, type World } from "./world.ts";

/** Tests of the oracle itself: every promise that can be broken, broken in a copy of what really happened. */

let world: World;
let journal: JournalEntry[];
beforeAll(async () => {
  world = await aPlatform();
  const account = await anAccount(world, { balance_cents: 50_000 });
  const key = (name: string) => ({ "idempotency-key": name });
  const [kept, voided, removed] = [
    await account.create(aShipment()),
    await account.create(aShipment()),
    await account.create(aShipment()),
  ];
  for (const { id } of [kept, voided])
    must(await account.buy(id, { service: "cheapest" }, key(`buy-${id}`)), 201);
  must(await account.post(`/shipments/${voided.id}/void`, undefined, key("void")), 200);
  must(await account.delete(`/shipments/${removed.id}`), 204);
  for (let time = 0; time < 2; time++)
    must(await account.post("/credits/top-up", { amount: 25 }, key("top-up")), 201);
  await assertInvariants(world);
  journal = await readJournal(world);
});
afterAll(async () => {
  await world.close();
});

/** The oracle's messages when the log, or the journal, is changed. */
async function accusations(
  change: (log: ClientLog, journal: JournalEntry[]) => void,
): Promise<string> {
  const log = { exchanges: world.client_log.exchanges.map((exchange) => ({ ...exchange })) };
  const entries = [...journal];
  change(log, entries);
  return (await brokenPromises(log, { db: world.db, journal: entries })).join("\n");
}

function oneOf({ exchanges }: ClientLog, path: RegExp, method = "POST"): Exchange {
  const found = exchanges.find(
    (exchange) => exchange.method === method && path.test(exchange.path),
  );
  return found ?? expect.fail(`nothing was asked of ${path}`);
}

/** Changes the response in the log. */
function retell<T>(exchange: Exchange, change: (data: T) => object): void {
  const { data } = exchange.reply!.body as DataOf<T>;
  const body = { data: { ...data, ...change(data) } };
  exchange.reply = { ...exchange.reply!, body, bytes: Buffer.from(JSON.stringify(body)) };
}

test("real calls break no promise, and neither does an empty log", async () => {
  expect(await accusations(() => undefined)).toBe("");
  expect(await brokenPromises(aClientLog(), { db: world.db, journal })).toEqual([]);
});

test.each<[string, (log: ClientLog, journal: JournalEntry[]) => void, string]>([
  [
    "two answers to one key",
    (log) => retell<TopUp>(oneOf(log, /top-up/), () => ({ balance_after: 1 })),
    "key top-up had two answers",
  ],
  [
    "one key answering two requests",
    (log) => (oneOf(log, /top-up/).fingerprint = "another"),
    "key top-up answered two requests",
  ],
  [
    "one label given to two requests",
    (log) => log.exchanges.push({ ...oneOf(log, /^\/labels/), key: "another" }),
    "was acknowledged to",
  ],
  [
    "one top-up reported twice",
    (log) => log.exchanges.push({ ...oneOf(log, /top-up/), key: null }),
    "was acknowledged to",
  ],
  [
    "a label at another price than the ledger's",
    (log) =>
      retell<Purchase>(oneOf(log, /^\/labels/), ({ cost }) => ({ cost: { ...cost, total: 1 } })),
    "the ledger has shp_",
  ],
  [
    "a label that the carrier never issued",
    (_log, entries) => entries.splice(0, 1),
    "the carrier has []",
  ],
  [
    "a label that the carrier issued twice",
    (_log, entries) => entries.push(entries[0]!),
    "the carrier has [{",
  ],
  [
    "a void that the carrier never received",
    (_log, entries) => entries.splice(entries.findIndex((each) => each.operation === "void")),
    "was voided, the carrier has []",
  ],
  [
    "a void of a live shipment",
    (log) =>
      (oneOf(log, /void$/).path =
        `${oneOf(log, /^\/labels/).path.replace("/labels", "/shipments")}/void`),
    "was reported as voided and is not",
  ],
  [
    "a top-up that was charged twice",
    (_log, entries) => entries.push(entries.find((each) => each.operation === "charge")!),
    "ledger and charges have",
  ],
  [
    "a top-up that the ledger lacks",
    (log) => {
      for (const each of log.exchanges.filter(({ path }) => path.includes("top-up")))
        retell<TopUp>(each, () => ({ id: "txn_00000000000000000000000000" }));
    },
    "ledger and charges have [null]",
  ],
  [
    "a shipment that is not there",
    (log) => log.exchanges.splice(log.exchanges.indexOf(oneOf(log, /./, "DELETE")), 1),
    "was created and is not there",
  ],
  [
    "a removal that did not happen",
    (log) =>
      (oneOf(log, /./, "DELETE").path = oneOf(log, /^\/labels/).path.replace(
        "/labels",
        "/shipments",
      )),
    "was removed, but is there",
  ],
  [
    "labels, credit and shipments without a request",
    (log) => log.exchanges.splice(0, log.exchanges.length, oneOf(log, /./, "DELETE")),
    "has 2 shipments of 0 requests",
  ],
])("%s: reported", async (_name, change, said) => {
  expect(await accusations(change)).toContain(said);
});

test("a request without a response may have had its effect, once", async () => {
  const silence = (count: number) => (log: ClientLog) => {
    const labels = log.exchanges.filter(({ path }) => path.startsWith("/labels"));
    for (const each of labels) each.reply = null;
    for (const each of labels.slice(count)) log.exchanges.splice(log.exchanges.indexOf(each), 1);
  };
  expect(await accusations(silence(2))).toBe("");
  expect(await accusations(silence(1))).toContain("has 2 labels of 1 requests");
});

test("the log has every call before its response, and also calls without one", async () => {
  const account = await anAccount(world);
  const before = world.client_log.exchanges.length;
  const answer = account.post("/shipments", aShipment());
  expect(world.client_log.exchanges.slice(before)).toMatchObject([
    { path: "/shipments", reply: null },
  ]);
  await answer;
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int FROM shipments WHERE account_id = ${account.account_id}`.execute(world.db);
  expect(rows).toEqual([{ count: 1 }]);
  expect(world.client_log.exchanges[before]!.reply!.status).toBe(201);
});
