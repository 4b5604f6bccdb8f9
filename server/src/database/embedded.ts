import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { isAlive, lockDataDirectory } from "./embedded-lock.ts";
import { findPlace, giveTo, type Place } from "./embedded-place.ts";

/**
 * The PostgreSQL that comes with Waybill: real binaries from npm, started as a child with its data in
 * the data directory, reached over TCP on 127.0.0.1. The child outlives a killed parent; the next
 * start finds it by its pid file, ends it in good order and starts afresh on the same data.
 */
export interface Embedded {
  url: string;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  data_dir: string;
  /** Off for tests only: a machine that loses power may lose commits then. */
  fsync?: boolean;
  /** Other programs than npm's: the machine's own PostgreSQL, for a test on an older release. */
  bin?: string;
}

const user = "waybill";
const startTimeoutMs = 60_000;
const stopTimeoutMs = 20_000;
const logBytesMax = 10_000_000;

/** Throws when another process holds the directory, saying which, or when PostgreSQL does not start. */
export async function startEmbedded({
  data_dir,
  fsync = true,
  bin,
}: EmbeddedOptions): Promise<Embedded> {
  const folder = resolve(data_dir);
  const unlock = lockDataDirectory(folder);
  try {
    const place = { ...findPlace(folder), ...(bin ? { bin } : {}) };
    const password = keepPassword(folder);
    await endOrphan(place);
    await initialise(place, password);
    const port = await choosePort(folder);
    const child = launch(place, { folder, port, fsync });
    const urlOf = (database: string) =>
      `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
    await untilReady(child, { folder, url: urlOf("postgres") });
    return {
      url: urlOf("waybill"),
      async stop() {
        await end(child);
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function keepPassword(folder: string): string {
  const path = join(folder, "postgres-password");
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString("hex"), { mode: 0o600 });
  return readFileSync(path, "utf8").trim();
}

/** A PostgreSQL that its parent left behind is stopped as we would have stopped it. */
async function endOrphan({ data }: Place): Promise<void> {
  const pidFile = join(data, "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8").split("\n", 1)[0]);
  if (pid > 0 && isAlive(pid) && isPostgresOn(pid, data)) {
    // SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one that recovers at the next start.
    for (const signal of ["SIGINT", "SIGQUIT"] as const) {
      process.kill(pid, signal);
      if (await isGoneWithin(pid, stopTimeoutMs)) return;
    }
    throw new Error(`the PostgreSQL that was left behind (process ${pid}) does not stop`);
  }
  rmSync(pidFile, { force: true });
}

function isPostgresOn(pid: number, data: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(data);
  } catch {
    // Where /proc does not tell, a live process with the pid that PostgreSQL wrote is taken for it.
    return process.platform !== "linux";
  }
}

async function isGoneWithin(pid: number, milliseconds: number): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; await wait(50)) {
    if (!isAlive(pid)) return true;
  }
  return false;
}

/** Makes the cluster beside its place and moves it there whole, so that a crash leaves none or all. */
async function initialise(place: Place, password: string): Promise<void> {
  if (existsSync(join(place.data, "PG_VERSION"))) return;
  const scratch = `${place.data}.new`;
  const passwordFile = `${place.data}.password`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  giveTo(place, scratch);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  giveTo(place, passwordFile);
  const form = ["--encoding=UTF8", "--locale=C.UTF-8"];
  const login = [`--username=${user}`, "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  try {
    await promisify(execFile)(
      join(place.bin, "initdb"),
      [`--pgdata=${scratch}`, ...form, ...login],
      {
        ...place.identity,
        env: environment,
      },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(scratch, place.data);
}

/** Messages that we can read, whatever the machine speaks. */
const environment = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/** The port of last time if it is free, so that an operator's psql still finds it, else another. */
async function choosePort(folder: string): Promise<number> {
  const path = join(folder, "postgres-port");
  const last = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
  const port = (last > 0 ? await freePort(last) : null) ?? (await freePort(0));
  if (port === null) throw new Error("there is no free port on 127.0.0.1");
  writeFileSync(path, String(port));
  return port;
}

function freePort(wanted: number): Promise<number | null> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", () => done(null));
    probe.listen(wanted, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}

/** In a process group of its own, so that Ctrl-C in a terminal reaches us first and it in good order. */
function launch(
  place: Place,
  { folder, port, fsync }: { folder: string; port: number; fsync: boolean },
): ChildProcess {
  const settings = {
    listen_addresses: "127.0.0.1",
    // A socket's path may have 107 bytes, and a data directory's may have more.
    unix_socket_directories: "",
    max_connections: "100",
    shared_buffers: "128MB",
    max_wal_size: "512MB",
    fsync: fsync ? "on" : "off",
  };
  const log = openLog(folder);
  const child = spawn(
    join(place.bin, "postgres"),
    [
      "-D",
      place.data,
      "-p",
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    {
      ...place.identity,
      env: environment,
      cwd: place.data,
      detached: true,
      stdio: ["ignore", log, log],
    },
  );
  closeSync(log);
  return child;
}

function logPath(folder: string): string {
  return join(folder, "postgres.log");
}

/** Appends to the log; a long one is put aside first, so that two files bound what is kept. */
function openLog(folder: string): number {
  const path = logPath(folder);
  if (existsSync(path) && statSync(path).size > logBytesMax) renameSync(path, `${path}.1`);
  return openSync(path, "a", 0o600);
}

async function untilReady(
  child: ChildProcess,
  { folder, url }: { folder: string; url: string },
): Promise<void> {
  let failure: Error | null = null;
  child.once("error", (error) => (failure = error));
  for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline; await wait(30)) {
    if (failure ?? child.exitCode !== null) break;
    if (await isReady(url)) return;
  }
  child.kill("SIGQUIT");
  const last = readFileSync(logPath(folder), "utf8").trim().split("\n").slice(-5).join("\n");
  throw new Error(`the embedded PostgreSQL did not start; the last it said:\n${last}`, {
    cause: failure,
  });
}

/** Whether it lets us in; makes our database the first time. */
async function isReady(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  // A server that is still starting may cut the connection at any moment.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = 'waybill'");
    if (rowCount === 0) await client.query("CREATE DATABASE waybill");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((done) => child.once("exit", () => done()));
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGQUIT"), stopTimeoutMs);
  await gone;
  clearTimeout(timer);
}
