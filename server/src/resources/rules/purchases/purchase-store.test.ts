import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../test/setup/database.ts";
import { inTransaction } from "../../../database/connect.ts";
import { isRefused } from "../../../database/refusals.ts";
import { noteAttempts } from "./purchase-store.ts";

/** The notes of attempts at purchases that rules want. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const account_id = "acc_rules";
const [ours, others] = ["prc_ours", "prc_others"];

test.each([
  ["ours", ours, true],
  ["another process's", others, false],
])("an attempt is noted for a purchase that is %s: %s", async (_whose, holder_id, isNoted) => {
  const shipment_id = `shp_${holder_id}`;
  await sql`INSERT INTO rule_purchases (account_id, shipment_id, run_id, rule_id, rule_name, max_total_cents, status,
      holder_id, not_before)
    VALUES (${account_id}, ${shipment_id}, 'run_1', 'rul_1', 'Buy', 2000, 'claimed', ${holder_id}, now())`.execute(
    database.db,
  );
  const note = { of: { account_id, shipment_id, process_id: ours }, attempt_id: "att_1" };
  const noted = inTransaction(database.db, (tx) => noteAttempts(tx, [note]));
  if (isNoted) await noted;
  else
    expect(isRefused(await noted.catch((error: unknown) => error), "rule_purchase_lost")).toBe(
      true,
    );
  const { rows } = await sql`SELECT attempt_id FROM rule_purchases
    WHERE shipment_id = ${shipment_id}`.execute(database.db);
  expect(rows).toEqual([{ attempt_id: isNoted ? "att_1" : null }]);
});
