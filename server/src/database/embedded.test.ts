import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { startEmbedded } from "./embedded.ts";

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A data directory with a space and letters beyond ASCII in its path. */
function dataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill embedded é "));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return join(folder, "data");
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that starts the database, prints its address and never stops by itself. */
function startElsewhere(data_dir: string): { child: ChildProcess; url: Promise<string> } {
  const program = `
    import { startEmbedded } from ${JSON.stringify(new URL("./embedded.ts", import.meta.url).href)};
    console.log((await startEmbedded({ data_dir: ${JSON.stringify(data_dir)} })).url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the other process ended early")));
    child.stdout.once("data", (line: Buffer) => resolve(line.toString().trim()));
  });
  return { child, url };
}

function killed(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((done) => child.once("exit", () => done()));
  child.kill("SIGKILL");
  return gone;
}

test("data outlives a stop and a new start, with fsync on", async () => {
  const data_dir = dataDir();
  const first = await startEmbedded({ data_dir });
  await query(first.url, "CREATE TABLE kept AS SELECT 42 AS answer");
  expect(await query(first.url, "SHOW fsync")).toEqual([{ fsync: "on" }]);
  await first.stop();
  const second = await startEmbedded({ data_dir });
  expect(await query(second.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  await second.stop();
});

test("a second start on the same data directory says who holds it", async () => {
  const data_dir = dataDir();
  const embedded = await startEmbedded({ data_dir });
  await expect(startEmbedded({ data_dir })).rejects.toThrow(`in use by process ${process.pid}`);
  await embedded.stop();
});

test("the next start ends what a killed parent left behind, and loses nothing that was committed", async () => {
  const data_dir = dataDir();
  const { child, url } = startElsewhere(data_dir);
  await query(await url, "CREATE TABLE kept AS SELECT 7 AS answer");
  await killed(child);
  const embedded = await startEmbedded({ data_dir });
  expect(await query(embedded.url, "SELECT answer FROM kept")).toEqual([{ answer: 7 }]);
  await embedded.stop();
});

test.runIf(process.getuid?.() === 0)(
  "under root, a data directory that others cannot reach is served from one that they can",
  async () => {
    const data_dir = dataDir();
    mkdirSync(data_dir, { mode: 0o700 });
    const embedded = await startEmbedded({ data_dir });
    const [row] = await query(embedded.url, "SHOW data_directory");
    folders.push(join(String(row!["data_directory"]), ".."));
    expect(row!["data_directory"]).toMatch(/^\/var\/lib\/waybill\//);
    await embedded.stop();
  },
);
