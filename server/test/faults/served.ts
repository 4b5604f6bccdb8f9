import { randomInt } from "node:crypto";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "../../src/carriers/simulator/simulator.ts";
import type { Database } from "../../src/database/tables.ts";
import { aClientLog } from "../client-log.ts";
import { testDatabase, type TestDatabase } from "../setup/database.ts";
import { anOperator, type World } from "../world.ts";
import { frozenTracking } from "../frozen-tracking.ts";
import { cli } from "../program.ts";
import { programEnvironment } from "../program-environment.ts";

/**
 * A platform in processes of its own, the same that operators run, so that they can be killed. The
 * database and the simulated carriers outlive them, for the next start. By default there is one
 * process, which does everything, as `npm start` does.
 */
export interface ServedWorld extends World {
  processes: ServedProcess[];
  /** Kills the first process. */
  kill(): Promise<void>;
  /** Starts the first process again. */
  start(): Promise<void>;
}

/** The kind of process: everything, the API without the background work, or that work alone. */
export type Role = "all" | "api" | "worker";

export interface ServedProcess {
  /** The address of its API, without a base; a worker does not listen there. */
  url: string;
  /** Starts it on the same database, data and port as before; resolves when it is ready. */
  start(): Promise<void>;
  /** Ends it as a power cut would, at once and without any notice, or by another signal. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Suspends it, sockets open, as on a machine that is out of resources. */
  pause(): void;
  resume(): void;
}

interface ServedOptions {
  /** One process for each. */
  roles?: [Role, ...Role[]];
  /** Closed in the end; one of its own when absent. */
  database?: TestDatabase;
  /** By how many seconds each process's clock is off. */
  clocks?: number[];
  /** Without it the processes run the simulated carriers themselves, and the world's are those of the data directory. */
  has_simulator?: boolean;
}

export async function aServedPlatform(
  settings: Record<string, string>,
  { roles = ["all"], database: given, clocks = [], has_simulator = true }: ServedOptions = {},
): Promise<ServedWorld> {
  const data_dir = await mkdtemp(join(tmpdir(), "waybill-served-"));
  const database = given ?? (await testDatabase());
  const { db } = database;
  const simulator = has_simulator
    ? await startSimulator({
        host: "127.0.0.1",
        port: 0,
        journal_path: join(data_dir, "simulator", "journal.jsonl"),
        pace: frozenTracking,
      })
    : null;
  const ports = await Promise.all(roles.map(freePort));
  const url = `http://127.0.0.1:${ports[0]}`;
  const environment = {
    ...programEnvironment,
    DATABASE_URL: database.url,
    WAYBILL_SIMULATOR_URL: simulator?.url ?? "",
    // Links have the same address, whichever process makes them.
    WAYBILL_PUBLIC_URL: url,
    WAYBILL_DATA_DIR: data_dir,
    WAYBILL_SECRET: "a secret of forty characters for tests ab",
    WAYBILL_DEMO: "off",
    // Tests connect the carriers that they are about.
    WAYBILL_SANDBOX_CARRIERS: "simulated",
    WAYBILL_RATE_LIMITS: "off",
    WAYBILL_LOG_LEVEL: "warn",
    ...settings,
  };
  const processes = roles.map((role, place) =>
    aProcess({
      db,
      role,
      environment: { ...environment, ...clockOff(clocks[place]), PORT: String(ports[place]) },
    }),
  );
  const first = processes[0]!;
  await Promise.all(processes.map((each) => each.start()));
  return {
    url,
    db,
    database_url: database.url,
    data_dir,
    simulator_url: simulator?.url ?? readFileSync(join(data_dir, "simulator", "address"), "utf8"),
    operator: await anOperator(db, url),
    client_log: aClientLog(),
    processes,
    kill: () => first.kill(),
    start: () => first.start(),
    async close() {
      await Promise.all(processes.map((each) => each.kill()));
      await simulator?.close();
      await database.close();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

/** The options that start a process with its clock off by so much. */
function clockOff(seconds = 0): Record<string, string> {
  if (seconds === 0) return {};
  const loaded = new URL("skewed-clock.ts", import.meta.url).href;
  return { NODE_OPTIONS: `--import=${loaded}`, WAYBILL_TEST_CLOCK_SECONDS: String(seconds) };
}

// The databases of tests run without fsync, which production refuses.
const commands = {
  all: ["serve", "--accept-data-loss"],
  api: ["serve", "--api-only", "--accept-data-loss"],
  worker: ["worker", "--accept-data-loss"],
};

function aProcess({
  db,
  role,
  environment,
}: {
  db: Database;
  role: Role;
  environment: NodeJS.ProcessEnv;
}): ServedProcess {
  const url = `http://127.0.0.1:${environment["PORT"]}`;
  let running: ChildProcess | null = null;

  return {
    url,
    async start() {
      running = spawn(process.execPath, [cli, ...commands[role]], {
        env: environment,
        stdio: "pipe",
      });
      const said: Buffer[] = [];
      for (const stream of [running.stdout!, running.stderr!])
        stream.on("data", (chunk: Buffer) => said.push(chunk));
      const failed = once(running, "exit").then(() => {
        throw new Error(`the process ended: ${Buffer.concat(said).toString()}`);
      });
      const ready = role === "worker" ? untilBeating(db) : untilAnswering(url);
      await Promise.race([ready, failed]);
      // From here on the test ends it.
      failed.catch(() => undefined);
    },
    async kill(signal: NodeJS.Signals = "SIGKILL") {
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const ended = once(running, "exit");
      running.kill(signal);
      await ended;
    },
    pause: () => void running!.kill("SIGSTOP"),
    resume: () => void running!.kill("SIGCONT"),
  };
}

async function untilAnswering(url: string): Promise<void> {
  await until(async () => {
    const { status } = await fetch(`${url}/readyz`).catch(() => ({ status: 0 }));
    return status === 200;
  });
}

/** A worker has no address to poll: its heartbeat is in the database. */
async function untilBeating(db: Database): Promise<void> {
  const workers = db.selectFrom("processes").select("id").where("role", "=", "worker");
  const former = new Set((await workers.execute()).map(({ id }) => id));
  await until(async () => (await workers.execute()).some(({ id }) => !former.has(id)));
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 25));
}

/**
 * A port for a process that is started in a moment. Below those that systems give to connections by themselves
 * (from 32768 on Linux, 49152 elsewhere), which may be given away meanwhile.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return freePort();
  }
  server.close();
  await once(server, "close");
  return port;
}
