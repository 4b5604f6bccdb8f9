import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../test/setup/database.ts";
import type { Database } from "../database/tables.ts";
import { forgetRules, readyRules, rulesToPlanBy } from "./ready-rules.ts";

const account_id = "acc_1";
const trigger = "shipment.created";

/** A database whose one account has one rule of that name, or none. */
async function databaseWith(name: string | null): Promise<Database> {
  const { db, close } = await testDatabase();
  onTestFinished(close);
  await sql`INSERT INTO organizations (id, name, owner_email) VALUES ('org_1', 'One', 'a@b.test')`.execute(
    db,
  );
  await sql`INSERT INTO accounts (account_id, organization_id, environment)
    VALUES (${account_id}, 'org_1', 'test')`.execute(db);
  if (name === null) return db;
  await sql`INSERT INTO rule_sets VALUES (${account_id}, 'same version')`.execute(db);
  await sql`
    INSERT INTO rules (account_id, id, name, enabled, priority, trigger, criteria, actions, stop_processing,
      created_at, updated_at)
    VALUES (${account_id}, 'rul_1', ${name}, true, 1, ${trigger}, '{"match": "all", "conditions": []}', '[]',
      false, now(), now())`.execute(db);
  return db;
}

test("an account of two databases in one process has in each the rules that are there", async () => {
  const databases = [
    await databaseWith("first"),
    await databaseWith("second"),
    await databaseWith(null),
  ];
  const namesBy = (read: (db: Database) => Promise<{ rules: readonly { rule_name: string }[] }>) =>
    Promise.all(databases.map(async (db) => (await read(db)).rules.map((rule) => rule.rule_name)));
  const expected = [["first"], ["second"], []];
  expect(await namesBy((db) => readyRules(db, account_id, [trigger]))).toEqual(expected);
  const plan = { trigger, row_count: 1 } as const;
  expect(await namesBy((db) => rulesToPlanBy(db, account_id, plan))).toEqual(expected);
  forgetRules(databases[0]!, account_id);
  expect(await namesBy((db) => rulesToPlanBy(db, account_id, plan))).toEqual(expected);
});
