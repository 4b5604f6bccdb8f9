import type { Tx } from "../../database/tables.ts";
import * as store from "./store.ts";
import { testCards } from "./test-cards.ts";

export { deletePaymentMethod, putPaymentMethod } from "./store.ts";
export { rechargeLoop } from "./recharge/charge-due.ts";
export { addRechargeProblems, setRecharge } from "./recharge/set-recharge.ts";
export { restoreTopUp } from "./restore-top-up.ts";
export { topUp, topUpCredits } from "./top-up.ts";

/** Attaches the simulated processor's cards to a new account. */
export async function insertTestCards(tx: Tx, accountId: string): Promise<void> {
  const visa = { account_id: accountId, brand: "visa", processor_customer: null };
  await store.insertPaymentMethods(
    tx,
    testCards.map((card) => ({ ...visa, ...card })),
  );
}
