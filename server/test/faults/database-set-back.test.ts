import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { connect, onOneConnection } from "../../src/database/connect.ts";
import { continuityFile } from "../../src/database/health/continuity-file.ts";
import { startContinuity, type Continuity } from "../../src/database/health/continuity.ts";
import { migrate } from "../../src/database/migrate.ts";
import { listOpenRestores } from "../../src/database/health/restores.ts";
import { serversOf, type Server } from "../setup/standby.ts";

/**
 * A database that restarts without its last commits, on real servers: the gate is closed before anything else
 * is queried, and stays open where nothing can have been lost.
 */

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** The parts of a Waybill process that matter here: its connections, its counter, and its data directory. */
async function aProcess(url: string, data_dir = aDataDir()) {
  const said: unknown[] = [];
  const log = { error: (details: object) => void said.push((details as { cause: string }).cause) };
  const found: { continuity: Continuity | null } = { continuity: null };
  const open = (at: string) =>
    connect({
      url: at,
      connections_max: 2,
      application_name: "test",
      check: async (ask) => found.continuity?.check(ask),
    });
  let connection = open(url);
  const close = () => connection.close();
  undo.push(close);
  await migrate(connection.db);
  const memory = continuityFile(data_dir);
  found.continuity = await onOneConnection(connection.db, (ask) =>
    startContinuity(ask, { memory, log }),
  );
  const { continuity } = found;
  return {
    said,
    data_dir,
    count: () => onOneConnection(connection.db, continuity.count),
    causes: async () => {
      const open = await listOpenRestores(connection.db);
      return open.length === 0 ? [] : [...said];
    },
    /** Another server listens at the address: each connection is a new one. */
    async moveTo(server: Server) {
      await connection.close();
      connection = open(server.url);
    },
    close,
  };
}

function aDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-set-back-"));
  undo.push(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function aPrimaryWithStandby(): Promise<{ primary: Server; standby: Server }> {
  const primary = await serversOf(undo);
  await primary.stop();
  const standby = await primary.copy({ is_standby: true });
  await primary.start();
  return { primary, standby };
}

/** Once the standby has replayed what the primary has counted. */
async function untilSame(primary: Server, standby: Server): Promise<void> {
  const counted = (server: Server) =>
    server.ask("SELECT counter FROM database_continuity").catch(() => []);
  await expect.poll(() => counted(standby), { timeout: 30_000 }).toEqual(await counted(primary));
}

async function promote(standby: Server): Promise<void> {
  await standby.ask("SELECT pg_promote(true, 60)");
}

test("a restart and a crash leave the gate open", async () => {
  const server = await serversOf(undo);
  const process = await aProcess(server.url);
  await process.count();
  await server.stop();
  await server.start();
  await process.count();
  await server.kill();
  await server.start();
  await process.moveTo(server);
  await process.count();
  expect(await process.causes()).toEqual([]);
  const next = await aProcess(server.url, process.data_dir);
  expect(await next.causes()).toEqual([]);
});

test("an older copy of the disk closes the gate for a running process, and for one that starts with the data directory", async () => {
  const server = await serversOf(undo);
  const process = await aProcess(server.url);
  await process.count();
  await server.ask("INSERT INTO event_feeds (account_id, last_position) VALUES ('acc', 7)");
  await server.stop();
  const older = await server.copy();
  const another = await server.copy();
  await server.start();
  await process.moveTo(server);
  await process.count();
  await process.moveTo(older);
  expect(await process.causes()).toEqual(["lost_commits"]);
  await process.count();
  expect(process.said).toEqual(["lost_commits"]);
  // Readers of the feed may have been told positions that are lost.
  const told = await older.ask("SELECT events -> 0 AS event FROM event_outbox");
  expect(told).toMatchObject([
    { event: { type: "feed.restored", data: { from: "7", to: String(7 + 2 ** 32) } } },
  ]);
  const next = await aProcess(another.url, process.data_dir);
  expect(await next.causes()).toEqual(["lost_commits"]);
});

test("a database that was copied and renamed into the place of the old one closes the gate", async () => {
  const server = await serversOf(undo);
  const process = await aProcess(server.url);
  await process.count();
  const admin = new URL(server.url);
  admin.pathname = "/postgres";
  await process.close();
  const database = connect({ url: admin.href, connections_max: 1, application_name: "test" });
  undo.push(() => database.close());
  await onOneConnection(database.db, async (ask) => {
    await ask("CREATE DATABASE copied TEMPLATE waybill");
    await ask("DROP DATABASE waybill WITH (FORCE)");
    await ask("ALTER DATABASE copied RENAME TO waybill");
  });
  const next = await aProcess(server.url);
  expect(await next.causes()).toEqual(["copied"]);
});

test("a standby that lacks the last commits closes the gate when it is promoted", async () => {
  const { primary, standby } = await aPrimaryWithStandby();
  const process = await aProcess(primary.url);
  await process.count();
  await untilSame(primary, standby);
  await standby.stop();
  await process.count();
  await primary.kill();
  await standby.start();
  await promote(standby);
  await process.moveTo(standby);
  expect(await process.causes()).toEqual(["lost_commits"]);
});

test("a promotion closes the gate where commits may be lost, and not where a synchronous standby has them", async () => {
  for (const [names, causes] of [
    ["", ["promotion"]],
    ["standby", []],
  ] as const) {
    const { primary, standby } = await aPrimaryWithStandby();
    await primary.ask(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await primary.ask("SELECT pg_reload_conf()");
    const process = await aProcess(primary.url);
    await process.count();
    await untilSame(primary, standby);
    await primary.kill();
    await process.moveTo(standby);
    // Until it is promoted it is unknown which commits it will have.
    await expect(process.count()).rejects.toThrow("no connection could be had");
    await promote(standby);
    expect(await process.causes()).toEqual(causes);
    await process.count();
    const next = await aProcess(standby.url, process.data_dir);
    expect(next.said).toEqual([]);
  }
});

test("a server that does not report its identity or timeline is served, and its lost commits are noticed", async () => {
  const server = await serversOf(undo);
  await server.ask("CREATE ROLE plain LOGIN PASSWORD 'plain'");
  await server.ask("GRANT ALL ON SCHEMA public TO plain");
  for (const name of ["pg_control_system()", "pg_walfile_name(pg_lsn)"])
    await server.ask(`REVOKE EXECUTE ON FUNCTION ${name} FROM public`);
  const asPlain = new URL(server.url);
  asPlain.username = asPlain.password = "plain";
  const process = await aProcess(asPlain.href);
  await process.count();
  expect(await process.causes()).toEqual([]);
  await server.ask("UPDATE database_continuity SET counter = counter - 1");
  await process.count();
  expect(await process.causes()).toEqual(["lost_commits"]);
});
