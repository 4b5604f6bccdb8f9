import { spawn, type ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "../../src/database/connect.ts";
import { aClientLog } from "../client-log.ts";
import { aCluster, type Cluster } from "../setup/cluster.ts";
import { anOperator, type World } from "../world.ts";
import { aCutProxy, type CutProxy } from "./cut-proxy.ts";
import { aFaultyCarrier, type FaultyCarrier } from "./faulty-carrier.ts";
import { freePort } from "./served.ts";
import type { Hold, Order, Word } from "./target-process.ts";
import { frozenTrackingSettings } from "../frozen-tracking.ts";
import { cli } from "../program.ts";
import { programEnvironment } from "../program-environment.ts";

/**
 * Everything that can die, each in a process of its own: the target, an observer that may take its
 * attempts over, PostgreSQL with the connection to it, and the carriers.
 */
export interface Rig extends World {
  target: TargetProcess;
  /** It is held before its first poll for attempts to recover, until it is released. */
  observer: TargetProcess;
  cluster: Cluster;
  network: CutProxy;
  carriers: { faulty: FaultyCarrier; kill(): Promise<void>; start(): Promise<void> };
}

export interface TargetProcess {
  url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
  /** From now on it stops at these points. */
  hold(...holds: Hold[]): void;
  /** The same; it continues from where it is held. */
  holdNext(...holds: Hold[]): void;
  /** Lets it continue from wherever it is held, and hold nowhere. */
  release(): void;
  /** Resolves when it is held at a point. */
  untilHeld(): Promise<void>;
}

export const leaseSeconds = 2;

export async function aLane(): Promise<Rig> {
  const undo: (() => unknown)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const data_dir = await mkdtemp(join(tmpdir(), "waybill-lane-"));
    undo.push(() => rm(data_dir, { recursive: true, force: true }));
    const cluster = await aCluster();
    undo.push(() => cluster.close());
    const network = await aCutProxy(cluster.url);
    undo.push(() => network.close());
    const carriers = await carriersToKill(data_dir);
    undo.push(() => carriers.close());
    const shared = {
      ...programEnvironment,
      DATABASE_URL: network.url,
      WAYBILL_SIMULATOR_URL: carriers.faulty.url,
      WAYBILL_DATA_DIR: data_dir,
      WAYBILL_SECRET: "a secret of forty characters for tests ab",
      WAYBILL_DEMO: "off",
      // Tests connect the carriers that they are about.
      WAYBILL_SANDBOX_CARRIERS: "simulated",
      WAYBILL_RATE_LIMITS: "off",
      // A connection that a test makes or disables counts in the very next call, in each process.
      WAYBILL_TOKEN_CACHE_MS: "0",
      WAYBILL_LOG_LEVEL: "warn",
      WAYBILL_LEASE_SECONDS: String(leaseSeconds),
      WAYBILL_PUBLIC_URL: "http://127.0.0.1:9",
    };
    const target = aTargetProcess(shared, await freePort());
    const observer = aTargetProcess(shared, await freePort());
    undo.push(() => target.kill());
    undo.push(() => observer.kill());
    await target.start();
    await observer.start();
    const { db, close: disconnect } = connect({
      url: cluster.url,
      connections_max: 4,
      application_name: "test",
    });
    undo.push(disconnect);
    return {
      url: target.url,
      db,
      database_url: cluster.url,
      data_dir,
      simulator_url: carriers.url,
      operator: await anOperator(db, target.url),
      client_log: aClientLog(),
      target,
      observer,
      cluster,
      network,
      carriers,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The simulated carriers as a program of their own, which reads its journal again. */
async function carriersToKill(data_dir: string) {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env = { ...programEnvironment, WAYBILL_DATA_DIR: data_dir, ...frozenTrackingSettings };
  let running: ChildProcess;
  const start = async () => {
    const args = [cli, "simulator", "--port", port];
    // Nothing of the test's own: vitest waits until whatever shares its worker's output has ended.
    running = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "ignore"] });
    await once(running.stdout!, "data");
  };
  const kill = () => end(running);
  await start();
  const faulty = await aFaultyCarrier(url);
  const close = async () => {
    await faulty.close();
    await kill();
  };
  return { url, faulty, start, kill, close };
}

export function aTargetProcess(shared: NodeJS.ProcessEnv, port: number): TargetProcess {
  const url = `http://127.0.0.1:${port}`;
  const words = new EventEmitter();
  let running: ChildProcess | null = null;
  let heldCount = 0;
  let wanted: Hold[] = [];
  const order = (message: Order) => void running!.send(message);

  return {
    url,
    async start() {
      heldCount = 0;
      running = spawn(process.execPath, [program("./target-process.ts")], {
        env: { ...shared, PORT: String(port) },
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
      const said: Buffer[] = [];
      running.stderr!.on("data", (chunk: Buffer) => said.push(chunk));
      running.on("message", (word: Word) => {
        if ("reached" in word) heldCount += 1;
        words.emit("ready" in word ? "ready" : "held");
      });
      const failed = once(running, "exit").then(() => {
        throw new Error(`the process ended: ${Buffer.concat(said).toString()}`);
      });
      await Promise.race([once(words, "ready"), failed]);
      // From here on the test ends it.
      failed.catch(() => undefined);
    },
    kill: () => end(running),
    pause: () => void running!.kill("SIGSTOP"),
    resume: () => void running!.kill("SIGCONT"),
    hold(...holds) {
      heldCount = 0;
      wanted = holds;
      order({ hold: holds });
    },
    holdNext(...holds) {
      heldCount = 0;
      wanted = holds;
      order({ hold: holds, goes_on: true });
    },
    release() {
      heldCount = 0;
      order({ release: true });
    },
    async untilHeld() {
      if (heldCount > 0) return;
      await once(words, "held", { signal: AbortSignal.timeout(20_000) }).catch(() => {
        throw new Error(`it did not reach ${JSON.stringify(wanted)} within 20 s`);
      });
    },
  };
}

/** Kills it, and resolves when it is gone. */
export async function end(running: ChildProcess | null): Promise<void> {
  if (!running || running.exitCode !== null || running.signalCode !== null) return;
  const ended = once(running, "exit");
  running.kill("SIGKILL");
  await ended;
}
