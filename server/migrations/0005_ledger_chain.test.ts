import { createHash } from "node:crypto";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { migrate, readMigrations } from "../src/database/migrate.ts";
import type { Database } from "../src/database/tables.ts";
import { verifyLedger } from "../src/ledger/verify.ts";
import { bareDatabase } from "../test/setup/database.ts";

/** Books as releases before the chain wrote them: what each transaction added, and what it left. */
interface Before {
  id: string;
  amount_cents: number;
  balance_after_cents: number;
}

const before = readMigrations().filter(({ name }) => name < "0005");

/** A database of the release before, with these accounts' books, brought to this release. */
async function migrated(accounts: Record<string, Before[]>): Promise<Database> {
  const { db, close } = await bareDatabase();
  onTestFinished(close);
  await migrate(db, before);
  for (const [account_id, transactions] of Object.entries(accounts)) {
    const balance = transactions.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
    await sql`INSERT INTO accounts (account_id, organization_id, environment) VALUES (${account_id}, 'org', 'test')`.execute(
      db,
    );
    await sql`INSERT INTO balances (account_id, currency, balance_cents) VALUES (${account_id}, 'CAD', ${balance})`.execute(
      db,
    );
    for (const each of transactions) await book(db, account_id, each);
  }
  await migrate(db);
  return db;
}

async function book(db: Database, accountId: string, { id, ...cents }: Before): Promise<void> {
  await sql`
    INSERT INTO ledger_transactions (account_id, id, type, amount_cents, subtotal_cents, tax_cents, currency,
      balance_after_cents, description, details, created_at)
    VALUES (${accountId}, ${id}, 'adjustment', ${cents.amount_cents}, ${cents.amount_cents}, 0, 'CAD',
      ${cents.balance_after_cents}, 'By "hand", é', '{"b": 1.50, "a": [null]}', '2026-03-08 02:30:00.123456-05')`.execute(
    db,
  );
  await sql`
    INSERT INTO ledger_entries (account_id, transaction_id, line, book, amount_cents, currency)
    VALUES (${accountId}, ${id}, 1, 'credits', ${cents.amount_cents}, 'CAD'),
      (${accountId}, ${id}, 2, 'adjustments', ${-cents.amount_cents}, 'CAD')`.execute(db);
}

async function chainOf(db: Database, accountId: string) {
  return db
    .selectFrom("ledger_transactions")
    .select(["id", "sequence", "hash"])
    .where("account_id", "=", accountId)
    .orderBy("sequence")
    .execute();
}

/** What is wrong but that these adjustments are in no audit log. */
async function chainFlaws(db: Database) {
  return (await verifyLedger(db)).filter(({ rule }) => rule !== "adjustment_is_audited");
}

test("older books are chained in the order in which their balances follow each other, not their ids", async () => {
  const db = await migrated({
    acc_empty: [],
    acc_late: [
      { id: "txn_2", amount_cents: 1000, balance_after_cents: 1000 },
      { id: "txn_1", amount_cents: 500, balance_after_cents: 1500 },
      { id: "txn_3", amount_cents: -300, balance_after_cents: 1200 },
    ],
    // From 1000 the oldest leads to where nothing goes on: the way round has to come before it.
    acc_round: [
      { id: "txn_1", amount_cents: 1000, balance_after_cents: 1000 },
      { id: "txn_5", amount_cents: -400, balance_after_cents: 600 },
      { id: "txn_6", amount_cents: 400, balance_after_cents: 1000 },
      { id: "txn_4", amount_cents: -100, balance_after_cents: 900 },
    ],
  });
  const ids = async (account: string) => (await chainOf(db, account)).map(({ id }) => id);
  expect(await ids("acc_late")).toEqual(["txn_2", "txn_1", "txn_3"]);
  expect(await ids("acc_round")).toEqual(["txn_1", "txn_5", "txn_6", "txn_4"]);
  expect(await chainFlaws(db)).toEqual([]);
});

test("a transaction's hash is SHA-256 of the hash before it and of all that it says, however the session is set", async () => {
  const accounts = {
    acc_one: [
      { id: "txn_1", amount_cents: 700, balance_after_cents: 700 },
      { id: "txn_2", amount_cents: -200, balance_after_cents: 500 },
    ],
  };
  const db = await migrated(accounts);
  let previous = "";
  for (const { sequence, hash, id } of await chainOf(db, "acc_one")) {
    const { amount_cents, balance_after_cents } = accounts.acc_one[sequence - 1]!;
    const entries = `[[1, "credits", ${amount_cents}, "CAD"], [2, "adjustments", ${-amount_cents}, "CAD"]]`;
    const micros = BigInt(Date.parse("2026-03-08T07:30:00.123Z")) * 1000n + 456n;
    const text =
      `["${previous}", "acc_one", "${id}", ${sequence}, "adjustment", ${amount_cents}, ${amount_cents}, 0, "CAD", ` +
      `${balance_after_cents}, "By \\"hand\\", é", null, {"a": [null], "b": 1.50}, ${micros}, ${entries}]`;
    previous = createHash("sha256").update(text).digest("hex");
    expect(hash.toString("hex")).toBe(previous);
  }
  const settings = sql`SET timezone = 'Asia/Kathmandu'; SET datestyle = 'German'; SET bytea_output = 'escape';
    SET extra_float_digits = 0; SET intervalstyle = 'sql_standard'`;
  await db.connection().execute(async (connection) => {
    await settings.execute(connection);
    expect(await chainFlaws(connection as Database)).toEqual([]);
  });
});

test("older books that contradict themselves are chained all the same, and what no balance leads to is named", async () => {
  const db = await migrated({
    acc_odd: [
      { id: "txn_1", amount_cents: 100, balance_after_cents: 5000 },
      { id: "txn_2", amount_cents: 1000, balance_after_cents: 1000 },
      { id: "txn_3", amount_cents: 1000, balance_after_cents: 2000 },
    ],
  });
  expect((await chainOf(db, "acc_odd")).map(({ id }) => id)).toEqual(["txn_2", "txn_3", "txn_1"]);
  const found = await chainFlaws(db);
  expect(found.map(({ rule, subject }) => `${rule} ${subject}`)).toEqual(["balance_walks txn_1"]);
});

test("after the migration the books are append-only again", async () => {
  const db = await migrated({
    acc_one: [{ id: "txn_1", amount_cents: 1, balance_after_cents: 1 }],
  });
  const change = db.updateTable("ledger_transactions").set({ description: "other" }).execute();
  await expect(change).rejects.toThrow("append-only");
});
