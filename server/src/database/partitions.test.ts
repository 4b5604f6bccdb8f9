import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { keepPartitions } from "./partitions.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const day of await days())
    await sql`DROP TABLE ${sql.id(`request_log_${day}`)}`.execute(database.db);
  await sql`DELETE FROM request_log`.execute(database.db);
});

const monday = new Date("2026-10-05T14:00:00Z");
const kept = (now: Date, days = 30) =>
  keepPartitions(database.db, [{ table: "request_log", days }], now);

async function days(): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    SELECT right(inhrelid::regclass::text, 8) AS day FROM pg_inherits
    WHERE inhparent = 'request_log'::regclass AND inhrelid <> 'request_log_default'::regclass ORDER BY 1`.execute(
    database.db,
  );
  return rows.map(({ day }) => day);
}

let count = 0;
async function aLine(at: string): Promise<void> {
  await sql`
    INSERT INTO request_log (account_id, at, id, request_id, method, route, path, status, ms, actor, is_replay)
    VALUES ('acc', ${at}::timestamptz, ${`req_${(count += 1)}`}, 'r', 'GET', '/', '/', 200, 1, 'token:t', false)`.execute(
    database.db,
  );
}

/** Where the lines are: the partition of each, by their time. */
async function places(): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`
    SELECT tableoid::regclass::text AS place FROM request_log ORDER BY at`.execute(database.db);
  return rows.map(({ place }) => place);
}

test("there is a partition for today and the three days after it, by UTC", async () => {
  await kept(new Date("2026-10-05T23:59:59.999Z"));
  expect(await days()).toEqual(["20261005", "20261006", "20261007", "20261008"]);
  await kept(new Date("2026-10-06T00:00:00Z"));
  expect((await days()).at(-1)).toBe("20261009");
  await aLine("2026-10-05T23:59:59.999Z");
  await aLine("2026-10-06T00:00:00Z");
  expect(await places()).toEqual(["request_log_20261005", "request_log_20261006"]);
});

test("a partition has the indexes of its table, and refuses the same line twice", async () => {
  await kept(monday);
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_index WHERE indrelid = 'request_log_20261005'::regclass
      AND EXISTS (SELECT FROM pg_inherits WHERE inhrelid = indexrelid)`.execute(database.db);
  expect(rows[0]!.count).toBe(4);
});

test("a day is dropped when all of its rows are older than the table keeps them", async () => {
  await kept(monday, 7);
  await kept(new Date("2026-10-12T23:00:00Z"), 7);
  expect((await days())[0]).toBe("20261005");
  await kept(new Date("2026-10-13T00:00:00Z"), 7);
  expect((await days())[0]).toBe("20261006");
});

test("lines of a day without a partition are kept, stay with their day, and are pruned like the others", async () => {
  await aLine("2026-10-05T01:00:00Z");
  await aLine("2026-09-01T00:00:00Z");
  await kept(monday, 7);
  await aLine("2026-10-05T02:00:00Z");
  expect(await days()).toEqual(["20261006", "20261007", "20261008"]);
  expect(await places()).toEqual(["request_log_default", "request_log_default"]);
  await kept(new Date("2026-10-13T00:00:00Z"), 7);
  expect(await places()).toEqual([]);
});

test("many processes make each partition once", async () => {
  expect(await Promise.all(Array.from({ length: 8 }, () => kept(monday)))).toContain(true);
  await kept(monday);
  expect(await days()).toEqual(["20261005", "20261006", "20261007", "20261008"]);
});

test("a long transaction that reads a table delays neither writers nor the round, which a later one makes up for", async () => {
  await kept(monday, 7);
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  await reader.query("BEGIN; SELECT count(*) FROM request_log");
  const begun = performance.now();
  const round = kept(new Date("2026-10-14T00:00:00Z"), 7);
  await aLine("2026-10-07T12:00:00Z");
  expect(await round).toBe(false);
  expect(performance.now() - begun).toBeLessThan(5000);
  expect(await days()).toContain("20261005");
  await reader.query("COMMIT");
  await reader.end();
  expect(await kept(new Date("2026-10-14T00:00:00Z"), 7)).toBe(true);
  expect((await days())[0]).toBe("20261007");
});
