import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import { inTransaction } from "../../database/connect.ts";
import { isRefused } from "../../database/refusals.ts";
import { json } from "../../database/tables.ts";
import { newId } from "../../domain/values/ids.ts";
import * as store from "./rule-store.ts";

/** Purchases that rules request: which process claims them, and which records attempts at them. */

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
])("an attempt is recorded for a purchase that is %s: %s", async (_whose, holder_id, isNoted) => {
  const shipment_id = `shp_${holder_id}`;
  await sql`INSERT INTO rule_purchases (account_id, shipment_id, run_id, rule_id, rule_name, max_total_cents, status,
      holder_id, not_before)
    VALUES (${account_id}, ${shipment_id}, 'run_1', 'rul_1', 'Buy', 2000, 'claimed', ${holder_id}, now())`.execute(
    database.db,
  );
  const note = { of: { account_id, shipment_id, process_id: ours }, attempt_id: "att_1" };
  const noted = inTransaction(database.db, (tx) => store.noteAttempts(tx, [note]));
  if (isNoted) await noted;
  else
    expect(isRefused(await noted.catch((error: unknown) => error), "rule_purchase_lost")).toBe(
      true,
    );
  const { rows } = await sql`SELECT attempt_id FROM rule_purchases
    WHERE shipment_id = ${shipment_id}`.execute(database.db);
  expect(rows).toEqual([{ attempt_id: isNoted ? "att_1" : null }]);
});

/** A purchase of an account of its own. */
async function aPurchase(
  status: "waiting" | "claimed",
  { holder_id = null, suspended_at = null, due_in = "0" }: Partial<Purchase> = {},
): Promise<store.PurchaseRow> {
  const [id, shipment_id, run_id] = [newId("acc"), newId("shp"), newId("run")];
  const account = { account_id: id, organization_id: newId("org"), environment: "test" as const };
  await database.db
    .insertInto("accounts")
    .values({ ...account, default_from_address: json(null), suspended_at })
    .execute();
  const { rows } = await sql<store.PurchaseRow>`
    INSERT INTO rule_purchases (account_id, shipment_id, run_id, rule_id, rule_name, max_total_cents, status, holder_id,
      not_before)
    VALUES (${id}, ${shipment_id}, ${run_id}, 'rul_1', 'Buy', 2000, ${status}, ${holder_id},
      now() + ${due_in}::interval)
    RETURNING *`.execute(database.db);
  return rows[0]!;
}
interface Purchase {
  holder_id: string | null;
  suspended_at: Date | null;
  due_in: string;
}

/** What a process claims that asks which accounts have something due. */
async function claimed(): Promise<string[]> {
  const { db } = database;
  const sources = await store.listSources(db, { after: "", limit: 100, known: [] });
  const claims = [];
  for (const { account_id: id } of sources)
    claims.push(
      ...(await store.claimPurchases(db, { account_id: id, process_id: ours, limit: 100 })),
    );
  return claims.map(({ shipment_id }) => shipment_id);
}

test("what is due is claimed once, and what is not due, of a suspended account or another's is not", async () => {
  const due = await aPurchase("waiting");
  await aPurchase("waiting", { suspended_at: new Date() });
  await aPurchase("waiting", { due_in: "1 minute" });
  await aPurchase("claimed", { holder_id: others });
  expect([await claimed(), await claimed()]).toEqual([[due.shipment_id], []]);
});

test("nothing is claimed while a restored database is not reconciled", async () => {
  const due = await aPurchase("waiting");
  await sql`INSERT INTO restores (id, taken_at) VALUES ('rst_1', now())`.execute(database.db);
  expect(await claimed()).toEqual([]);
  await sql`UPDATE restores SET reconciled_at = now()`.execute(database.db);
  expect(await claimed()).toEqual([due.shipment_id]);
});

test("a purchase is ended only by its holder", async () => {
  const purchase = await aPurchase("claimed", { holder_id: others });
  const end = (holder_id: string) =>
    inTransaction(database.db, (tx) =>
      store.endPurchase(tx, { ...purchase, holder_id }, { status: "bought", max_total: 20 }),
    );
  expect([await end(ours), await end(others), await end(others)]).toEqual([false, true, false]);
});

test("a claim unknown to its process, or of a dead process, is free again; one with an attempt waits for its outcome", async () => {
  const statusOf = async ({ shipment_id }: store.PurchaseRow) => {
    const { rows } = await sql<{ status: string }>`
      SELECT status FROM rule_purchases WHERE shipment_id = ${shipment_id}`.execute(database.db);
    return rows[0]!.status;
  };
  await sql`INSERT INTO processes (id, role) VALUES (${others}, 'test')`.execute(database.db);
  const lost = await aPurchase("claimed", { holder_id: ours });
  const [plain, begun] = [
    await aPurchase("claimed", { holder_id: others }),
    await aPurchase("claimed", { holder_id: others }),
  ];
  await sql`UPDATE rule_purchases SET attempt_id = 'att_1' WHERE shipment_id = ${begun.shipment_id}`.execute(
    database.db,
  );
  const statuses = () => Promise.all([lost, plain, begun].map(statusOf));
  await store.releaseLost(database.db, ours);
  await store.takeOverPurchases(database.db, 15);
  expect(await statuses()).toEqual(["waiting", "claimed", "claimed"]);
  await sql`DELETE FROM processes WHERE id = ${others}`.execute(database.db);
  await store.takeOverPurchases(database.db, 15);
  expect(await statuses()).toEqual(["waiting", "waiting", "pending"]);
});
