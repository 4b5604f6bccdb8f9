import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { connect } from "../../src/database/connect.ts";
import type { Database } from "../../src/database/tables.ts";
import { createBatch, createMany, processBatch } from "../batches.ts";
import { testDatabase, type TestDatabase } from "../setup/database.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount } from "../world.ts";

/**
 * PostgreSQL plans a statement once for a connection, and on a new database the tables are empty then.
 * Those plans have to be good enough until the first ANALYZE, which here never runs.
 */

/** Bought by a batch, and as many one by one. */
const labelsEach = 80;
const atOnce = 8;
/**
 * Rows that one index or table may be read for a label, however many labels there are. When only the foreign
 * key of the ledger's entries read all of an account's transactions, these would be 300. Placing reads the entries of
 * events that were placed since the last vacuum, which are 30 to 60 at these numbers, by how often it runs.
 */
const perLabelMax = 100;

test("no index and no table is read more for a label, the more labels there are", async () => {
  const database = await testDatabase();
  try {
    await turnAutovacuumOff(database.db);
    await sellLabels(database);
    const reads = await readsOf(database.db);
    const grown = reads.filter(({ per_label }) => per_label > perLabelMax);
    // As texts, which a failure prints.
    expect(grown.map(({ name, per_label }) => `${name}: ${per_label}`)).toEqual([]);
    const ofLedger = reads.find(({ name }) => name === "ledger_transactions_pkey")!;
    expect(ofLedger.per_label, "what was read is known").toBeGreaterThan(1);
  } finally {
    await database.close();
  }
});

/** Autovacuum also analyzes, after which each connection plans anew. */
async function turnAutovacuumOff(db: Database): Promise<void> {
  await sql`
    DO $$
    DECLARE name text;
    BEGIN
      FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
        EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = off)', name);
      END LOOP;
    END $$`.execute(db);
}

/** On connections that were opened when the tables were empty, and are closed afterwards. */
async function sellLabels({ url, db }: TestDatabase): Promise<void> {
  const application_name = "the platform that sells";
  const connection = connect({ url, connections_max: 10, application_name });
  const world = await aPlatform({}, { database: { ...connection, url } });
  try {
    const account = await anAccount(world, { balance_cents: 90_000_000 });
    await sellOneByOne(account);
    await sellBatch(account, db);
  } finally {
    await world.close();
    await connection.close();
  }
  // A connection tells what it read when it ends.
  await vi.waitFor(
    async () => {
      const { rows } = await sql`
      SELECT FROM pg_stat_activity WHERE application_name = ${application_name} AND datname = current_database()`.execute(
        db,
      );
      expect(rows).toEqual([]);
    },
    { timeout: 20_000 },
  );
}

const shipments = () => Array.from({ length: labelsEach }, () => aShipment());

/** Each with a key, quoted, bought and read, and every fifth voided. */
async function sellOneByOne(account: TestAccount): Promise<void> {
  const left = shipments().entries();
  const sell = async () => {
    for (const [place, entry] of left) {
      const key = (call: string) => ({ "idempotency-key": `${call} ${place}` });
      const { id } = await account.create(entry);
      await account.rates(id);
      must(await account.buy(id, { service: "cheapest" }, key("buy")), 201);
      const { tracking_code } = await account.show(id);
      must(await account.get(`/tracking/${tracking_code}`), 200);
      if (place % 5 === 0) must(await account.post(`/shipments/${id}/void`, {}, key("void")), 200);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sell));
}

/** Waited for by its row: a poll of the API counts all items for its progress. */
async function sellBatch(account: TestAccount, db: Database): Promise<void> {
  const { id } = await createBatch(account, await createMany(account, shipments()));
  must(await processBatch(account, id), 202);
  await vi.waitFor(
    async () => {
      const batch = db.selectFrom("batches").select(["status", "success_count"]);
      const row = await batch.where("id", "=", id).executeTakeFirstOrThrow();
      expect(row).toEqual({ status: "completed", success_count: labelsEach });
    },
    { timeout: 30_000, interval: 100 },
  );
}

interface Reads {
  name: string;
  per_label: number;
}

/** Index entries, and rows of whole tables, that were read for each label. */
async function readsOf(db: Database): Promise<Reads[]> {
  const { rows } = await sql<Reads>`
    SELECT name, rows_read::float8 / ${2 * labelsEach} AS per_label FROM (
      SELECT indexrelname AS name, idx_tup_read AS rows_read FROM pg_stat_user_indexes
      UNION ALL SELECT relname, seq_tup_read FROM pg_stat_user_tables) AS reads`.execute(db);
  return rows;
}
