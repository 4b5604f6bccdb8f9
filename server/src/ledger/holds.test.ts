import { AsyncLocalStorage } from "node:async_hooks";
import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { inTransaction } from "../database/connect.ts";
import type { Tx } from "../database/tables.ts";
import { newId } from "../domain/values/ids.ts";
import { hold, newHold, release } from "./holds.ts";
import { openBalance, post, readBalance } from "./ledger.ts";

/** A hold is refused only when the money is missing, and the refusal states the true amounts. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const inTx = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(database.db, work);

async function anAccountWith(cents: number): Promise<string> {
  const account_id = newId("acc");
  await inTx((tx) => openBalance(tx, account_id, "CAD"));
  await credit(account_id, cents);
  return account_id;
}

async function credit(account_id: string, cents: number): Promise<void> {
  await inTx((tx) =>
    post(tx, {
      account_id,
      type: "adjustment",
      subtotal_cents: cents,
      tax_cents: 0,
      currency: "CAD",
      description: "Credit",
      shipment_id: null,
      entries: [
        { book: "credits", amount_cents: cents },
        { book: "adjustments", amount_cents: -cents },
      ],
      at: new Date(),
    }),
  );
}

/** The transaction, in which another transaction commits right after the first statement. */
function interrupted(tx: Tx, elsewhere: () => Promise<unknown>): Tx {
  let isDone = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isDone) await elsewhere();
      isDone = true;
      return result;
    },
  };
  return tx.withPlugin(plugin);
}

test("a hold that is refused states what is needed and what is available", async () => {
  const account_id = await anAccountWith(700);
  await inTx((tx) => hold(tx, account_id, [newHold(300)]));
  await expect(inTx((tx) => hold(tx, account_id, [newHold(500)]))).rejects.toMatchObject({
    code: "insufficient_credits",
    details: { required: 5, available: 4, currency: "CAD" },
  });
});

test("money that is credited just after it was found missing is held", async () => {
  const account_id = await anAccountWith(700);
  const first = newHold(300);
  await inTx((tx) => hold(tx, account_id, [first]));
  const outside = AsyncLocalStorage.snapshot();
  const giveBack = () => outside(() => inTx((tx) => release(tx, account_id, first.id)));
  await inTx((tx) => hold(interrupted(tx, giveBack), account_id, [newHold(500)]));
  expect(await readBalance(database.db, account_id)).toMatchObject({
    held_cents: 500,
    available_cents: 200,
  });
});
