import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { migrate, readMigrations } from "../src/database/migrate.ts";
import type { Database } from "../src/database/tables.ts";
import { placer } from "../src/events/feed/place.ts";
import { bareDatabase } from "../test/setup/database.ts";

const before = readMigrations().filter(({ name }) => name < "0067");

/** As processes of the release before insert it. */
async function insertEvent(db: Database, id: string, subject_id = "ord_a"): Promise<void> {
  await sql`
    INSERT INTO events (account_id, id, type, subject_id, data, actor, request_id)
    SELECT account_id, id, type, subject_id, data, actor, request_id
    FROM jsonb_populate_recordset(NULL::events, jsonb_build_array(jsonb_build_object('account_id', 'acc_1', 'id', ${id}::text,
      'type', 'order.created', 'subject_id', ${subject_id}::text, 'data', '{"a": 1}'::jsonb, 'actor', 'token:tok_1',
      'request_id', 'req_1')))`.execute(db);
}

async function placedIn(db: Database): Promise<[string, number, number][]> {
  const place = placer(db);
  while ((await place()).count > 0);
  const { rows } = await sql<{ id: string; position: number; sequence: number }>`
    SELECT id, position, sequence FROM events ORDER BY position`.execute(db);
  return rows.map(({ id, position, sequence }) => [id, position, sequence]);
}

test("events that wait, and those that processes of the release before record, are placed once, in their order", async () => {
  const { db, close } = await bareDatabase();
  onTestFinished(close);
  await migrate(db, before);
  for (const id of ["evt_z", "evt_y", "evt_x"]) await insertEvent(db, id);
  // Of a release before 0041; and one that is placed.
  await sql`UPDATE events SET made = NULL WHERE id = 'evt_x'`.execute(db);
  await insertEvent(db, "evt_placed");
  await sql`UPDATE events SET position = 1, sequence = 1 WHERE id = 'evt_placed'`.execute(db);
  await sql`INSERT INTO event_feeds (account_id, last_position) VALUES ('acc_1', 1)`.execute(db);
  await sql`INSERT INTO event_subjects VALUES ('acc_1', 'ord_a', 1)`.execute(db);
  await migrate(db);
  await insertEvent(db, "evt_w");
  await insertEvent(db, "evt_b", "ord_b");
  expect(await placedIn(db)).toEqual([
    ["evt_placed", 1, 1],
    ["evt_x", 2, 2],
    ["evt_z", 3, 3],
    ["evt_y", 4, 4],
    ["evt_w", 5, 5],
    ["evt_b", 6, 1],
  ]);
  const { rows } = await sql`
    SELECT type, subject_id, data, actor, request_id, created_at IS NOT NULL AS is_dated FROM events
    WHERE id IN ('evt_x', 'evt_w')`.execute(db);
  const event = { type: "order.created", subject_id: "ord_a", data: { a: 1 }, is_dated: true };
  const wanted = { ...event, actor: "token:tok_1", request_id: "req_1" };
  expect(rows).toEqual([wanted, wanted]);
});
