import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { inTransaction } from "../database/connect.ts";
import { newId } from "../domain/values/ids.ts";
import { openBalance, post, readBalance, type Posting } from "./ledger.ts";

/** The database guarantees that a debit and a refund are single, whatever the code does. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test("a shipment is debited once and refunded once, whatever else tries to write more", async () => {
  const { db } = database;
  const account_id = newId("acc");
  const shipment_id = newId("shp");
  await inTransaction(db, (tx) => openBalance(tx, account_id, "CAD"));
  const write = (type: Posting["type"], cents: number, of: string | null = shipment_id) =>
    inTransaction(db, (tx) =>
      post(tx, {
        account_id,
        type,
        shipment_id: of,
        currency: "CAD",
        description: type,
        at: new Date(),
        subtotal_cents: Math.abs(cents),
        tax_cents: 0,
        entries: [
          { book: "credits", amount_cents: cents },
          { book: "postage_revenue", amount_cents: -cents },
        ],
      }),
    );
  const isRefused = { code: "23505", constraint: "ledger_transactions_by_shipment" };
  await write("top_up", 10_000, null);
  await write("label", -700);
  await expect(write("label", -700)).rejects.toMatchObject(isRefused);
  await expect(write("ltl", -700)).rejects.toMatchObject(isRefused);
  await write("refund", 700);
  await expect(write("refund", 700)).rejects.toMatchObject(isRefused);
  await write("label", -700, newId("shp"));
  expect((await readBalance(db, account_id)).balance_cents).toBe(9_300);
});
