import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startEmbedded } from "../../src/database/embedded-postgres/embedded-postgres.ts";
import { testDatabase, type TestDatabase } from "../setup/database.ts";
import { aStore } from "../setup/s3.ts";
import { cli } from "../program.ts";
import { programEnvironment } from "../program-environment.ts";

/** The states on which Waybill refuses to start, with a message: the very command that operators run. */

const secret = "a secret of forty characters for tests ab";

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "waybill-refused-"));
  chmodSync(folder, 0o755);
  database = await testDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a command that has to end by itself; returns its exit and its output. */
async function refusal(command: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [cli, ...command], {
    env: {
      ...programEnvironment,
      PORT: "0",
      WAYBILL_DATA_DIR: join(folder, "data"),
      WAYBILL_DEMO: "off",
      WAYBILL_LOG_LEVEL: "silent",
      ...environment,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said: Buffer.concat(said).toString() };
}

test("serve and worker refuse a server whose fsync is off, and name the setting", async () => {
  const unsafe = await startEmbedded({ data_dir: join(folder, "unsafe"), fsync: false });
  onTestFinished(() => unsafe.stop());
  for (const command of [["serve"], ["worker"]]) {
    const { code, said } = await refusal(command, {
      DATABASE_URL: unsafe.url,
      WAYBILL_SECRET: secret,
    });
    expect(said).toContain("fsync is off: a power cut may destroy the whole database");
    expect(code).toBe(1);
  }
});

test("serve and worker refuse a bucket that does not exist, and name the setting", async () => {
  const store = await aStore(join(folder, "s3"));
  onTestFinished(async () => void (await store.close()));
  for (const command of ["serve", "worker"]) {
    const { code, said } = await refusal([command, "--accept-data-loss"], {
      DATABASE_URL: database.url,
      WAYBILL_SECRET: secret,
      WAYBILL_S3_BUCKET: "none",
      WAYBILL_S3_ENDPOINT: store.url,
      WAYBILL_S3_ACCESS_KEY_ID: store.access_key_id,
      WAYBILL_S3_SECRET_ACCESS_KEY: store.secret_access_key,
    });
    expect(said).toContain("The bucket of WAYBILL_S3_BUCKET, none, cannot be used: NoSuchBucket");
    expect(code).toBe(1);
  }
});

test("a schema that is newer than the code is refused", async () => {
  await sql`INSERT INTO migration_checksums VALUES ('9999_from_the_future.sql', 'checksum')`.execute(
    database.db,
  );
  const { code, said } = await refusal(["serve", "--accept-data-loss"], {
    DATABASE_URL: database.url,
    WAYBILL_SECRET: secret,
  });
  expect(said).toContain("newer than the code");
  expect(code).toBe(1);
});

test.each([
  ["a missing", {}, "WAYBILL_SECRET is required with DATABASE_URL"],
  ["a short", { WAYBILL_SECRET: "31 characters are one too few.." }, "has 31 characters"],
])("%s WAYBILL_SECRET with DATABASE_URL is refused", async (_name, given, sentence) => {
  const { code, said } = await refusal(["serve"], { DATABASE_URL: database.url, ...given });
  expect(said).toContain(sentence);
  expect(code).toBe(1);
});
