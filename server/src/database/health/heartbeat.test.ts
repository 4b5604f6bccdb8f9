import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { aCutProxy } from "../../../test/faults/cut-proxy.ts";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import { connect } from "../connect.ts";
import { startHeartbeat } from "./heartbeat.ts";
import type { Database } from "../tables.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

interface Logged {
  event: string;
  details: object;
}

/** A process with a heartbeat every quarter of a second, and the events that it has logged. */
async function aProcess(db: Database) {
  const events: Logged[] = [];
  const log = { error: (details: object, event: string) => void events.push({ event, details }) };
  const heartbeat = await startHeartbeat(db, { role: "api", lease_seconds: 1, log });
  onTestFinished(() => heartbeat.stop());
  return { heartbeat, events };
}

function soon(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 10_000, interval: 20 });
}

/** For how many seconds the process found its heartbeat missing, each time that it was too long. */
function lapses(events: Logged[]): (number | null)[] {
  return events
    .filter(({ event }) => event === "heartbeat.lapsed")
    .map(({ details }) => (details as { silent_seconds: number | null }).silent_seconds);
}

function rowOf(process_id: string) {
  return database.db
    .selectFrom("processes")
    .selectAll()
    .where("id", "=", process_id)
    .executeTakeFirst();
}

async function setHeartbeatAt(process_id: string, at: string): Promise<void> {
  await sql`UPDATE processes SET heartbeat_at = now() + ${at}::interval WHERE id = ${process_id}`.execute(
    database.db,
  );
}

test("a process renews its row while it is alive, and removes it when it stops", async () => {
  const { heartbeat } = await aProcess(database.db);
  const first = await rowOf(heartbeat.process_id);
  expect(first).toMatchObject({ role: "api" });
  await soon(async () => {
    const later = await rowOf(heartbeat.process_id);
    expect(later!.heartbeat_at.getTime()).toBeGreaterThan(first!.heartbeat_at.getTime());
  });
  await heartbeat.stop();
  expect(await rowOf(heartbeat.process_id)).toBeUndefined();
});

test("a process without a heartbeat for longer than its lease logs it", async () => {
  const { heartbeat, events } = await aProcess(database.db);
  await setHeartbeatAt(heartbeat.process_id, "-90 seconds");
  await soon(() => {
    const connectionFaults = lapses(events).filter((seconds) => seconds !== null && seconds >= 90);
    expect(connectionFaults).toHaveLength(1);
  });
});

test("a process whose row was swept logs it, and continues under the same id", async () => {
  const { heartbeat, events } = await aProcess(database.db);
  await database.db.deleteFrom("processes").where("id", "=", heartbeat.process_id).execute();
  await soon(() => expect(lapses(events)).toContain(null));
  expect(await rowOf(heartbeat.process_id)).toMatchObject({ role: "api" });
});

test("a start sweeps processes that have been dead for a day, and no others", async () => {
  const ids = { old: "prc_old", quiet: "prc_quiet" };
  for (const id of Object.values(ids))
    await database.db.insertInto("processes").values({ id, role: "api" }).execute();
  await setHeartbeatAt(ids.old, "-25 hours");
  await setHeartbeatAt(ids.quiet, "-23 hours");
  await aProcess(database.db);
  expect(await rowOf(ids.old)).toBeUndefined();
  expect(await rowOf(ids.quiet)).toBeDefined();
});

test("without its database a process misses its heartbeats, logs it, and still stops", async () => {
  const { db, close } = connect({ url: database.url, connections_max: 1, application_name: "t" });
  const { heartbeat, events } = await aProcess(db);
  await close();
  await soon(() => expect(events.map(({ event }) => event)).toContain("heartbeat.missed"));
  await heartbeat.stop();
  expect(events.at(-1)).toMatchObject({ event: "heartbeat.not_removed" });
});

test("a database fault is logged once, however long it lasts, and the row is renewed after it", async () => {
  const proxy = await aCutProxy(database.url);
  onTestFinished(() => proxy.close());
  const { db, close } = connect({ url: proxy.url, connections_max: 1, application_name: "t" });
  onTestFinished(close);
  const { heartbeat, events } = await aProcess(db);
  const missed = () => events.filter(({ event }) => event === "heartbeat.missed").length;
  proxy.sever();
  await soon(() => expect(missed()).toBe(1));
  const { heartbeat_at } = (await rowOf(heartbeat.process_id))!;
  // Time for three more tries.
  await sql`SELECT pg_sleep(0.9)`.execute(database.db);
  expect(missed()).toBe(1);
  proxy.mend();
  await soon(async () => {
    const later = await rowOf(heartbeat.process_id);
    expect(later!.heartbeat_at.getTime()).toBeGreaterThan(heartbeat_at.getTime());
  });
});
