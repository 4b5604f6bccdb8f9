import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { aCutProxy } from "../../../test/faults/cut-proxy.ts";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import { activityOf } from "../../domain/scheduling/activity.ts";
import { connect } from "../connect.ts";
import { DatabaseUnavailable } from "../errors.ts";
import type { Database } from "../tables.ts";

/** The times are those of docs/reliability.md: refused within two seconds, served again within one. */

const retry = { timeout: 10_000, interval: 10 };

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** The database, monitored, through a network that can break. */
async function watched({ url = database.url, connections_max = 2 } = {}) {
  const events: string[] = [];
  const hear = (_details: object, event: string) => void events.push(event);
  const proxy = await aCutProxy(url);
  onTestFinished(() => proxy.close());
  const { db, close } = connect({
    url: proxy.url,
    connections_max,
    application_name: "watched",
    watch: { error: hear, info: hear },
  });
  onTestFinished(close);
  const until = (event: string) => vi.waitFor(() => expect(events).toContain(event), retry);
  return { proxy, db, events, until };
}

function one(db: Database): Promise<unknown> {
  return sql`SELECT 1`.execute(db);
}

/** The error of the work, and after how many milliseconds. */
async function failureOf(work: Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const begun = performance.now();
  const error: unknown = await work.then(
    () => null,
    (failure: unknown) => failure,
  );
  return { error, ms: performance.now() - begun };
}

test("an unresponsive server fails callers that wait for a response, for a connection, and those that come later", async () => {
  const { proxy, db, until, events } = await watched();
  await one(db);
  // Two have the two connections, the third waits for one.
  const statements = Array.from({ length: 3 }, () => sql`SELECT pg_sleep(60)`.execute(db));
  const failures = Promise.all(statements.map(failureOf));
  proxy.stall();
  for (const { error, ms } of await failures) {
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(ms).toBeLessThan(2000);
  }
  await until("database.unavailable");
  const { error, ms } = await failureOf(one(db));
  expect(error).toMatchObject({ name: "DatabaseUnavailable", may_have_run: false });
  expect(ms).toBeLessThan(100);

  proxy.mend();
  const mended = performance.now();
  await vi.waitFor(() => one(db), retry);
  expect(performance.now() - mended).toBeLessThan(1000);
  await until("database.available");
  expect(events).toEqual(["database.unavailable", "database.available"]);
});

test("a process of which nothing is asked refuses its next caller in time, too", async () => {
  const { proxy, db, until } = await watched();
  await one(db);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 60_000);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(activityOf(db).isQuiet()).toBe(true);
  proxy.stall();
  const { error, ms } = await failureOf(one(db));
  expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(ms).toBeLessThan(2000);
  proxy.mend();
  await until("database.available");
});

test("a statement that was sent without a response may have run; one that got no connection has not", async () => {
  const { proxy, db } = await watched({ connections_max: 1 });
  const asked = failureOf(sql`SELECT 'asked', pg_sleep(60)`.execute(db));
  const queued = failureOf(one(db));
  await vi.waitFor(async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'SELECT ''asked''%'`.execute(database.db);
    expect(rows).toHaveLength(1);
  }, retry);
  proxy.sever();
  expect((await asked).error).toMatchObject({ may_have_run: true });
  expect((await queued).error).toMatchObject({ may_have_run: false });
});

test("a slow statement on a server that answers is not cut", async () => {
  const { db, events } = await watched();
  await sql`SELECT pg_sleep(1.6)`.execute(db);
  expect(events).toEqual([]);
});

test("a process that was paused itself does not take the database for unavailable", async () => {
  const { proxy, db, events } = await watched();
  await one(db);
  proxy.stall();
  // By then the monitor has asked, and its response is on its way.
  await sql`SELECT pg_sleep(0.4)`.execute(database.db);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);
  proxy.mend();
  await sql`SELECT pg_sleep(0.4)`.execute(db);
  expect(events).toEqual([]);
});

test("connections that are cut do not make the database unavailable: the next ones work at once", async () => {
  const { proxy, db, events } = await watched();
  await one(db);
  proxy.cut();
  await vi.waitFor(() => one(db), retry);
  // The monitor has found its own connection cut by now, and has another.
  const watchers = () =>
    sql`SELECT FROM pg_stat_activity
      WHERE application_name = 'watched watch' AND datname = current_database()`.execute(
      database.db,
    );
  await vi.waitFor(async () => expect((await watchers()).rows).toHaveLength(1), retry);
  expect(events).toEqual([]);
});

test("a server without room for the monitor counts as available", async () => {
  const name = `limited_${process.pid}`;
  await sql`CREATE ROLE ${sql.id(name)} LOGIN PASSWORD 'limited' CONNECTION LIMIT 2`.execute(
    database.db,
  );
  onTestFinished(() => sql`DROP ROLE ${sql.id(name)}`.execute(database.db).then(() => undefined));
  const url = new URL(database.url);
  url.username = name;
  url.password = "limited";
  const limited = connect({ url: url.href, connections_max: 2, application_name: "limited" });
  onTestFinished(() => limited.close());
  await Promise.all([1, 2].map(() => sql`SELECT pg_sleep(0.1)`.execute(limited.db)));
  const { db, events } = await watched({ url: url.href });
  const { error } = await failureOf(one(db));
  expect(error).toMatchObject({ name: "DatabaseUnavailable", cause: { code: "53300" } });
  await limited.close();
  await vi.waitFor(() => one(db), retry);
  expect(events).toEqual([]);
});
