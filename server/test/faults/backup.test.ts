import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { backUpToFile } from "../../src/backup/backup.ts";
import { checkBackup } from "../../src/backup/check.ts";
import type { Manifest } from "../../src/backup/manifest.ts";
import { restoreBackup } from "../../src/backup/restore.ts";
import type { Database } from "../../src/database/tables.ts";
import { placer } from "../../src/events/feed/place.ts";
import { aBackupJob, filesIn, withRestored } from "../backups.ts";
import { runCli, startCli } from "../shell.ts";
import { bareDatabase, testDatabase, type TestDatabase } from "../setup/database.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/**
 * `waybill backup` and `waybill restore`: the restored state is that of one moment, and only an
 * empty database is restored into.
 */

let folder: string;
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waybill-backup-"));
  world = await aPlatform();
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

test("a backup taken while eight clients buy, void and top up is of one moment", async () => {
  const path = join(folder, "busy.tar.gz");
  const accounts = await Promise.all(Array.from({ length: 8 }, () => anAccount(world)));
  let isOver = false;
  const busy = accounts.map(async (account) => {
    for (let round = 0; !isOver; round += 1) await oneRound(account, round);
  });
  await untilBought(world.db, 12);
  const manifest = await backUpToFile(aBackupJob(world), path);
  isOver = true;
  await Promise.all(busy);

  await withRestored(path, async (copy) => {
    expect(copy.manifest).toEqual(manifest);
    expect(await rowCounts(copy.db, manifest)).toEqual(
      Object.fromEntries(manifest.tables.map(({ name, rows }) => [name, rows])),
    );
    expect(await brokenPromises(copy.db)).toEqual([]);
    expect(
      await copy.db.selectFrom("restores").select(["taken_at", "reconciled_at"]).execute(),
    ).toEqual([{ taken_at: new Date(manifest.taken_at), reconciled_at: null }]);
    const keys = await fileKeys(copy.db);
    expect(keys.length).toBeGreaterThanOrEqual(12);
    expect(manifest.files).toMatchObject({ count: keys.length, missing: [] });
    for (const key of keys)
      expect(await filesIn(copy.data_dir).read(key)).toEqual(
        await filesIn(world.data_dir).read(key),
      );
  });
});

async function oneRound(account: TestAccount, round: number): Promise<void> {
  const { id } = await account.create(aShipment());
  await account.bought(id, { service: "ups.standard" });
  if (round % 2 === 0) must(await account.post(`/shipments/${id}/void`), 200);
  else must(await account.post("/credits/top-up", { amount: 10 + round }), 201);
}

async function untilBought(db: Database, count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await sql<{ bought: number }>`
          SELECT count(*)::int AS bought FROM shipments WHERE purchased_at IS NOT NULL`.execute(db);
        return rows[0]!.bought;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThanOrEqual(count);
}

async function rowCounts(db: Database, { tables }: Manifest): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const feedsFirst = tables.toSorted((one) => (one.name === "event_feeds" ? -1 : 0));
  for (const { name } of feedsFirst) {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM ${sql.table(name)}`.execute(db);
    // What the restore itself wrote: its mark, and an event for each feed.
    const own = { restores: 1, event_outbox: counts["event_feeds"] ?? 0 }[name] ?? 0;
    counts[name] = rows[0]!.count - own;
  }
  return counts;
}

/** States that no moment of a running platform has, but a mix of two moments would. */
async function brokenPromises(db: Database): Promise<unknown[]> {
  const { rows } = await sql`
    SELECT 'a hold without an open attempt' AS what, h.id FROM holds h
    WHERE status = 'held' AND NOT EXISTS (SELECT FROM attempts a
      WHERE a.account_id = h.account_id AND a.input ->> 'hold_id' = h.id AND a.status IN ('sent', 'unknown'))
    UNION ALL
    SELECT 'an open purchase without its hold', a.id FROM attempts a
    WHERE kind = 'label_purchase' AND status IN ('sent', 'unknown') AND NOT EXISTS (
      SELECT FROM holds h WHERE h.account_id = a.account_id AND h.id = a.input ->> 'hold_id' AND h.status = 'held')
    UNION ALL
    SELECT 'a settled purchase without its label', a.id FROM attempts a
    JOIN shipments s ON s.account_id = a.account_id AND s.id = a.subject_id
    WHERE kind = 'label_purchase' AND a.status = 'settled' AND s.purchase_reference IS DISTINCT FROM a.reference
    UNION ALL
    SELECT 'a label without its event', s.id FROM shipments s
    WHERE purchased_at IS NOT NULL AND NOT EXISTS (SELECT FROM recorded_events
      WHERE recorded_events.account_id = s.account_id AND recorded_events.subject_id = s.id AND recorded_events.type = 'shipment.purchased')`.execute(
    db,
  );
  return rows;
}

async function fileKeys(db: Database): Promise<string[]> {
  const rows = await db.selectFrom("shipments").select("documents").execute();
  return rows.flatMap(({ documents }) => documents.map(({ file_key }) => file_key));
}

test("the schema has no data that a backup leaves out", async () => {
  // Sequences, materialized views, foreign tables; tables of another schema than the one that is backed
  // up.
  const { rows } = await sql`
    SELECT relname, relkind FROM pg_class
    WHERE relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)
      AND (relkind IN ('S', 'm', 'f') OR relkind IN ('r', 'p') AND relnamespace <> current_schema()::regnamespace)
      AND relpersistence <> 't'`.execute(world.db);
  // A restore sets the sequence behind the greatest number that the backup has.
  expect(rows).toEqual([{ relname: "events_made", relkind: "S" }]);
});

describe("a backup", () => {
  let path: string;
  beforeAll(async () => {
    path = join(folder, "small.tar.gz");
    const account = await anAccount(world);
    await account.bought((await account.create(aShipment())).id);
    await backUpToFile(aBackupJob(world), path);
  });

  test("is readable by its owner alone, and leaves no other file beside it", async () => {
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => /partial|\.waybill-backup/.test(name))).toEqual(
      [],
    );
  });

  test("that cannot be written to its end leaves no file", async () => {
    const files = { read: () => Promise.reject(new Error("the disk is on fire")) };
    const target = join(folder, "unfinished.tar.gz");
    await expect(backUpToFile({ ...aBackupJob(world), files }, target)).rejects.toThrow("on fire");
    expect((await readdir(folder)).filter((name) => name.includes("unfinished"))).toEqual([]);
  });

  test("names the label files that are lost, and has all the rest", async () => {
    const target = join(folder, "lost-file.tar.gz");
    const [lost] = await fileKeys(world.db);
    const files = filesIn(world.data_dir);
    const manifest = await backUpToFile(
      {
        ...aBackupJob(world),
        files: { read: async (key) => (key === lost ? null : files.read(key)) },
      },
      target,
    );
    expect(manifest.files.missing).toEqual([lost]);
    expect(await checkBackup(target)).toEqual(manifest);
  });

  test("is not restored over existing rows, and names their table", async () => {
    const database = await testDatabase();
    try {
      await database.db
        .insertInto("organizations")
        .values({ id: "org_1", name: "Somebody", owner_email: "somebody@example.com" })
        .execute();
      await expect(restoreInto(database, path)).rejects.toThrow("1 row in organizations");
      await sql`DELETE FROM organizations`.execute(database.db);
      await sql`INSERT INTO processes (id, role) VALUES ('prc_1', 'api')`.execute(database.db);
      await expect(restoreInto(database, path)).rejects.toThrow("1 row in processes");
    } finally {
      await database.close();
    }
  });

  test("is not restored into a database of another application", async () => {
    const database = await bareDatabase();
    try {
      await sql`CREATE TABLE guests (name text)`.execute(database.db);
      await expect(restoreInto(database, path)).rejects.toThrow("not Waybill's: guests");
    } finally {
      await database.close();
    }
  });

  test("is restored into an empty database that has the schema already", async () => {
    const database = await testDatabase();
    try {
      await restoreInto(database, path);
      expect(await database.db.selectFrom("accounts").selectAll().execute()).toEqual(
        await world.db.selectFrom("accounts").selectAll().execute(),
      );
    } finally {
      await database.close();
    }
  });
});

test("a backup is restored with each feed behind every position that its readers were told, and says so", async () => {
  const target = join(folder, "feeds.tar.gz");
  const account = await anAccount(world);
  const quiet = await anAccount(world);
  const { id } = await account.create(aShipment());
  await account.bought(id);
  const headOf = async (db: Database, { account_id }: TestAccount) => {
    const { rows } = await sql<{ last_position: number; unplaced: number; made: number }>`
      SELECT last_position,
        (SELECT count(*)::int FROM event_outbox AS waiting WHERE waiting.account_id = feed.account_id) AS unplaced,
        (SELECT max(made) FROM events) AS made
      FROM event_feeds AS feed WHERE account_id = ${account_id}`.execute(db);
    return rows[0]!;
  };
  await expect
    .poll(async () => (await headOf(world.db, account))?.unplaced, { timeout: 10_000 })
    .toBe(0);
  const before = await headOf(world.db, account);
  await backUpToFile(aBackupJob(world), target);
  // What the backup does not have was told to readers all the same.
  await account.bought((await account.create(aShipment())).id);
  await withRestored(target, async ({ db }) => {
    const place = placer(db);
    while ((await place()).count > 0);
    for (const each of [account, quiet]) {
      const { rows } = await sql<{ type: string; position: number; data: object; made: number }>`
        SELECT type, position, data, made FROM events WHERE account_id = ${each.account_id}
        ORDER BY position DESC LIMIT 1`.execute(db);
      const last = rows[0]!;
      const from = each === account ? before.last_position : last.position - 1 - 2 ** 32;
      expect(last).toMatchObject({
        type: "feed.restored",
        position: from + 2 ** 32 + 1,
        data: { from: String(from), to: String(from + 2 ** 32) },
      });
      expect(last.made).toBeGreaterThan(before.made);
    }
  });
});

test("the command writes a backup that the command restores, by pipe or by name", async () => {
  const piped = join(folder, "piped.tar.gz");
  const saved = await runCli(["backup", "-"], world);
  expect(saved).toMatchObject({ status: 0 });
  await writeFile(piped, saved.stdout);
  const database = await bareDatabase();
  const copy = { database_url: database.url, data_dir: await mkdtemp(join(folder, "copy-")) };
  try {
    const restored = await runCli(["restore", piped], copy);
    expect(restored).toMatchObject({ status: 0 });
    expect(restored.stderr).toContain("waybill reconcile");
    expect(await fileKeys(database.db)).toEqual(await fileKeys(world.db));
    const again = await runCli(["restore", piped], copy);
    expect(again).toMatchObject({ status: 1 });
    expect(again.stderr).toContain("rows in shipments");
  } finally {
    await database.close();
  }
});

test("a restore names each file that was damaged or lost before its backup, by the digest in its row", async () => {
  const target = join(folder, "damaged-before.tar.gz");
  const account = await anAccount(world);
  const keys: string[] = [];
  for (let bought = 0; bought < 3; bought++) {
    const { id } = await account.create(aShipment());
    await account.bought(id);
    const { documents } = await world.db
      .selectFrom("shipments")
      .select("documents")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    keys.push(documents[0]!.file_key);
  }
  const [damaged, lost, sound] = keys;
  const files = filesIn(world.data_dir);
  const read = async (key: string) => {
    const content = await files.read(key);
    // As long as it was: its size alone proves nothing.
    if (key === damaged) content!.fill(32, 10, 20);
    return key === lost ? null : content;
  };
  await backUpToFile({ ...aBackupJob(world), files: { read } }, target);
  const database = await bareDatabase();
  const copy = { database_url: database.url, data_dir: await mkdtemp(join(folder, "copy-")) };
  try {
    const { status, stderr } = await runCli(["restore", target], copy);
    expect(status, stderr).toBe(1);
    const lineOf = (key: string) => stderr.split("\n").find((line) => line.includes(key));
    expect(lineOf(damaged!)).toContain("was damaged when it was backed up");
    expect(lineOf(lost!)).toContain("was not in the backup");
    expect(lineOf(sound!)).toBeUndefined();
    // Intact files are restored all the same.
    expect(await filesIn(copy.data_dir).read(sound!)).toEqual(await files.read(sound!));
    expect(await fileKeys(database.db)).toEqual(expect.arrayContaining(keys));
  } finally {
    await database.close();
  }
});

test("a backup that is killed leaves nothing under its name", async () => {
  const target = join(folder, "killed.tar.gz");
  const backup = startCli(["backup", target], world);
  const ended = once(backup, "exit");
  await expect
    .poll(async () => (await readdir(folder)).filter((name) => name.startsWith("killed")), {
      interval: 1,
      timeout: 20_000,
    })
    .not.toEqual([]);
  backup.kill("SIGKILL");
  await ended;
  expect(await readdir(folder)).not.toContain("killed.tar.gz");
});

async function restoreInto(database: TestDatabase, path: string): Promise<void> {
  await restoreBackup({ url: database.url, path, files: filesIn(folder) });
}
