import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../test/setup/database.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { byCriteria } from "../criteria/criteria-queries.ts";
import { asByCriteria, onBehalfOf, onNobodysBehalf } from "./on-behalf-of.ts";
import type { Database } from "../tables.ts";

/** With all of its connections open: opening one may fail on a busy machine, which frees a place for others. */
async function aDatabase(): Promise<Database> {
  const { db, close } = await testDatabase();
  onTestFinished(close);
  await openConnections(db, 20);
  return db;
}

async function openConnections(db: Database, count: number): Promise<void> {
  if (count > 0) await db.connection().execute(() => openConnections(db, count - 1));
}

const long = 4;
const sleep = (db: Database) => sql`SELECT pg_sleep(${long})`.execute(db);

/** How many statements run at the moment, however many wait for a connection. */
async function sleepers(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep%'
      AND pid <> pg_backend_pid()`.execute(db);
  return rows[0]!.count;
}

test("one account has at most half of the connections for accounts; the others, and the platform, continue", async () => {
  const db = await aDatabase();
  const greedy = Promise.allSettled(
    Array.from({ length: 60 }, () => onBehalfOf("acc_greedy", () => sleep(db))),
  );
  await expect.poll(() => sleepers(db), { interval: 20 }).toBe(8);
  const begun = performance.now();
  const others = ["acc_1", "acc_2", "acc_3"].flatMap((id) => [id, id]);
  await Promise.all(others.map((id) => onBehalfOf(id, () => sql`SELECT 1`.execute(db))));
  await onNobodysBehalf(() => sql`SELECT 1`.execute(db));
  expect(performance.now() - begun).toBeLessThan(1000);
  expect(await sleepers(db)).toBe(8);
  const ends = await greedy;
  // A caller that gets none within a second and a half gets an error.
  expect(ends.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
}, 30_000);

test("of an account's connections at most one runs statements by criteria, so that its other calls continue", async () => {
  const db = await aDatabase();
  const slow = Promise.allSettled(
    Array.from({ length: 30 }, () => onBehalfOf("acc_1", () => asByCriteria(() => sleep(db)))),
  );
  await expect.poll(() => sleepers(db), { interval: 20 }).toBe(1);
  const begun = performance.now();
  await onBehalfOf("acc_1", () => sql`SELECT 1`.execute(db));
  await onBehalfOf("acc_2", () => byCriteria(db, 500, (tx) => sql`SELECT 1`.execute(tx)));
  expect(performance.now() - begun).toBeLessThan(1000);
  await slow;
}, 30_000);

test("a statement by criteria ends at its own timeout, with an error of its own, and leaves the connection as it was", async () => {
  const db = await aDatabase();
  const begun = performance.now();
  const failure = await onBehalfOf("acc_1", () =>
    byCriteria(db, 200, (tx) => sql`SELECT pg_sleep(9)`.execute(tx)),
  ).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ApiError);
  expect([(failure as ApiError).code, (failure as ApiError).status]).toEqual([
    "criteria_too_slow",
    422,
  ]);
  expect(performance.now() - begun).toBeLessThan(3000);
  await Promise.all(Array.from({ length: 20 }, () => sql`SELECT pg_sleep(0.4)`.execute(db)));
}, 20_000);
