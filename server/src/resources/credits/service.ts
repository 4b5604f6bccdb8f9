import type { Tx } from "../../database/tables.ts";
import * as store from "./store.ts";

export { deletePaymentMethod, putPaymentMethod } from "./store.ts";
export { restoreTopUp } from "./restore-top-up.ts";
export { topUp, topUpCredits } from "./top-up.ts";

/** The simulated processor's cards (decision 24): the first is the account's default. */
export async function insertTestCards(tx: Tx, accountId: string): Promise<void> {
  const cards = [
    { id: "pm_card_visa", last4: "4242", is_default: true },
    { id: "pm_card_declined", last4: "0002", is_default: false },
    { id: "pm_card_lost_answer", last4: "0069", is_default: false },
  ];
  const visa = { account_id: accountId, brand: "visa", processor_customer: null };
  await store.insertPaymentMethods(
    tx,
    cards.map((card) => ({ ...visa, ...card })),
  );
}
