import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "../../src/database/connect.ts";
import type { Database } from "../../src/database/tables.ts";
import { programEnvironment } from "../program-environment.ts";
import { aCluster, type Cluster } from "../setup/cluster.ts";
import { webhookSecret } from "../webhooks.ts";
import { aTargetProcess, end, leaseSeconds, type TargetProcess } from "./crash-rig.ts";
import { aCutProxy, type CutProxy } from "./cut-proxy.ts";
import { freePort } from "./served.ts";
import type { Witnessed } from "./witness-process.ts";

/** Two processes with API and worker, PostgreSQL with the connection to it, and a receiver, each of which can die by itself. */
export interface WebhookRig {
  db: Database;
  target: TargetProcess;
  /** Held before it claims or places anything, until it is released. */
  observer: TargetProcess;
  cluster: Cluster;
  network: CutProxy;
  witness: Witness;
  close(): Promise<void>;
}

interface Witness {
  url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** What it received on a path, in order. */
  received(path: string): Witnessed[];
}

export async function aWebhookRig(): Promise<WebhookRig> {
  const undo: (() => unknown)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const data_dir = await mkdtemp(join(tmpdir(), "waybill-webhooks-"));
    undo.push(() => rm(data_dir, { recursive: true, force: true }));
    const cluster = await aCluster();
    undo.push(() => cluster.close());
    const network = await aCutProxy(cluster.url);
    undo.push(() => network.close());
    const witness = await aWitness(join(data_dir, "journal"));
    undo.push(() => witness.kill());
    const shared = {
      ...programEnvironment,
      DATABASE_URL: network.url,
      // Nothing is asked of carriers here.
      WAYBILL_SIMULATOR_URL: "http://127.0.0.1:9",
      WAYBILL_DATA_DIR: data_dir,
      WAYBILL_SECRET: webhookSecret,
      WAYBILL_DEMO: "off",
      WAYBILL_RATE_LIMITS: "off",
      WAYBILL_LOG_LEVEL: "warn",
      WAYBILL_LEASE_SECONDS: String(leaseSeconds),
      WAYBILL_WEBHOOK_ALLOW: "127.0.0.1/32",
      WAYBILL_WEBHOOK_SCHEDULE: "0,0.3,0.5,1,1,1,2,2,3,3",
    };
    const target = aTargetProcess(shared, await freePort());
    const observer = aTargetProcess(shared, await freePort());
    for (const each of [target, observer]) {
      undo.push(() => each.kill());
      await each.start();
    }
    const { db, close: disconnect } = connect({
      url: cluster.url,
      connections_max: 4,
      application_name: "test",
    });
    undo.push(disconnect);
    return { db, target, observer, cluster, network, witness, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function aWitness(journal: string): Promise<Witness> {
  const port = String(await freePort());
  const program = fileURLToPath(new URL("./witness-process.ts", import.meta.url));
  let running: ChildProcess;
  const start = async () => {
    running = spawn(process.execPath, [program, port, journal], {
      env: programEnvironment,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    await once(running, "message");
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    start,
    kill: () => end(running),
    received: (path) =>
      (existsSync(journal) ? readFileSync(journal, "utf8") : "")
        .split("\n")
        // A line that a kill cut off was answered nothing.
        .filter((line) => line.endsWith("}"))
        .map((line) => JSON.parse(line) as Witnessed)
        .filter((each) => each.path === path),
  };
}
