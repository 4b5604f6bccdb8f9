import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { startEmbedded } from "./embedded-postgres.ts";

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const testAsRoot = test.runIf(process.getuid?.() === 0);

/** A data directory below a private folder, as in a clone under root's home. */
function privateDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill private "));
  folders.push(folder);
  return join(folder, "data");
}

/** Starts, runs statements and stops; records where the data are, to remove them in the end. */
async function ask(data_dir: string, ...statements: string[]): Promise<unknown> {
  const embedded = await startEmbedded({ data_dir, fsync: false });
  folders.push(dirname(realpathSync(join(data_dir, "postgres"))));
  const client = new pg.Client({ connectionString: embedded.url });
  await client.connect();
  try {
    let answer: unknown;
    for (const statement of statements) {
      answer = (await client.query<{ answer: unknown }>(statement)).rows[0]?.answer;
    }
    return answer;
  } finally {
    await client.end();
    await embedded.stop();
  }
}

const create = "CREATE TABLE kept AS SELECT 42 AS answer";
const read = "SELECT answer FROM kept";

testAsRoot(
  "data below a private folder are kept where PostgreSQL's user can reach them",
  async () => {
    const data_dir = privateDataDir();
    await ask(data_dir, create);
    expect(realpathSync(join(data_dir, "postgres"))).toMatch(/^\/var\/lib\/waybill\//);
    expect(await ask(data_dir, read)).toBe(42);
  },
);

testAsRoot(
  "a moved data directory keeps its data, and a new one at its path is empty",
  async () => {
    const data_dir = privateDataDir();
    await ask(data_dir, create);
    renameSync(data_dir, `${data_dir} moved`);
    expect(await ask(data_dir, "SELECT to_regclass('kept') AS answer")).toBeNull();
    chmodSync(dirname(data_dir), 0o755);
    expect(await ask(`${data_dir} moved`, read)).toBe(42);
  },
);

testAsRoot("lost data are named instead of replaced by an empty database", async () => {
  const data_dir = privateDataDir();
  await ask(data_dir, create);
  rmSync(realpathSync(join(data_dir, "postgres")), { recursive: true });
  await expect(startEmbedded({ data_dir })).rejects.toThrow("which is gone");
});

testAsRoot("data that their owner can no longer reach are named with the remedy", async () => {
  const data_dir = privateDataDir();
  chmodSync(dirname(data_dir), 0o755);
  await ask(data_dir, create);
  chmodSync(dirname(data_dir), 0o700);
  await expect(startEmbedded({ data_dir })).rejects.toThrow("chmod o+x");
  chmodSync(dirname(data_dir), 0o755);
  expect(await ask(data_dir, read)).toBe(42);
});

testAsRoot("a strict umask of root's does not lock PostgreSQL out", async () => {
  const before = process.umask(0o077);
  try {
    const data_dir = privateDataDir();
    mkdirSync(data_dir);
    expect(await ask(data_dir, create, read)).toBe(42);
  } finally {
    process.umask(before);
  }
});
