import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { startEmbedded } from "../server/src/database/embedded.ts";

/** One machine's worth of Waybill for a measurement: its own database, simulator, API and bare twin. */
export interface World {
  database: pg.Pool;
  /** The sandbox's base address, and a token with every scope. */
  base: string;
  token: string;
  account_id: string;
  simulator: string;
  bare: string;
  stop(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-bench-"));
  const embedded = process.env["DATABASE_URL"] ? null : await startEmbedded({ data_dir: folder });
  const url = process.env["DATABASE_URL"] ?? embedded!.url;
  const environment = {
    ...process.env,
    DATABASE_URL: url,
    WAYBILL_SECRET: randomBytes(24).toString("hex"),
    WAYBILL_DATA_DIR: folder,
    WAYBILL_RATE_LIMITS: "off",
    WAYBILL_LOG_LEVEL: "error",
    PORT: "0",
  };
  const children: ChildProcess[] = [];
  const start = async (args: string[], says: RegExp, extra: object = {}) => {
    const child = spawn(process.execPath, args, {
      env: { ...environment, ...extra },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    return firstMatch(child, says);
  };
  const simulator = await start(
    ["server/src/cli.ts", "simulator", "--port", "0"],
    /answer at (\S+)/,
  );
  await start(["server/src/cli.ts", "serve"], /Sandbox +(\S+)/, {
    WAYBILL_SIMULATOR_URL: simulator,
  });
  const bare = await start(["bench/bare-server.ts"], /^(http\S+)/);
  const demo = JSON.parse(readFileSync(join(folder, "demo.json"), "utf8")) as Record<
    string,
    string
  >;
  const database = new pg.Pool({ connectionString: url, max: 4 });
  return {
    database,
    base: demo["sandbox_base_url"]!,
    token: demo["sandbox_token"]!,
    account_id: demo["sandbox_account_id"]!,
    simulator,
    bare,
    async stop() {
      await database.end();
      await Promise.all(children.map(stopChild));
      await embedded?.stop();
    },
  };
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
