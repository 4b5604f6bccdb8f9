import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../test/setup/database.ts";
import type { Database } from "../../database/tables.ts";
import { verifyLedger } from "../verify.ts";

/** The constraints and triggers that refuse wrong writes are verified to exist and to be in force. */

/** What the schema rules find after these statements, on a database without a row. */
async function foundAfter(...statements: string[]): Promise<string[]> {
  const { db, close } = await testDatabase();
  onTestFinished(close);
  expect(await verifyLedger(db)).toEqual([]);
  for (const statement of statements) await sql.raw(statement).execute(db);
  const found = await verifyLedger(db);
  return found.map(({ rule, subject, found: there }) => `${rule}: ${subject}: ${there}`);
}

const named = (what: string) => expect.stringMatching(`^schema_is_as_migrated: ${what}`) as string;

const damages: Record<string, { statement: string; is: string }> = {
  "an append-only trigger that was left disabled": {
    statement: "ALTER TABLE ledger_entries DISABLE TRIGGER entries_are_append_only",
    is: "trigger ledger_entries entries_are_append_only: .*not enabled",
  },
  "a trigger that fires on replicas alone": {
    statement: "ALTER TABLE ledger_entries ENABLE REPLICA TRIGGER entries_sum_to_zero",
    is: "trigger ledger_entries entries_sum_to_zero: .*not enabled",
  },
  "an unknown trigger": {
    statement:
      "CREATE TRIGGER stray BEFORE INSERT ON holds EXECUTE FUNCTION refuse_change_of_the_books()",
    is: "trigger holds stray: CREATE TRIGGER",
  },
  "a check that was dropped": {
    statement: "ALTER TABLE balances DROP CONSTRAINT available_is_never_negative",
    is: "constraint balances available_is_never_negative: none",
  },
  "a check that was weakened": {
    statement:
      "ALTER TABLE balances DROP CONSTRAINT available_is_never_negative, ADD CONSTRAINT available_is_never_negative CHECK (balance_cents >= -1)",
    is: "constraint balances available_is_never_negative: CHECK",
  },
  "a check that existing rows were not validated against": {
    statement:
      "ALTER TABLE holds DROP CONSTRAINT holds_amount_cents_check, ADD CONSTRAINT holds_amount_cents_check CHECK (amount_cents >= 0) NOT VALID",
    is: "constraint holds holds_amount_cents_check: .*NOT VALID",
  },
  "a unique index that was dropped": {
    statement: "DROP INDEX attempts_one_live_purchase",
    is: "index attempts attempts_one_live_purchase: none",
  },
  "a unique index that is an index only": {
    statement:
      "DROP INDEX ledger_transactions_by_shipment; CREATE INDEX ledger_transactions_by_shipment ON ledger_transactions (account_id, shipment_id)",
    is: "index ledger_transactions ledger_transactions_by_shipment: CREATE INDEX",
  },
  "a column that may be null": {
    statement: "ALTER TABLE ledger_entries ALTER COLUMN amount_cents DROP NOT NULL",
    is: "table ledger_entries not null: ",
  },
  "a function that was replaced": {
    statement:
      "CREATE OR REPLACE FUNCTION refuse_change_of_the_books() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    is: "function {2}refuse_change_of_the_books\\(\\): plpgsql",
  },
};

test.each(Object.entries(damages))("%s is named", async (_name, { statement, is }) => {
  expect(await foundAfter(statement)).toEqual([named(is)]);
});

test("foreign keys whose triggers were left disabled are named", async () => {
  const found = await foundAfter("ALTER TABLE ledger_entries DISABLE TRIGGER ALL");
  expect(found).toContainEqual(named("ledger_entries ledger_entries_.*fkey: disabled triggers"));
});

test("a constant hash is named, whatever the ledger holds", async () => {
  const { db, close } = await testDatabase();
  onTestFinished(close);
  await replaceByConstant(db, "ledger_hash");
  const found = await verifyLedger(db);
  expect(found.map(({ subject }) => subject.startsWith("function  ledger_hash("))).toEqual([true]);
});

async function replaceByConstant(db: Database, name: string): Promise<void> {
  const { rows } = await sql<{ definition: string }>`
    SELECT pg_get_functiondef(oid) AS definition FROM pg_proc WHERE proname = ${name}`.execute(db);
  const [head] = rows[0]!.definition.split(/\n\s*RETURN /);
  await sql.raw(`${head} RETURN '\\x00'::bytea`).execute(db);
}
