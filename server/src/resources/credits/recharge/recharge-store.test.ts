import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../test/setup/database.ts";
import { inTransaction } from "../../../database/connect.ts";
import { newId } from "../../../domain/values/ids.ts";
import { claimRecharge } from "./recharge-store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test("of two processes that find an account due at the same moment one claims its top-up", async () => {
  const { db } = database;
  const account_id = newId("acc");
  await sql`INSERT INTO auto_recharges (account_id, due_at) VALUES (${account_id}, now())`.execute(
    db,
  );
  const claimed = () => inTransaction(db, (tx) => claimRecharge(tx, account_id, newId("txn")));
  const { first, second } = await inTransaction(db, async (tx) => {
    const isFirst = await claimRecharge(tx, account_id, newId("txn"));
    return { first: isFirst, second: claimed() };
  });
  expect([first, await second, await claimed()]).toEqual([true, false, false]);
});
