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
import type { Hold, Order, Word } from "./victim.ts";
import { standstillSettings } from "../standstill.ts";
import { programEnvironment } from "../program-environment.ts";

/**
 * Everything that can die, each in a process of its own: the victim, a bystander that may take its
 * work over, PostgreSQL with the connection to it, and the carriers.
 */
export interface Lane extends World {
  victim: Mortal;
  /** It stands before its first look for attempts to recover, until it is released. */
  bystander: Mortal;
  cluster: Cluster;
  network: CutProxy;
  carriers: { faulty: FaultyCarrier; kill(): Promise<void>; start(): Promise<void> };
}

export interface Mortal {
  url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
  /** From now on it stops at these points. */
  hold(...holds: Hold[]): void;
  /** Lets it go on from wherever it stands, and stop nowhere. */
  release(): void;
  /** Resolves when it stands at a point. */
  untilHeld(): Promise<void>;
}

export const leaseSeconds = 2;

export async function aLane(): Promise<Lane> {
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
    const carriers = await mortalCarriers(data_dir);
    undo.push(() => carriers.close());
    const shared = {
      ...programEnvironment,
      DATABASE_URL: network.url,
      WAYBILL_SIMULATOR_URL: carriers.faulty.url,
      WAYBILL_DATA_DIR: data_dir,
      WAYBILL_SECRET: "a secret of forty characters for tests ab",
      WAYBILL_DEMO: "off",
      WAYBILL_RATE_LIMITS: "off",
      WAYBILL_LOG_LEVEL: "warn",
      WAYBILL_LEASE_SECONDS: String(leaseSeconds),
      WAYBILL_PUBLIC_URL: "http://127.0.0.1:9",
    };
    const victim = aMortal(shared, await freePort());
    const bystander = aMortal(shared, await freePort());
    undo.push(() => victim.kill());
    undo.push(() => bystander.kill());
    await victim.start();
    await bystander.start();
    const { db, close: disconnect } = connect({
      url: cluster.url,
      connections_max: 4,
      application_name: "test",
    });
    undo.push(disconnect);
    return {
      url: victim.url,
      db,
      database_url: cluster.url,
      data_dir,
      simulator_url: carriers.url,
      operator: await anOperator(db, victim.url),
      client_log: aClientLog(),
      victim,
      bystander,
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

/** The simulated carriers as a program of their own, which finds its journal again. */
async function mortalCarriers(data_dir: string) {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env = { ...programEnvironment, WAYBILL_DATA_DIR: data_dir, ...standstillSettings };
  let running: ChildProcess;
  const start = async () => {
    const args = [program("../../src/cli/cli.ts"), "simulator", "--port", port];
    running = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
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

function aMortal(shared: NodeJS.ProcessEnv, port: number): Mortal {
  const url = `http://127.0.0.1:${port}`;
  const words = new EventEmitter();
  let running: ChildProcess | null = null;
  let heldCount = 0;
  const order = (message: Order) => void running!.send(message);

  return {
    url,
    async start() {
      heldCount = 0;
      running = spawn(process.execPath, [program("./victim.ts")], {
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
      // From here on its end is our doing.
      failed.catch(() => undefined);
    },
    kill: () => end(running),
    pause: () => void running!.kill("SIGSTOP"),
    resume: () => void running!.kill("SIGCONT"),
    hold(...holds) {
      heldCount = 0;
      order({ hold: holds });
    },
    release() {
      heldCount = 0;
      order({ release: true });
    },
    async untilHeld() {
      if (heldCount === 0) await once(words, "held", { signal: AbortSignal.timeout(20_000) });
    },
  };
}

async function end(running: ChildProcess | null): Promise<void> {
  if (!running || running.exitCode !== null || running.signalCode !== null) return;
  const ended = once(running, "exit");
  running.kill("SIGKILL");
  await ended;
}
