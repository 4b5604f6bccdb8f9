import { execFileSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aClient, outcomeOf } from "../client.ts";
import { runCli, startCli } from "../shell.ts";
import { testDatabase, type TestDatabase } from "../setup/database.ts";

/**
 * Secrets on the standard output, which is a log wherever Waybill runs as a service: the demo's are in the
 * first start's alone, and no later line has a token, whatever clients send.
 */

let data_dir: string;
let database: TestDatabase;
beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), "waybill-demo-"));
  database = await testDatabase();
});
afterAll(async () => {
  await database.close();
  await rm(data_dir, { recursive: true, force: true });
});

const settings = { PORT: "0", WAYBILL_LOG_LEVEL: "debug" };

interface Started {
  process: ChildProcess;
  /** All output so far. */
  said(): string;
  stop(): Promise<void>;
}

/** Starts the platform and resolves once it has printed its greeting. */
async function start(): Promise<Started> {
  const process = startCli(["serve", "--accept-data-loss"], {
    database_url: database.url,
    data_dir,
    settings,
  });
  const chunks: Buffer[] = [];
  const said = () => Buffer.concat(chunks).toString();
  for (const stream of [process.stdout!, process.stderr!])
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  await expect.poll(said, { timeout: 80_000, interval: 50 }).toContain("Books");
  return {
    process,
    said,
    async stop() {
      const closed = once(process, "close");
      process.kill("SIGTERM");
      await closed;
    },
  };
}

interface Demo {
  password: string;
  sandbox_base_url: string;
  sandbox_token: string;
  live_token: string;
  operator_token: string;
}
const readDemo = async () =>
  JSON.parse(await readFile(join(data_dir, "demo.json"), "utf8")) as Demo;

/** Runs the commands that the greeting prints. */
function tryWhatIsPrinted(said: string): { data: unknown[] } {
  const command = /^curl -s [^]*$/m.exec(said)![0].split("\n").slice(0, 4).join("\n");
  return JSON.parse(execFileSync("sh", ["-c", command]).toString()) as { data: unknown[] };
}

test("the demo's secrets are printed by its first start alone, and no log line has a token", async () => {
  await chmod(data_dir, 0o777);
  const first = await start();
  const { password, sandbox_token } = await readDemo();
  const modeOf = async (path: string) => (await stat(join(data_dir, path))).mode & 0o777;
  expect(await modeOf("demo.json")).toBe(0o600);
  expect(await modeOf("simulator/journal.jsonl")).toBe(0o600);
  expect((await modeOf(".")) & 0o066).toBe(0);
  expect(first.said()).toContain(password);
  expect(first.said()).toContain(sandbox_token);
  expect(tryWhatIsPrinted(first.said()).data.length).toBeGreaterThan(5);
  await first.stop();

  const second = await start();
  const demo = await readDemo();
  expect(second.said()).toContain(join(data_dir, "demo.json"));
  expect(tryWhatIsPrinted(second.said()).data.length).toBeGreaterThan(5);
  const client = aClient(demo.sandbox_base_url, demo.sandbox_token);
  // A request whose failure is logged, under a name that the client gave it.
  await database.db.schema.alterTable("filters").renameTo("elsewhere").execute();
  const named = { "x-request-id": demo.live_token };
  expect(outcomeOf(await client.get("/filters", named))).toBe("500 internal_error");
  await client.get(`/shipments/${demo.operator_token}?token=${demo.sandbox_token}`);
  await aClient(demo.sandbox_base_url, demo.live_token).get("/shipments");
  await second.stop();
  expect(second.said()).toContain("request.failed");
  expect(second.said()).toContain("wb_live_…");
  for (const secret of [demo.password, demo.sandbox_token, demo.live_token, demo.operator_token])
    expect(second.said()).not.toContain(secret);
}, 180_000);

test("the demo is not served where other machines reach it, unless a setting allows it", async () => {
  const place = { database_url: database.url, data_dir };
  const refused = await runCli(["serve", "--accept-data-loss"], {
    ...place,
    settings: { ...settings, HOST: "0.0.0.0" },
  });
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain("Set WAYBILL_DEMO=on");
});
