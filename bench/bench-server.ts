import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { processorSeconds, treeSeconds } from "./processor-time.ts";
import type { startEmbedded } from "../server/src/database/embedded-postgres/embedded-postgres.ts";

/** Everything one measurement needs: database, simulator, API and the bare reference server. */
export interface BenchServer {
  database: pg.Pool;
  /** The sandbox's base address, and a token with every scope. */
  base: string;
  /** The same address at each process that serves the API. */
  bases: string[];
  token: string;
  account_id: string;
  operator_token: string;
  simulator: string;
  bare: string;
  /** The processes at work, for their cost; the database's is 0 when it is not the bench's own. */
  pids: { server: number; simulator: number; database: number; bare: number };
  /** Processor seconds so far: of all processes of the API, the simulator, the database and the bare server. */
  costs(): { server: number; simulator: number; database: number; bare: number };
  /** Starts a program of this folder beside the server, on the same database, data and simulator. */
  start(program: string): Promise<ChildProcess>;
  stop(): Promise<void>;
}

/** The parcel that every measurement is of. */
export const parcelEntry = {
  to_address: {
    name: "Amélie Tremblay",
    address1: "275 Rue Notre-Dame Est",
    city: "Montréal",
    province_code: "QC",
    postal_code: "H2Y 1C6",
    country_code: "CA",
  },
  packages: [{ weight: 2, weight_unit: "lbs", length: 10, width: 8, height: 4, size_unit: "in" }],
};

/** The PostgreSQL that the checkout itself starts, reached in its own way. */
async function databaseOf(checkout: string, folder: string): ReturnType<typeof startEmbedded> {
  const module = "server/src/database/embedded-postgres/embedded-postgres.ts";
  const own = (await import(resolve(checkout, module))) as { startEmbedded: typeof startEmbedded };
  return own.startEmbedded({ data_dir: folder });
}

/**
 * `settings` replace those of measurements: no rate limits, and errors only in the log. `checkout` is
 * the folder whose programs run: this one's by default. `processes` serve the API, on one database.
 */
export async function startBenchServer(
  settings: Record<string, string> = {},
  checkout = process.cwd(),
  processes = 1,
): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-bench-"));
  // Under root, PostgreSQL runs as another user: the cluster stays in this folder only where that user may enter.
  chmodSync(folder, 0o755);
  const embedded = process.env["DATABASE_URL"] ? null : await databaseOf(checkout, folder);
  const url = process.env["DATABASE_URL"] ?? embedded!.url;
  const environment = {
    ...process.env,
    DATABASE_URL: url,
    WAYBILL_SECRET: randomBytes(24).toString("hex"),
    WAYBILL_DATA_DIR: folder,
    WAYBILL_RATE_LIMITS: "off",
    WAYBILL_LOG_LEVEL: "error",
    // Measurements are of the platform; those of the carriers' own forms say so (carriers.ts).
    WAYBILL_SANDBOX_CARRIERS: "simulated",
    PORT: "0",
    ...settings,
  };
  const children: ChildProcess[] = [];
  const start = async (args: string[], says: RegExp, extra: object = {}) => {
    const child = spawn(process.execPath, args, {
      cwd: checkout,
      env: { ...environment, ...extra },
      stdio: ["pipe", "pipe", "inherit"],
    });
    children.push(child);
    return { child, said: await firstMatch(child, says) };
  };
  const stopPrograms = async () => {
    await Promise.all(children.map(stopChild));
    await embedded?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const startAll = async () => {
    const simulator = await start(
      ["server/bin/waybill.js", "simulator", "--port", "0"],
      /answer at (\S+)/,
    );
    const beside = { WAYBILL_SIMULATOR_URL: simulator.said };
    // One after the other: the first migrates the database and fills it with the demo.
    const servers = [];
    const { flags, variables } = startScriptOf(checkout);
    for (let started = 0; started < processes; started++) {
      const args = [...flags, "server/bin/waybill.js", "serve"];
      servers.push(await start(args, /Sandbox +(\S+)/, { ...variables, ...beside }));
    }
    const bare = await start(["bench/bare-server.ts"], /^(http\S+)/, beside);
    return { simulator, beside, servers, bare };
  };
  const { simulator, beside, servers, bare } = await startAll().catch(async (error: unknown) => {
    await stopPrograms();
    throw error;
  });
  const demo = JSON.parse(readFileSync(join(folder, "demo.json"), "utf8")) as Record<
    string,
    string
  >;
  const database = new pg.Pool({ connectionString: url, max: 4 });
  const stop = async () => {
    await database.end();
    await stopPrograms();
  };
  const pids = {
    server: servers[0]!.child.pid!,
    simulator: simulator.child.pid!,
    database: embedded ? postmasterOf(folder) : 0,
    bare: bare.child.pid!,
  };
  process.once("SIGTERM", () => void stop().finally(() => process.exit(1)));
  return {
    database,
    base: demo["sandbox_base_url"]!,
    bases: servers.map(({ said }) => said),
    token: demo["sandbox_token"]!,
    account_id: demo["sandbox_account_id"]!,
    operator_token: demo["operator_token"]!,
    simulator: simulator.said,
    bare: bare.said,
    pids,
    costs: () => ({
      server: servers.reduce((sum, { child }) => sum + processorSeconds(child.pid!), 0),
      simulator: processorSeconds(pids.simulator),
      database: pids.database ? treeSeconds(pids.database) : 0,
      bare: processorSeconds(pids.bare),
    }),
    start: async (program) => (await start([`bench/${program}`], /^(ready)/, beside)).child,
    stop,
  };
}

/** What `npm start` gives Node and its environment, which decide how much memory it takes. */
function startScriptOf(checkout: string) {
  const { scripts } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(" ");
  const variables = words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split("="));
  return {
    flags: words.filter((word) => word.startsWith("--")),
    variables: Object.fromEntries(variables) as Record<string, string>,
  };
}

function postmasterOf(folder: string): number {
  return Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
}

function stopChild(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null) return done();
    child.once("exit", () => done());
    child.kill("SIGTERM");
  });
}

function firstMatch(child: ChildProcess, says: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code) =>
      reject(new Error(`a process ended with ${code} before it was ready`)),
    );
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const match = says.exec(line);
      if (match) resolve(match[1]!);
    });
  });
}
