import { sql } from "kysely";
import { createParser } from "eventsource-parser";
import { request } from "undici";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { eventTypes, typesFor, type EventType } from "../../src/domain/events/catalogue.ts";
import { problemsOf } from "../../src/domain/validation/validation.ts";
import type { EventPayload } from "../../src/events/payload.ts";
import { createBatch, createMany, processBatch, untilProcessed } from "../batches.ts";
import { outcomeOf, type DataOf } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { anOrder, order, shipped } from "../orders.ts";
import { aLabelled, cancel, schedule, scheduled, steered } from "../pickups.ts";
import { rule } from "../rules.ts";
import { aShipment, aSteeredShipment, ottawa } from "../shipments.ts";
import { ahead } from "../tracking.ts";
import { webhookReceiver, type WebhookReceiver } from "../webhook-receiver.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/**
 * All journeys of an account, told to three integrators at once: a receiver written with `standardwebhooks`
 * alone, a reader of the feed, and a reader of the stream that is cut off again and again.
 */

let world: World;
let account: TestAccount;
const receivers: WebhookReceiver[] = [];
beforeAll(async () => {
  world = await aPlatform({
    WAYBILL_WEBHOOK_ALLOW: "127.0.0.1",
    WAYBILL_WEBHOOK_SCHEDULE: "1,1,1,1,1",
    WAYBILL_REFUND_HOLD_DAYS_TEST: "0",
    WAYBILL_TRACKING_FIRST_POLL_SECONDS_TEST: "0",
    WAYBILL_TRACKING_POLL_SECONDS_TEST: "1",
  });
  account = await anAccount(world, { balance_cents: 500_000 });
});
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
  await world.close();
});

const waiting = { timeout: 40_000, interval: 100 };

interface Row {
  id: string;
  type: EventType;
  position: string | null;
}

/** What was written, as the database has it. */
async function written(): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT id, type, position::text FROM recorded_events WHERE account_id = ${account.account_id}
    ORDER BY recorded_events.position`.execute(world.db);
  return rows;
}

/** Resolves once everything that was written has its place; the feed's end. */
function untilPlaced(): Promise<string> {
  return vi.waitFor(async () => {
    const rows = await written();
    expect(rows.filter(({ position }) => position === null)).toEqual([]);
    return rows.at(-1)?.position ?? "0";
  }, waiting);
}

async function subscribe(types: string[], fails: (count: number) => number) {
  const receiver = await webhookReceiver({ statusOf: fails });
  receivers.push(receiver);
  const body = { url: receiver.url, types };
  const { data } = must(
    await account.post<DataOf<{ id: string; secret: string }>>("/webhooks", body),
    201,
  );
  receiver.trust(data.secret);
  return { id: data.id, receiver };
}

interface Page {
  data: EventPayload[];
  meta: { next_cursor: string; caught_up: boolean };
}

/** Reads the feed by small pages, up to the event at this cursor. */
async function readFeed(after: string, until: string): Promise<EventPayload[]> {
  const events: EventPayload[] = [];
  for (let cursor = after; Number(cursor) < Number(until);) {
    const page = must(await account.get<Page>(`/events?after=${cursor}&limit=7&wait=2`), 200);
    events.push(...page.data);
    cursor = page.meta.next_cursor;
  }
  return events.filter(({ cursor }) => Number(cursor) <= Number(until));
}

/** Follows the stream, and drops the connection after each fifth event; it resumes behind the last one. */
function followStream(after: string) {
  const events: EventPayload[] = [];
  const stop = new AbortController();
  const connect = async () => {
    const cursor = events.at(-1)?.cursor ?? after;
    const { body } = await request(`${account.base_url}/events/stream`, {
      headers: { authorization: `Bearer ${account.token}`, "last-event-id": cursor },
      signal: stop.signal,
    });
    let left = 5;
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        if (left-- <= 0) return;
        const payload = JSON.parse(data) as EventPayload;
        expect([id, event]).toEqual([payload.cursor, payload.type]);
        events.push(payload);
      },
    });
    for await (const chunk of body as AsyncIterable<Buffer>) {
      parser.feed(chunk.toString());
      if (left <= 0) break;
    }
  };
  const following = (async () => {
    while (!stop.signal.aborted) await connect();
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return {
    events,
    async stop() {
      stop.abort();
      await following;
    },
  };
}

const statusOf = async (id: string) => (await account.show(id)).status;

/** Parcels: bought, voided, refused, refunded and not. */
async function shipParcels(): Promise<void> {
  const draft = await account.create(aShipment());
  must(await account.post(`/shipments/${draft.id}/void`, {}), 200);
  const returned = await account.create(aShipment());
  await account.bought(returned.id);
  must(await account.post(`/shipments/${returned.id}/void`, {}), 200);
  const refused = await account.create(aSteeredShipment("sim:refuse"));
  expect((await account.buy(refused.id)).status).toBeGreaterThanOrEqual(400);
  const used = await account.create(aSteeredShipment("sim:used_label"));
  await account.bought(used.id);
  must(await account.post(`/shipments/${used.id}/void`, {}), 200);
  const lost = await account.create(aSteeredShipment("sim:lost_answer"));
  expect(outcomeOf(await account.buy(lost.id))).toBe("409 purchase_pending");
  await vi.waitFor(async () => expect(await statusOf(lost.id)).toBe("purchased"), waiting);
  const tracked = await account.create(aShipment());
  await account.bought(tracked.id, { service: "purolator.ground" });
  await ahead(world, 200);
}

async function shipFreight(): Promise<void> {
  const { id } = await account.create(aFreight());
  await account.bought(id);
  must(await account.post(`/ltl/${id}/cancel`, {}), 200);
}

async function shipManyAndOrders(): Promise<void> {
  const { id } = await createBatch(account, await createMany(account, [aShipment(), aShipment()]));
  must(await processBatch(account, id), 202);
  await untilProcessed(account, id);
  const sold = await order(account, anOrder({ from_address: ottawa }));
  await account.bought((await shipped(account, sold.id)).id);
}

async function fetchParcels(): Promise<void> {
  const { id } = await scheduled(account, await aLabelled(account));
  must(await cancel(account, id), 200);
  const nobodyComes = await aLabelled(account, "purolator", steered("sim:refuse"));
  await schedule(account, { shipment_ids: [nobodyComes] });
}

async function manage(): Promise<void> {
  must(await account.post("/credits/top-up", { amount: 40 }), 201);
  const minted = await account.post<DataOf<{ id: string }>>("/tokens", {
    name: "Warehouse",
    scopes: ["shipments:read"],
  });
  must(await account.delete(`/tokens/${must(minted, 201).data.id}`), 204);
  const products = [{ sku: "MUG-01", title: "Mug" }];
  must(await account.post("/imports/products", { format: "json", products }), 202);
  await rule(account, { actions: [{ type: "buy_label", max_total: 0.01 }] });
  await account.create(aShipment({ service: "cheapest" }));
}

/** The balance falls below a threshold that lies just under it. */
async function runLow(): Promise<void> {
  const low_balance_threshold = (await account.balance()).balance - 1;
  const path = `/accounts/${account.account_id}/settings`;
  must(await world.operator.patch(path, { low_balance_threshold }), 200);
  const { id } = await account.create(aShipment());
  await account.bought(id);
}

const happening: EventType[] = [
  "shipment.created",
  "shipment.purchased",
  "shipment.purchase_failed",
  "shipment.voided",
  "ltl.booked",
  "ltl.cancelled",
  "refund.approved",
  "refund.rejected",
  "tracking.updated",
  "batch.completed",
  "pickup.scheduled",
  "pickup.cancelled",
  "pickup.failed",
  "order.created",
  "order.fulfilled",
  "product.status_changed",
  "import.completed",
  "rule.failed",
  "credits.topped_up",
  "credits.low_balance",
  "token.created",
  "token.revoked",
  "webhook.disabled",
];

test("a receiver, a reader of the feed and one of the stream each see every event of all journeys as promised", async () => {
  const head = await untilPlaced();
  const all = await subscribe(["*", "token.*"], (count) => (count % 7 === 3 ? 500 : 204));
  const most = await subscribe(["*"], () => 200);
  const gone = await subscribe(["shipment.created"], () => 410);
  const stream = followStream(head);
  onTestFinished(stream.stop);
  await Promise.all([shipParcels(), shipFreight(), shipManyAndOrders(), fetchParcels()]);
  await manage();
  await runLow();
  await vi.waitFor(async () => {
    const types = new Set((await written()).map(({ type }) => type));
    expect(happening.filter((type) => !types.has(type))).toEqual([]);
  }, waiting);
  await ahead(world, 0);
  const end = await untilPlaced();

  const feed = await readFeed(head, end);
  // Parcels go on being scanned: what is not placed yet is of a later end.
  const told = (await written()).filter(
    ({ position }) => position !== null && BigInt(position) > BigInt(head),
  );
  expect(feed.map(({ id, cursor }) => [id, cursor])).toEqual(
    told.slice(0, feed.length).map(({ id, position }) => [id, position]),
  );
  expect(feed.map(({ cursor }) => Number(cursor) - Number(head))).toEqual(
    feed.map((_event, index) => index + 1),
  );
  await vi.waitFor(() => expect(stream.events.length).toBeGreaterThanOrEqual(feed.length), waiting);
  await stream.stop();
  expect(stream.events.slice(0, feed.length)).toEqual(feed);

  for (const { receiver, types } of [
    { ...all, types: typesFor(["*", "token.*"]) },
    { ...most, types: typesFor(["*"]) },
  ]) {
    const promised = feed.filter(({ type }) => types.includes(type as EventType));
    await vi.waitFor(() => {
      const ids = new Set(receiver.accepted.map(({ id }) => id));
      expect(promised.filter(({ id }) => !ids.has(id))).toEqual([]);
    }, waiting);
    expect(receiver.refused).toBe(0);
    const known = new Map((await readFeed(head, await untilPlaced())).map((e) => [e.id, e]));
    for (const { id, body, event, headers } of receiver.received) {
      expect(body).toBe(JSON.stringify(known.get(id)));
      expect(types).toContain(event.type);
      expect(headers["request-id"] ?? null).toBe(event.request_id);
    }
  }
  expect(most.receiver.received.length).toBe(most.receiver.accepted.length);
  expect(new Set(most.receiver.received.map(({ id }) => id)).size).toBe(
    most.receiver.received.length,
  );
  const { data } = must(await account.get<DataOf<object>>(`/webhooks/${gone.id}`), 200);
  expect(data).toMatchObject({ status: "disabled", disabled_reason: "gone" });

  expectPromises(await readFeed("0", end));
}, 120_000);

/** What docs/events.md says of every event. */
function expectPromises(feed: EventPayload[]): void {
  const sequences = new Map<string, number>();
  for (const event of feed) {
    const { data } = eventTypes[event.type as EventType];
    expect(problemsOf(data, event.data), event.type).toEqual({});
    expect(event).toMatchObject({ api_version: "v5", environment: "test" });
    expect(event.actor, event.type).not.toBeNull();
    const sequence = (sequences.get(event.subject_id) ?? 0) + 1;
    expect(event.sequence, event.subject_id).toBe(sequence);
    sequences.set(event.subject_id, sequence);
    expect(JSON.stringify(event).length).toBeLessThan(2048);
  }
  const persons = /Morag|Ferguson|Delia|Rideau|Lower Water|Wellington|902-555|613-555|shop@example/;
  expect(JSON.stringify(feed)).not.toMatch(persons);
}
