import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import { newId } from "../../domain/values/ids.ts";
import { placer } from "./place.ts";
import { pruneEvents } from "./prune.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const days = 30;
const prune = () => pruneEvents(database.db, days, new AbortController().signal);

/** A feed of so many events, of which the first are that many days old. */
async function aFeed(count: number, old: number): Promise<string> {
  const account_id = newId("acc");
  await sql`
    INSERT INTO events (account_id, id, type, subject_id, data, created_at)
    SELECT ${account_id}, ${account_id} || n, 'order.created', 'ord_a', '{}',
      now() - make_interval(days => CASE WHEN n <= ${old}::int THEN ${days}::int + 1 ELSE ${days}::int - 1 END)
    FROM generate_series(1, ${count}::int) AS n`.execute(database.db);
  const place = placer(database.db);
  while ((await place()).count > 0);
  return account_id;
}

async function deliver(account_id: string, nth: number, status: string, ended = 0): Promise<void> {
  await sql`
    INSERT INTO deliveries (account_id, id, webhook_id, event_id, event_type, trigger, status, due_at, ended_at)
    VALUES (${account_id}, ${newId("dlv")}, 'whk', ${account_id} || ${nth}::int, 'order.created', 'event', ${status},
      now(), CASE ${status} WHEN 'pending' THEN NULL ELSE now() - make_interval(days => ${ended}::int) END)`.execute(
    database.db,
  );
}

async function stateOf(account_id: string) {
  const { rows } = await sql<{ pruned: number; last: number; kept: number; oldest: number }>`
    SELECT pruned_position AS pruned, last_position AS last,
      (SELECT count(*)::int FROM events WHERE account_id = ${account_id}) AS kept,
      (SELECT min(position) FROM events WHERE account_id = ${account_id}) AS oldest
    FROM event_feeds WHERE account_id = ${account_id}`.execute(database.db);
  return rows[0]!;
}

test("events beyond their days go, slice by slice, and the feed's beginning moves with them", async () => {
  const account = await aFeed(2600, 2500);
  const young = await aFeed(5, 0);
  await prune();
  expect(await stateOf(account)).toEqual({ pruned: 2500, last: 2600, kept: 100, oldest: 2501 });
  expect(await stateOf(young)).toEqual({ pruned: 0, last: 5, kept: 5, oldest: 1 });
  await prune();
  expect(await stateOf(account)).toMatchObject({ pruned: 2500, kept: 100 });
});

test("an event with a pending delivery stays until it has ended", async () => {
  const account = await aFeed(10, 8);
  await deliver(account, 3, "delivered");
  await deliver(account, 5, "pending");
  await prune();
  expect(await stateOf(account)).toMatchObject({ pruned: 4, kept: 6, oldest: 5 });
  await sql`UPDATE deliveries SET status = 'failed', ended_at = now() WHERE account_id = ${account}`.execute(
    database.db,
  );
  await prune();
  expect(await stateOf(account)).toMatchObject({ pruned: 8, kept: 2, oldest: 9 });
});

test("a subject's sequence goes on when its events are gone", async () => {
  const account = await aFeed(4, 4);
  await prune();
  expect(await stateOf(account)).toMatchObject({ pruned: 4, kept: 0 });
  await sql`INSERT INTO events (account_id, id, type, subject_id, data)
    VALUES (${account}, ${newId("evt")}, 'order.fulfilled', 'ord_a', '{}')`.execute(database.db);
  await placer(database.db)();
  const { rows } = await sql`
    SELECT position, sequence FROM events WHERE account_id = ${account}`.execute(database.db);
  expect(rows).toEqual([{ position: 5, sequence: 5 }]);
});

test("deliveries that ended so long ago go; pending and younger ones stay", async () => {
  const account = await aFeed(3, 0);
  await deliver(account, 1, "delivered", days + 1);
  await deliver(account, 2, "failed", days - 1);
  await deliver(account, 3, "pending");
  await prune();
  const { rows } = await sql<{ status: string }>`
    SELECT status FROM deliveries WHERE account_id = ${account} ORDER BY id`.execute(database.db);
  expect(rows.map(({ status }) => status)).toEqual(["failed", "pending"]);
});
