import { createServer, type AddressInfo, type Socket } from "node:net";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { aToken, anAccount, call, testApi, type TestApi } from "../../test/api.ts";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { untilBackendWaits } from "../../test/faults/moments.ts";
import { aCutProxy, commitOf } from "../../test/faults/cut-proxy.ts";
import { openLogWriter } from "../wiring/open-request-log.ts";
import { newId } from "../domain/values/ids.ts";
import { noteGapsOfTheDead } from "./store.ts";

let database: TestDatabase;
let api: TestApi;
let token: string;
beforeAll(async () => {
  database = await testDatabase();
  api = await testApi({ beside: database, settings: { WAYBILL_RATE_LIMITS: "off" } });
  token = await aToken(api, await anAccount(api), { scopes: ["shipments:read"] });
});
afterAll(async () => {
  await api.close();
  await database.close();
});

const statusesOf = async (count: number) => {
  const asked = Array.from({ length: count }, () => call(api, { token, path: "/shipments" }));
  return [...new Set((await Promise.all(asked)).map(({ statusCode }) => statusCode))];
};

async function countOf(table: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`SELECT count(*)::int AS count FROM ${sql.table(table)}`.execute(api.db);
  return rows[0]!.count;
}

test("while the log cannot be written requests answer the same; the oldest lines are lost, counted and shown as a gap", async () => {
  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  await blocker.query("BEGIN; LOCK TABLE request_log IN ACCESS EXCLUSIVE MODE");
  const stop = openLogWriter(api.platform, database.url);
  expect(await statusesOf(50)).toEqual([200]);
  const { request_log: ring, metrics } = api.platform;
  const at = new Date();
  for (let count = 0; count < 6000; count++) ring.append(aLine(at));
  expect(await statusesOf(50)).toEqual([200]);
  // A line is left once the answer has gone, which may be after it has come.
  const dropped = async () => (await metrics.request_log_dropped.get()).values[0]!.value;
  await expect.poll(dropped).toBe(1100);
  expect(await countOf("request_log_gaps")).toBe(0);
  await blocker.query("COMMIT");
  await blocker.end();
  await expect.poll(() => countOf("request_log"), { timeout: 30_000 }).toBe(5000);
  await stop();
  const gaps = await sql`
    SELECT process_id, sum(line_count)::int AS lines FROM request_log_gaps GROUP BY process_id`.execute(
    api.db,
  );
  expect(gaps.rows).toEqual([{ process_id: api.platform.process_id, lines: 1100 }]);
});

test("lines of a day whose partition is made while they are written are written again, and none is lost", async () => {
  const at = new Date("2031-05-06T12:00:00Z");
  const countBefore = await countOf("request_log_gaps");
  const maker = new pg.Client({ connectionString: database.url });
  await maker.connect();
  await maker.query(`BEGIN; CREATE TABLE request_log_20310506 (LIKE request_log INCLUDING ALL);
    ALTER TABLE request_log ATTACH PARTITION request_log_20310506 FOR VALUES FROM ('2031-05-06Z') TO ('2031-05-07Z')`);
  const stop = openLogWriter(api.platform, database.url);
  api.platform.request_log.append(aLine(at));
  // The line is on its way to the default partition, which is for other days after the commit.
  await untilBackendWaits(api.db);
  await maker.query("COMMIT");
  await maker.end();
  await expect.poll(() => countOf("request_log_20310506")).toBe(1);
  await stop();
  expect(await countOf("request_log_gaps")).toBe(countBefore);
});

function aLine(at: Date) {
  const request = {
    account_id: "acc",
    at,
    id: newId("req"),
    request_id: "r",
    method: "GET",
    route: "/",
    path: "/",
    status: 200,
    ms: 1,
    actor: "token:t",
    is_replay: false,
  };
  return {
    request: {
      ...request,
      idempotency_key: null,
      error_code: null,
      ip: null,
      subject_id: null,
    },
    bodies: null,
    subject_ids: [],
  };
}

test.each(["answer", "statement"] as const)(
  "when the %s of the log's COMMIT is lost, its lines are written again and stand once",
  async (lost) => {
    const proxy = await aCutProxy(database.url);
    const lines = await countOf("request_log");
    const gaps = await countOf("request_log_gaps");
    const stop = openLogWriter(api.platform, proxy.url);
    const isCut = proxy.cutAt(commitOf(/INSERT INTO request_log/, lost));
    expect(await statusesOf(20)).toEqual([200]);
    await isCut;
    await expect.poll(() => countOf("request_log")).toBe(lines + 20);
    await stop();
    expect(await countOf("request_log")).toBe(lines + 20);
    expect(await countOf("request_log_gaps")).toBe(gaps);
    await proxy.close();
  },
);

test("a database that accepts connections and never answers delays no request, and the stop ends", async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket)).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const stop = openLogWriter(api.platform, `postgres://nobody@127.0.0.1:${port}/none`);
  expect(await statusesOf(100)).toEqual([200]);
  await expect.poll(() => sockets.size, { timeout: 5000 }).toBeGreaterThan(0);
  expect(await statusesOf(100)).toEqual([200]);
  await stop();
});

test("lines that come one after the other are written by one statement each quarter of a second", async () => {
  const at = new Date();
  const stop = openLogWriter(api.platform, database.url);
  const begun = performance.now();
  let appended = 0;
  for (; performance.now() - begun < 700; appended++) {
    api.platform.request_log.append({ ...aLine(at), request: { ...aLine(at).request, ms: 4321 } });
    // As long as a call takes.
    await sql`SELECT 1`.execute(api.db);
  }
  await stop();
  const quarters = (performance.now() - begun) / 250;
  const { rows } = await sql<{ writes: number; lines: number }>`
    SELECT count(DISTINCT xmin::text)::int AS writes, count(*)::int AS lines
    FROM request_log WHERE ms = 4321`.execute(api.db);
  expect(rows[0]!.lines).toBe(appended);
  expect(rows[0]!.writes).toBeLessThanOrEqual(quarters + appended / 1000 + 2);
});

test("what is in memory at the stop is written", async () => {
  const stop = openLogWriter(api.platform, database.url);
  const before = await countOf("request_log");
  expect(await statusesOf(20)).toEqual([200]);
  await stop();
  expect(await countOf("request_log")).toBeGreaterThanOrEqual(before + 20);
});

test("a process that died is a gap when its next heartbeat was due, once", async () => {
  const [dead, shell] = [newId("prc"), newId("prc")];
  await sql`
    INSERT INTO processes (id, role, heartbeat_at)
    VALUES (${dead}, 'api', now() - interval '1 hour'), (${shell}, 'shell', now() - interval '1 hour')`.execute(
    api.db,
  );
  await noteGapsOfTheDead(api.db, 16);
  await noteGapsOfTheDead(api.db, 16);
  const { rows } = await sql<{ line_count: number | null; seconds: number }>`
    SELECT line_count, extract(epoch FROM at - heartbeat_at)::int AS seconds
    FROM request_log_gaps JOIN processes ON id = process_id WHERE id IN (${dead}, ${shell})`.execute(
    api.db,
  );
  expect(rows).toEqual([{ line_count: null, seconds: 4 }]);
});
