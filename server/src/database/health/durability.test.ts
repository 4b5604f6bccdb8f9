import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connect } from "../connect.ts";
import { findHazards, refuseHazards } from "./durability.ts";
import { startEmbedded, type Embedded } from "../embedded-postgres/embedded-postgres.ts";

/** A server as Waybill starts it for itself, whose settings each test changes in its own way. */

let folder: string;
let server: Embedded;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "waybill-durability-"));
  chmodSync(folder, 0o755);
  server = await startEmbedded({ data_dir: join(folder, "data") });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function spoil(statement: string, undo: string): Promise<void> {
  onTestFinished(() => run(undo));
  await run(statement);
}

function fresh(url = server.url) {
  const connection = connect({ url, connections_max: 1, application_name: "durability" });
  onTestFinished(() => connection.close());
  return connection.db;
}

test("the embedded server keeps what it acknowledges", async () => {
  expect(await findHazards(fresh())).toEqual([]);
  await refuseHazards(fresh());
});

test.each([
  {
    place: "for the database",
    spoiled: "ALTER DATABASE waybill SET synchronous_commit = off",
    remedy: 'ALTER DATABASE "waybill" RESET synchronous_commit',
  },
  {
    place: "for the role",
    spoiled: "ALTER ROLE waybill SET synchronous_commit = off",
    remedy: 'ALTER ROLE "waybill" RESET synchronous_commit',
  },
  {
    place: "for the role in the database",
    spoiled: "ALTER ROLE waybill IN DATABASE waybill SET synchronous_commit = off",
    remedy: 'ALTER ROLE "waybill" IN DATABASE "waybill" RESET synchronous_commit',
  },
])("synchronous_commit off $place is refused, with the statement that undoes it", async (each) => {
  await spoil(each.spoiled, each.remedy);
  await expect(refuseHazards(fresh())).rejects.toThrow(
    `synchronous_commit is off: a crash may lose purchases that were answered; undo it with ${each.remedy}`,
  );
});

test("what the connection URL turns off is refused", async () => {
  const url = new URL(server.url);
  url.searchParams.set("options", "-c synchronous_commit=off");
  await expect(refuseHazards(fresh(url.href))).rejects.toThrow("take it out of DATABASE_URL");
});

test.each(["local", "remote_write", "remote_apply"])(
  "synchronous_commit = %s is no hazard: the commit is on the server's own disk",
  async (value) => {
    await spoil(
      `ALTER DATABASE waybill SET synchronous_commit = ${value}`,
      "ALTER DATABASE waybill RESET synchronous_commit",
    );
    expect(await findHazards(fresh())).toEqual([]);
  },
);

test("fsync and full_page_writes off are refused, each by name, with the remedy", async () => {
  const data_dir = join(folder, "unsafe");
  const unsafe = await startEmbedded({ data_dir, fsync: false });
  onTestFinished(() => unsafe.stop());
  const client = new pg.Client({ connectionString: unsafe.url });
  await client.connect();
  await client.query("ALTER SYSTEM SET full_page_writes = off");
  await client.query("SELECT pg_reload_conf()");
  await client.end();
  await expect
    .poll(async () => (await findHazards(fresh(unsafe.url))).map(({ setting }) => setting))
    .toEqual(["fsync is off", "full_page_writes is off"]);
  await expect(refuseHazards(fresh(unsafe.url))).rejects.toThrow(
    /fsync is off: a power cut may destroy .* take it off the command line[^]*full_page_writes is off: .* ALTER SYSTEM/,
  );
});
