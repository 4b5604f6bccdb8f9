import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startSimulator } from "../../src/carriers/simulator/simulator.ts";
import { aClientLog } from "../client-log.ts";
import { testDatabase, type TestDatabase } from "../setup/database.ts";
import { anOperator, type World } from "../world.ts";

/**
 * A platform in a process of its own, the very one that `npm start` runs, so that it can be killed.
 * The database and the simulated carriers outlive it: they are what the next start finds.
 */
export interface ServedWorld extends World {
  /** Ends the process as a power cut would, at once and without a word to anybody. */
  kill(): Promise<void>;
  /** Starts the process again on the same database, data and port; resolves when it is ready. */
  start(): Promise<void>;
}

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

/** On a database of its own, or on the one that it is given, which it closes in the end. */
export async function aServedPlatform(
  settings: Record<string, string>,
  given?: TestDatabase,
): Promise<ServedWorld> {
  const data_dir = await mkdtemp(join(tmpdir(), "waybill-served-"));
  const database = given ?? (await testDatabase());
  const simulator = await startSimulator({
    host: "127.0.0.1",
    port: 0,
    journal_path: join(data_dir, "simulator", "journal.jsonl"),
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    PATH: process.env["PATH"],
    PORT: String(port),
    DATABASE_URL: database.url,
    WAYBILL_SIMULATOR_URL: simulator.url,
    WAYBILL_DATA_DIR: data_dir,
    WAYBILL_SECRET: "a secret of forty characters for tests ab",
    WAYBILL_DEMO: "off",
    WAYBILL_RATE_LIMITS: "off",
    WAYBILL_LOG_LEVEL: "warn",
    ...settings,
  };
  let running: ChildProcess | null = null;

  async function start(): Promise<void> {
    // The databases of tests do without fsync, which is refused in earnest.
    const command = [cli, "serve", "--accept-data-loss"];
    running = spawn(process.execPath, command, { env: environment, stdio: "pipe" });
    const said: Buffer[] = [];
    for (const stream of [running.stdout!, running.stderr!])
      stream.on("data", (chunk: Buffer) => said.push(chunk));
    const failed = once(running, "exit").then(() => {
      throw new Error(`the process ended: ${Buffer.concat(said).toString()}`);
    });
    await Promise.race([untilReady(url), failed]);
    // From here on its end is our doing.
    failed.catch(() => undefined);
  }

  async function kill(): Promise<void> {
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGKILL");
    await ended;
  }

  await start();
  return {
    url,
    db: database.db,
    database_url: database.url,
    data_dir,
    simulator_url: simulator.url,
    operator: await anOperator(database.db, url),
    client_log: aClientLog(),
    kill,
    start,
    async close() {
      await kill();
      await simulator.close();
      await database.close();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const ready = await fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
