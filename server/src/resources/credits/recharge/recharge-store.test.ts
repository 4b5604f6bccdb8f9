import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../test/setup/database.ts";
import { inTransaction } from "../../../database/connect.ts";
import type { Tx } from "../../../database/tables.ts";
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
  const claim = (tx: Tx) => claimRecharge(tx, account_id, newId("txn"));
  const [held, ended] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const first = inTransaction(db, async (tx) => {
    const isClaimed = await claim(tx);
    held.resolve(undefined);
    await ended.promise;
    return isClaimed;
  });
  await held.promise;
  const second = inTransaction(db, claim);
  ended.resolve(undefined);
  expect(await Promise.all([first, second])).toEqual([true, false]);
});
