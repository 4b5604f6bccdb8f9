import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { untilBackendWaits } from "../../../test/faults/moments.ts";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import { connect, inTransaction } from "../../database/connect.ts";
import type { Database } from "../../database/tables.ts";
import { bySystem } from "../../domain/accounts/principal.ts";
import { eventTypes, typesFor, type EventType } from "../../domain/events/catalogue.ts";
import { sampleOf } from "../../domain/events/sample.ts";
import { newId } from "../../domain/values/ids.ts";
import { recordEvents, type Event } from "../outbox.ts";
import { pauseUntilWoken } from "../wake-placing.ts";
import { countUnplaced, lockFeed, placeNext } from "./place-store.ts";
import { placer } from "./place.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const sku = { status: "Imported", previous_status: null } as const;

/** An event as it was written: what its subject had become by it is `nth`. */
interface Written {
  account_id: string;
  subject_id: string;
  nth: number;
  type?: EventType;
}

async function write(db: Database, events: Written[]): Promise<void> {
  await inTransaction(db, (tx) => recordEvents(tx, events.map(eventOf)));
}

function eventOf({ account_id, subject_id, nth, type = "product.status_changed" }: Written) {
  const data =
    type === "product.status_changed" ? { ...sku, sku: String(nth) } : sampleOf(type).data;
  return { account_id, type, subject_id, data, by: bySystem("test") } as Event;
}

async function placeAll(db: Database): Promise<void> {
  const place = placer(db);
  while ((await place()).count > 0);
}

interface Row {
  subject_id: string;
  type: string;
  nth: number;
  position: number;
  sequence: number;
}

async function feedOf(account_id: string, after = 0): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT subject_id, type, (data ->> 'sku')::int AS nth, position, sequence FROM events
    WHERE account_id = ${account_id} AND position > ${after} ORDER BY position`.execute(
    database.db,
  );
  return rows;
}

const positionsOf = (rows: Row[]) => rows.map(({ position }) => position);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Commits the events of one subject in the order of a lock, as rows of subjects are locked, and slowly. */
async function happen(db: Database, subject: Written): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext(${subject.subject_id}))`.execute(tx);
    await recordEvents(tx, [eventOf({ ...subject, nth: ++subject.nth })]);
    await sql`SELECT pg_sleep(random() * 0.01)`.execute(tx);
  });
}

test("events have the positions 1…n of their account, and each subject's the sequences 1…m", async () => {
  const [one, two] = [newId("acc"), newId("acc")];
  for (let nth = 1; nth <= 3; nth++)
    await write(database.db, [
      { account_id: one, subject_id: "prd_a", nth },
      { account_id: one, subject_id: "prd_b", nth },
      { account_id: two, subject_id: "prd_a", nth },
    ]);
  await placeAll(database.db);
  await write(database.db, [{ account_id: one, subject_id: "prd_a", nth: 4 }]);
  await placeAll(database.db);
  const [first, second] = [await feedOf(one), await feedOf(two)];
  expect(positionsOf(first)).toEqual(upTo(7));
  expect(positionsOf(second)).toEqual(upTo(3));
  for (const row of [...first, ...second]) expect(row.sequence, row.subject_id).toBe(row.nth);
});

test("more events than a round takes are placed by the next rounds, however they were recorded", async () => {
  const account_id = newId("acc");
  const events = upTo(1450).map((nth) => ({ account_id, subject_id: `prd_${nth % 7}`, nth }));
  for (const nth of upTo(30)) await write(database.db, [events[nth - 1]!]);
  await write(database.db, events.slice(30));
  const place = placer(database.db);
  // 30 rows of one event, and ten of a hundred, of which the last are beyond the limit.
  expect(await place()).toMatchObject({ count: 1030, is_more: true });
  await placeAll(database.db);
  const placed = await feedOf(account_id);
  expect(positionsOf(placed)).toEqual(upTo(1450));
  expect(placed.map(({ nth }) => nth)).toEqual(upTo(1450));
  const sequences = placed.map(({ nth }) => Math.ceil(nth / 7));
  expect(placed.map(({ sequence }) => sequence)).toEqual(sequences);
});

test("however many write, place and read at once, a reader sees each event once, and none is left out", async () => {
  const accounts = [newId("acc"), newId("acc"), newId("acc")];
  const subjects = accounts.flatMap((account_id) =>
    upTo(4).map((n): Written => ({ account_id, subject_id: `${account_id}_${n}`, nth: 0 })),
  );
  let isWriting = true;
  const placing = upTo(6).map(async () => {
    const own = connect({ url: database.url, connections_max: 1, application_name: "placer" });
    onTestFinished(() => own.close());
    const place = placer(own.db);
    while ((await place()).count > 0 || isWriting);
  });
  const seen = new Map(accounts.map((account_id) => [account_id, [] as Row[]]));
  const reading = accounts.map(async (account_id) => {
    const rows = seen.get(account_id)!;
    const read = async () => {
      const news = await feedOf(account_id, rows.length === 0 ? 0 : rows.at(-1)!.position);
      rows.push(...news);
    };
    while (isWriting) await read();
    return read;
  });
  await Promise.all(
    subjects.flatMap((subject) =>
      upTo(2).map(async () => {
        for (let nth = 0; nth < 20; nth++) await happen(database.db, subject);
      }),
    ),
  );
  isWriting = false;
  await Promise.all(placing);
  await placeAll(database.db);
  for (const read of await Promise.all(reading)) await read();
  for (const [account_id, rows] of seen) {
    expect(positionsOf(rows), account_id).toEqual(upTo(160));
    for (const row of rows) expect(row.sequence, row.subject_id).toBe(row.nth);
  }
});

async function aWebhook(account_id: string, more: object = {}): Promise<string> {
  const id = newId("whk");
  await database.db
    .insertInto("webhooks")
    .values({
      account_id,
      id,
      url: "https://hooks.example.com",
      description: null,
      types: ["*"],
      status: "enabled",
      disabled_reason: null,
      since_position: 0,
      due_at: null,
      holder_id: null,
      failing_since: null,
      last_success_at: null,
      created_at: new Date(),
      updated_at: new Date(),
      ...more,
    })
    .execute();
  return id;
}

async function deliveriesTo(webhook_id: string) {
  return database.db
    .selectFrom("deliveries")
    .select(["event_type", "status", "trigger", "attempt_count"])
    .where("webhook_id", "=", webhook_id)
    .orderBy("id")
    .execute();
}

test("each enabled webhook gets a delivery of the events that its types select, due at once", async () => {
  const account_id = newId("acc");
  const wanted = [["*"], ["shipment.*", "token.created"], ["token.*"], ["credits.low_balance"]];
  const webhooks = await Promise.all(wanted.map((types) => aWebhook(account_id, { types })));
  const off = await aWebhook(account_id, { status: "disabled" });
  const others = await aWebhook(newId("acc"));
  const types = Object.keys(eventTypes) as EventType[];
  await write(
    database.db,
    types.map((type, nth) => ({ account_id, subject_id: "any", nth, type })),
  );
  await placeAll(database.db);
  for (const [index, webhook] of webhooks.entries()) {
    const deliveries = await deliveriesTo(webhook);
    expect(deliveries.map(({ event_type }) => event_type)).toEqual(typesFor(wanted[index]!));
    expect(new Set(deliveries.map(({ trigger, status }) => `${trigger} ${status}`))).toEqual(
      new Set(["event pending"]),
    );
  }
  expect([...(await deliveriesTo(off)), ...(await deliveriesTo(others))]).toEqual([]);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM webhooks WHERE due_at <= now() AND account_id = ${account_id} ORDER BY id`.execute(
    database.db,
  );
  expect(rows.map(({ id }) => id)).toEqual([...webhooks].sort());
});

test("a webhook is not told of events before it, nor of what is about itself", async () => {
  const account_id = newId("acc");
  const [one, two] = [await aWebhook(account_id), await aWebhook(account_id)];
  const late = await aWebhook(account_id, { since_position: 1 });
  await write(database.db, [
    { account_id, subject_id: one, nth: 1, type: "webhook.failing" },
    { account_id, subject_id: "prd", nth: 2 },
  ]);
  await placeAll(database.db);
  const counts = await Promise.all(
    [one, two, late].map(async (id) => (await deliveriesTo(id)).length),
  );
  expect(counts).toEqual([1, 2, 1]);
});

test("an event is not placed while its feed is locked; one not yet placed goes to a webhook made meanwhile", async () => {
  const account_id = newId("acc");
  await write(database.db, [{ account_id, subject_id: "prd", nth: 1 }]);
  await placeAll(database.db);
  await write(database.db, [{ account_id, subject_id: "prd", nth: 2 }]);
  const other = connect({ url: database.url, connections_max: 2, application_name: "placer" });
  onTestFinished(() => other.close());
  const webhook = newId("whk");
  await database.db.transaction().execute(async (tx) => {
    const since_position = await lockFeed(tx, account_id);
    expect(since_position).toBe(1);
    expect(await placer(other.db)()).toMatchObject({ count: 0 });
    await sql`INSERT INTO webhooks (account_id, id, url, types, status, since_position, created_at, updated_at)
      VALUES (${account_id}, ${webhook}, 'https://hooks.example.com', '{*}', 'enabled', ${since_position}, now(), now())`.execute(
      tx,
    );
  });
  await placeAll(database.db);
  expect(await deliveriesTo(webhook)).toHaveLength(1);
});

test("a delivery is later than its event, also of one that happened while others were being placed", async () => {
  const account_id = newId("acc");
  const webhook = await aWebhook(account_id);
  await write(database.db, [{ account_id, subject_id: "prd", nth: 1 }]);
  const other = connect({ url: database.url, connections_max: 2, application_name: "placer" });
  onTestFinished(() => other.close());
  const placing = await database.db.transaction().execute(async (tx) => {
    await sql`LOCK TABLE webhooks`.execute(tx);
    const placed = placer(other.db)();
    await untilBackendWaits(database.db);
    await write(database.db, [{ account_id, subject_id: "prd", nth: 2 }]);
    return { placed };
  });
  expect((await placing.placed).count).toBe(2);
  const { rows } = await sql<{ is_later: boolean }>`
    SELECT deliveries.created_at > events.created_at AS is_later FROM deliveries
    JOIN events ON events.account_id = deliveries.account_id AND events.id = deliveries.event_id
    WHERE webhook_id = ${webhook}`.execute(database.db);
  expect(rows).toEqual([{ is_later: true }, { is_later: true }]);
});

test("events that wait are counted, whatever rows they are in, up to a limit", async () => {
  const account_id = newId("acc");
  await placeAll(database.db);
  expect(await countUnplaced(database.db, 1000)).toBe(0);
  await write(
    database.db,
    upTo(150).map((nth) => ({ account_id, subject_id: "prd", nth })),
  );
  await write(database.db, [{ account_id: newId("acc"), subject_id: "prd", nth: 1 }]);
  expect(await countUnplaced(database.db, 1000)).toBe(151);
  expect(await countUnplaced(database.db, 120)).toBe(120);
  await placeAll(database.db);
});

test("an event that has a position by now is not placed again", async () => {
  const account_id = newId("acc");
  await write(database.db, [{ account_id, subject_id: "prd", nth: 1 }]);
  const other = connect({ url: database.url, connections_max: 2, application_name: "placer" });
  onTestFinished(() => other.close());
  const last_position = await inTransaction(database.db, (tx) => lockFeed(tx, account_id));
  const placing = await database.db.transaction().execute(async (tx) => {
    await placeNext([{ account_id, last_position }], 200).execute(tx);
    // It sees the event without its position, and waits for this transaction.
    const ended = placeNext([{ account_id, last_position }], 200).execute(other.db);
    await untilBackendWaits(database.db);
    return { ended };
  });
  expect((await placing.ended).rows).toEqual([]);
  expect(positionsOf(await feedOf(account_id))).toEqual([1]);
});

test("a placer whose connection dies at any moment leaves no gap, and others go on", async () => {
  const account_id = newId("acc");
  const dying = connect({ url: database.url, connections_max: 1, application_name: "dying" });
  onTestFinished(() => dying.close());
  const place = placer(dying.db);
  let isOver = false;
  let killed = 0;
  const killing = (async () => {
    while (!isOver) {
      const { rows } = await sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'dying' AND xact_start IS NOT NULL`.execute(database.db);
      killed += rows.length;
    }
  })();
  for (let nth = 1; nth <= 200 || killed < 10; nth++) {
    await write(database.db, [{ account_id, subject_id: "prd", nth }]);
    await place().catch(() => null);
    if (nth % 20 === 0) await placeAll(database.db);
  }
  isOver = true;
  await killing;
  await placeAll(database.db);
  const rows = await feedOf(account_id);
  expect(positionsOf(rows)).toEqual(upTo(rows.length));
  for (const { sequence, nth } of rows) expect(sequence).toBe(nth);
});

test("the loop that places waits for a commit of this process, and never longer than its pause", async () => {
  const pauseOf = pauseUntilWoken(database.db);
  const stop = new AbortController();
  const woken = pauseOf(600_000, stop.signal);
  await write(database.db, [{ account_id: newId("acc"), subject_id: "prd", nth: 1 }]);
  await woken;
  await write(database.db, [{ account_id: newId("acc"), subject_id: "prd", nth: 1 }]);
  await pauseOf(600_000, stop.signal);
  await pauseOf(60, stop.signal);
  const stopped = pauseOf(600_000, stop.signal);
  stop.abort();
  await stopped;
});
