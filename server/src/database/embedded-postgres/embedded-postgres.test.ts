import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { startEmbedded, type Embedded, type EmbeddedOptions } from "./embedded-postgres.ts";

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A data directory with a space and letters beyond ASCII in its path. */
function dataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill embedded é "));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return join(folder, "data");
}

/** Stopped at the end of the test, whatever its result. */
async function start(options: EmbeddedOptions): Promise<Embedded> {
  const embedded = await startEmbedded(options);
  onTestFinished(() => embedded.stop());
  return embedded;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that starts the database, prints its address and never stops by itself. */
function startElsewhere(data_dir: string): { child: ChildProcess; url: Promise<string> } {
  const program = `
    import { startEmbedded } from ${JSON.stringify(new URL("./embedded-postgres.ts", import.meta.url).href)};
    console.log((await startEmbedded({ data_dir: ${JSON.stringify(data_dir)} })).url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    await killed(child);
    const orphan = postmasterOf(data_dir);
    if (orphan !== null && isPostgres(orphan)) process.kill(orphan, "SIGQUIT");
  });
  const url = new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the other process ended early")));
    child.stdout.once("data", (line: Buffer) => resolve(line.toString().trim()));
  });
  return { child, url };
}

function postmasterOf(data_dir: string): number | null {
  const path = join(data_dir, "postgres", "postmaster.pid");
  return existsSync(path) ? parseInt(readFileSync(path, "utf8"), 10) : null;
}

/** By its command line, because a zombie still has its pid. */
function isPostgres(pid: number): boolean {
  try {
    return execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).includes(
      "postgres -D",
    );
  } catch {
    return false;
  }
}

function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const gone = new Promise<void>((done) => child.once("exit", () => done()));
  child.kill("SIGKILL");
  return gone;
}

test("data survives a stop and a new start, with fsync on", async () => {
  const data_dir = dataDir();
  const first = await start({ data_dir });
  await query(first.url, "CREATE TABLE kept AS SELECT 42 AS answer");
  expect(await query(first.url, "SHOW fsync")).toEqual([{ fsync: "on" }]);
  await first.stop();
  const second = await start({ data_dir });
  expect(await query(second.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  await second.stop();
});

test("is reached by a socket that only its user may enter, and by TCP where the socket's path would be too long", async () => {
  const client = "SELECT inet_client_addr() AS address";
  const near = await start({ data_dir: dataDir(), fsync: false });
  expect(await query(near.url, client)).toEqual([{ address: null }]);
  const folder = new URL(near.url).searchParams.get("host")!;
  expect(statSync(folder).mode & 0o077).toBe(0);
  const byTcp = new URL(near.url);
  byTcp.searchParams.delete("host");
  expect(await query(byTcp.href, client)).toEqual([{ address: "127.0.0.1" }]);
  await near.stop();

  const far = await start({ data_dir: join(dataDir(), "d".repeat(100)), fsync: false });
  expect(await query(far.url, client)).toEqual([{ address: "127.0.0.1" }]);
  await far.stop();
});

test("a PostgreSQL that is killed is started again at the same address, with its data", async () => {
  const data_dir = dataDir();
  const events: string[] = [];
  const hear = (_details: object, event: string) => void events.push(event);
  const count = (event: string) => events.filter((each) => each === event).length;
  const { url, stop } = await start({ data_dir, log: { error: hear, info: hear } });
  await query(url, "CREATE TABLE kept AS SELECT 42 AS answer");
  for (let times = 1; times <= 2; times++) {
    process.kill(postmasterOf(data_dir)!, "SIGKILL");
    await vi.waitFor(() => expect(count("database.restarted")).toBe(times), { timeout: 20_000 });
    expect(await query(url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  }
  expect(count("database.died")).toBe(2);
  await stop();
  expect(postmasterOf(data_dir)).toBeNull();
});

test("a second start on the same data directory says which process holds it, and since when", async () => {
  const data_dir = dataDir();
  const embedded = await start({ data_dir, fsync: false });
  const year = new Date().getUTCFullYear();
  await expect(startEmbedded({ data_dir })).rejects.toThrow(
    new RegExp(`in use by process ${process.pid} since ${year}-`),
  );
  await Promise.all([embedded.stop(), embedded.stop()]);
});

test("of many concurrent starts on one data directory, one wins", async () => {
  const data_dir = dataDir();
  const starts = Array.from({ length: 5 }, () => startEmbedded({ data_dir, fsync: false }));
  const outcomes = await Promise.allSettled(starts);
  const winners = outcomes.filter((each) => each.status === "fulfilled");
  await Promise.all(winners.map(({ value }) => value.stop()));
  expect(winners).toHaveLength(1);
});

test("the next start ends what a killed parent left running, and loses nothing that was committed", async () => {
  const data_dir = dataDir();
  const { child, url } = startElsewhere(data_dir);
  await query(await url, "CREATE TABLE kept AS SELECT 7 AS answer");
  const orphan = postmasterOf(data_dir)!;
  await killed(child);
  expect(isPostgres(orphan)).toBe(true);
  const embedded = await start({ data_dir });
  expect(isPostgres(orphan)).toBe(false);
  expect(await query(embedded.url, "SELECT answer FROM kept")).toEqual([{ answer: 7 }]);
  await embedded.stop();
});

test("a PostgreSQL that crashed recovers, though another program has its pid by now", async () => {
  const data_dir = dataDir();
  const { child, url } = startElsewhere(data_dir);
  await query(await url, "CREATE TABLE kept AS SELECT 9 AS answer");
  const pidFile = join(data_dir, "postgres", "postmaster.pid");
  const postmaster = postmasterOf(data_dir)!;
  await killed(child);
  process.kill(postmaster, "SIGKILL");
  await vi.waitUntil(() => !isPostgres(postmaster), 10_000);
  // The other program runs as the user that PostgreSQL runs as, which is what misleads PostgreSQL.
  const { uid, gid } = statSync(pidFile);
  const stranger = spawn("sleep", ["600"], { uid, gid });
  onTestFinished(() => killed(stranger));
  await once(stranger, "spawn");
  const lines = readFileSync(pidFile, "utf8").split("\n");
  writeFileSync(pidFile, [String(stranger.pid), ...lines.slice(1)].join("\n"));
  const embedded = await start({ data_dir });
  expect(await query(embedded.url, "SELECT answer FROM kept")).toEqual([{ answer: 9 }]);
  expect(stranger.signalCode ?? stranger.exitCode).toBeNull();
  await embedded.stop();
});

test("a start waits for a backend that is slow to notice that its server was killed", async () => {
  const data_dir = dataDir();
  const { child, url } = startElsewhere(data_dir);
  const client = new pg.Client({ connectionString: await url });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const backend = rows[0]!.pid;
  const postmaster = postmasterOf(data_dir)!;
  process.kill(backend, "SIGSTOP");
  await killed(child);
  process.kill(postmaster, "SIGKILL");
  await vi.waitUntil(() => !isPostgres(postmaster), 10_000);
  const starting = start({ data_dir });
  const log = join(data_dir, "postgres.log");
  await vi.waitFor(
    () => expect(readFileSync(log, "utf8")).toContain("shared memory block"),
    10_000,
  );
  process.kill(backend, "SIGKILL");
  await client.end().catch(() => undefined);
  const embedded = await starting;
  expect(await query(embedded.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await embedded.stop();
});

test("keeps its port between starts, and takes another one when another program has it", async () => {
  const data_dir = dataDir();
  const portOf = async (): Promise<number> => {
    const embedded = await start({ data_dir, fsync: false });
    await embedded.stop();
    return Number(new URL(embedded.url).port);
  };
  const first = await portOf();
  expect(await portOf()).toBe(first);
  const stranger = createServer().listen(first, "127.0.0.1");
  await once(stranger, "listening");
  expect(await portOf()).not.toBe(first);
  stranger.close();
});

test("a lost password is reported at once, and the database is left as it is", async () => {
  const data_dir = dataDir();
  await (await start({ data_dir, fsync: false })).stop();
  rmSync(join(data_dir, "postgres-password"));
  await expect(startEmbedded({ data_dir, fsync: false })).rejects.toThrow("postgres-password");
  expect(existsSync(join(data_dir, "postgres", "PG_VERSION"))).toBe(true);
  expect(existsSync(join(data_dir, "postgres", "postmaster.pid"))).toBe(false);
});
