import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { countOutcomes, outcomeOf, type DataOf, type Purchase, type Shipment } from "../client.ts";
import { assertInvariants, readJournal, referencesOf, untilAtRest } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, aQuotedDraft, must, type World } from "../world.ts";
import { soldLabels } from "./moments.ts";

/** Concurrent requests: one shipment has one label and one debit, and no balance is spent twice. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterEach(async () => {
  await assertInvariants(world);
});
afterAll(async () => {
  await world.close();
});

const openingCents = 50_000;

async function debitsOf(shipmentId: string): Promise<number> {
  const rows = await world.db
    .selectFrom("ledger_transactions")
    .select("id")
    .where("shipment_id", "=", shipmentId)
    .where("type", "=", "label")
    .execute();
  return rows.length;
}

function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_each, index) => work(index)));
}

test("200 parallel purchases with one key: one label, one debit, one response for all", async () => {
  const { account, shipment, service, price_cents } = await aQuotedDraft(world, openingCents);
  const key = { "idempotency-key": "one-key" };
  const replies = await times(200, () => account.buy(shipment.id, { service }, key));
  const bought = replies.filter(({ status }) => status === 201);
  expect(bought.length).toBeGreaterThan(0);
  expect(new Set(bought.map(({ bytes }) => bytes.toString("base64"))).size).toBe(1);
  // A concurrent duplicate that waited two seconds in vain gets 409: the first still runs.
  const late = replies.filter(({ status }) => status !== 201);
  for (const reply of late) expect(outcomeOf(reply)).toBe("409 idempotency_in_progress");
  expect(await soldLabels(world, shipment.id)).toBe(1);
  expect(await debitsOf(shipment.id)).toBe(1);
  expect(await account.balanceCents()).toBe(openingCents - price_cents);

  const replayed = await account.buy(shipment.id, { service }, key);
  expect(replayed.headers["idempotent-replay"]).toBe("true");
  expect(replayed.bytes.equals(bought[0]!.bytes)).toBe(true);
});

test("200 parallel purchases without a key: one 201, the others refused as in progress or already bought", async () => {
  const { account, shipment, service, price_cents } = await aQuotedDraft(world, openingCents);
  const replies = await times(200, () => account.buy(shipment.id, { service }));
  const outcomes = countOutcomes(replies);
  expect(outcomes["201"]).toBe(1);
  const {
    "201": _one,
    "409 already_labelled": done = 0,
    "409 purchase_pending": running = 0,
    ...others
  } = outcomes;
  expect(others).toEqual({});
  expect(done + running).toBe(199);
  expect(await soldLabels(world, shipment.id)).toBe(1);
  expect(await debitsOf(shipment.id)).toBe(1);
  expect(await account.balanceCents()).toBe(openingCents - price_cents);
});

test("100 parallel purchases, each with a key of its own: one label, one debit", async () => {
  const { account, shipment, service } = await aQuotedDraft(world, openingCents);
  const replies = await times(100, (index) =>
    account.buy(shipment.id, { service }, { "idempotency-key": `own-${index}` }),
  );
  expect(countOutcomes(replies)["201"]).toBe(1);
  expect(await soldLabels(world, shipment.id)).toBe(1);
  expect(await debitsOf(shipment.id)).toBe(1);
});

test("50 parallel purchases on a balance for some: exactly as many succeed as it pays for", async () => {
  const account = await anAccount(world, { balance_cents: openingCents });
  const rows = Array.from({ length: 50 }, () => aShipment());
  const { data } = must(await account.post<DataOf<{ data: Shipment }[]>>("/shipments", rows), 201);
  const { service, total } = (await account.rates(data[0]!.data.id)).data[0]!;
  const price = Math.round(total * 100);
  const affordable = Math.floor(openingCents / price);
  expect(affordable).toBeGreaterThan(2);
  expect(affordable).toBeLessThan(50);
  const replies = await times(50, (index) => account.buy(data[index]!.data.id, { service }));
  expect(countOutcomes(replies)).toEqual({
    "201": affordable,
    "402 insufficient_credits": 50 - affordable,
  });
  const balance = await account.balance();
  expect(Math.round(balance.balance * 100)).toBe(openingCents - affordable * price);
  expect(balance.held).toBe(0);
});

test("concurrent purchases and top-ups of one account add up", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  const drafts = await times(20, () => account.create(aShipment()));
  const [, bought] = await Promise.all([
    times(10, async () => must(await account.post("/credits/top-up", { amount: 50 }), 201)),
    times(20, (index) => account.buy(drafts[index]!.id)),
  ]);
  const spent = bought
    .filter(({ status }) => status === 201)
    .reduce((sum, { body }) => sum + Math.round(body.data.cost!.total * 100), 0);
  expect(await account.balanceCents()).toBe(50_000 - spent);
});

test("20 parallel voids of one label: one void at the carrier, one refund", async () => {
  const account = await anAccount(world, { balance_cents: openingCents });
  const { id } = await account.create(aShipment());
  await account.bought(id);
  const replies = await times(20, () => account.post(`/shipments/${id}/void`));
  for (const outcome of Object.keys(countOutcomes(replies)))
    expect(["200", "409 purchase_pending"]).toContain(outcome);
  await untilAtRest(world.db);
  expect(await account.balanceCents()).toBe(openingCents);
  const references = await referencesOf(world.db, id);
  const voids = (await readJournal(world)).filter(
    ({ operation, reference }) => operation === "void" && references.includes(reference),
  );
  expect(voids).toHaveLength(1);
});

test("30 concurrent POST /labels with one key: one shipment, one label", async () => {
  const account = await anAccount(world, { balance_cents: openingCents });
  const body = { ...aShipment(), service: "cheapest" };
  const key = { "idempotency-key": "create-and-buy" };
  const replies = await times(30, () => account.post<DataOf<Purchase>>("/labels", body, key));
  const bought = replies.filter(({ status }) => status === 201);
  expect(new Set(bought.map(({ bytes }) => bytes.toString("base64"))).size).toBe(1);
  const { data } = must(await account.get<DataOf<Shipment[]>>("/shipments"), 200);
  expect(data).toHaveLength(1);
  expect(await soldLabels(world, data[0]!.id)).toBe(1);
});
