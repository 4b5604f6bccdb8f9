import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { openLog, type Log } from "./log.ts";
import type { Installation } from "./installation.ts";

/** The embedded PostgreSQL as a child process: on a free port, until it accepts connections, to its end. */
export interface Setup {
  folder: string;
  installation: Installation;
  password: string;
  bin: string | undefined;
}

export const user = "waybill";
const startTimeoutMs = 60_000;
export const stopTimeoutMs = 20_000;
const launchesMax = 3;
/** How long a backend whose server was killed may take to notice and exit. */
const orphansPatienceMs = 10_000;

/** Messages in English, whatever the machine's locale. */
export const environment = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/** The previous port if it is free, so that an operator's psql still finds it, else another. */
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

/** A socket's path has at most 107 bytes on Linux, and 103 elsewhere. */
const socketPathMost = 103;

/**
 * The folder of its Unix socket, which costs a statement a fifth less time than TCP: the cluster's own, which only its
 * user and root may enter. Null where the path would be too long.
 */
function socketFolder({ data }: Installation): string | null {
  return Buffer.byteLength(join(data, ".s.PGSQL.65535")) <= socketPathMost ? data : null;
}

/**
 * Removes the socket of a server that was killed, with its lock file: no server runs on this cluster now, and PostgreSQL
 * would not start where the pid in the lock file is another program's by now.
 */
function removeSockets({ data }: Installation): void {
  const left = readdirSync(data).filter((name) => name.startsWith(".s.PGSQL."));
  for (const name of left) rmSync(join(data, name), { force: true });
}

/** A folder as an item of a list in PostgreSQL's settings. */
function listed(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`;
}

interface LaunchOptions extends Setup {
  fsync: boolean;
  connections_max?: number | undefined;
  stale_pid: number | null;
  /** The only acceptable port; any free one when absent. */
  port?: number | undefined;
}

export interface Running {
  /** By TCP, with the folder of the socket as `host`, which then counts. */
  url: string;
  port: number;
  pid: number;
  /** Resolves when it has exited, for whatever reason. */
  gone: Promise<void>;
  end(): Promise<void>;
}

/**
 * Another program may take the port between the check and PostgreSQL's start; then another port is chosen.
 * The last processes of one that was killed may take a moment to exit; then the start is retried until they
 * have.
 */
export async function launch(options: LaunchOptions): Promise<Running> {
  const { folder, installation, password } = options;
  const socket = socketFolder(installation);
  const through = socket === null ? "" : `?host=${encodeURIComponent(socket)}`;
  const giveUpAt = Date.now() + orphansPatienceMs;
  for (let launches = 1; ; launches++) {
    const port = options.port ?? (await choosePort(folder));
    const log = openLog(folder);
    const child = spawnPostgres(options, { port, log });
    const urlOf = (database: string) =>
      `postgres://${user}:${password}@127.0.0.1:${port}/${database}${through}`;
    const failure = await untilReady(child, urlOf("postgres"));
    if (failure === null) {
      const gone = endOf(child);
      const pid = child.pid!;
      return { url: urlOf("waybill"), port, pid, gone, end: () => end(child, log) };
    }
    await end(child, log);
    const words = log.lastLines();
    const isPortTaken = words.includes("could not create any TCP/IP sockets");
    if (!options.port && launches < launchesMax && isPortTaken) continue;
    if (words.includes("shared memory block") && Date.now() < giveUpAt) {
      await wait(100);
      continue;
    }
    throw new Error(
      `the embedded PostgreSQL did not start: ${failure}; its last output:\n${words}`,
    );
  }
}

/**
 * In a process group of its own: Ctrl-C in a terminal reaches only this process, which shuts it down cleanly.
 */
function spawnPostgres(
  { installation, bin, fsync, connections_max = 100, stale_pid }: LaunchOptions,
  { port, log }: { port: number; log: Log },
): ChildProcess {
  removeSockets(installation);
  const socket = socketFolder(installation);
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: socket === null ? "" : listed(socket),
    max_connections: String(connections_max),
    shared_buffers: "128MB",
    max_wal_size: "512MB",
    fsync: fsync ? "on" : "off",
  };
  const child = spawn(
    join(bin ?? installation.bin, "postgres"),
    [
      "-D",
      installation.data,
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    {
      ...installation.identity,
      // PostgreSQL takes a pid file with this number for a dead server's, whichever process has it by now.
      env: { ...environment, ...(stale_pid ? { PG_GRANDPARENT_PID: String(stale_pid) } : {}) },
      cwd: installation.data,
      detached: true,
      stdio: ["ignore", log.descriptor, log.descriptor],
    },
  );
  closeSync(log.descriptor);
  // A parent that ends without a stop, by an error for example, does not leave it running.
  const endWithUs = () => child.kill("SIGINT");
  process.once("exit", endWithUs);
  child.once("exit", () => process.off("exit", endWithUs));
  return child;
}

/** Null once it accepts connections, else why it did not. */
async function untilReady(child: ChildProcess, url: string): Promise<string | null> {
  let failure: string | null = null;
  child.once("error", (error) => (failure = error.message));
  let deadline = Date.now() + startTimeoutMs;
  for (; Date.now() < deadline; await wait(30)) {
    if (failure !== null) return failure;
    if (hasEnded(child)) return "it ended";
    const refusal = await enter(url);
    if (refusal === null) return null;
    if (refusal === wrongPassword) return "postgres-password is not its password";
    // A crash recovery may take any time, and must not be interrupted.
    if (refusal === startingUp) deadline = Date.now() + startTimeoutMs;
  }
  return `it let nobody in for ${startTimeoutMs / 1000} s`;
}

const wrongPassword = "28P01";
const startingUp = "57P03";

/**
 * Creates the database the first time. Returns null, or the code of the error that refused the connection.
 */
async function enter(url: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  // A server that is still starting may cut the connection at any moment.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = 'waybill'");
    if (rowCount === 0) await client.query("CREATE DATABASE waybill");
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? "unknown";
  } finally {
    await client.end().catch(() => undefined);
  }
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((done) => (hasEnded(child) ? done() : child.once("exit", () => done())));
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Fast shutdown; immediate, which the next start recovers from, when that takes too long. */
async function end(child: ChildProcess, log: Log): Promise<void> {
  log.stopWatching();
  if (hasEnded(child)) return;
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGQUIT"), stopTimeoutMs);
  await endOf(child);
  clearTimeout(timer);
}
