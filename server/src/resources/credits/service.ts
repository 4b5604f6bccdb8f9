import type { Tx } from "../../database/tables.ts";
import * as store from "./store.ts";

export { topUp, topUpCredits } from "./top-up.ts";

/** The simulated processor's cards (decision 24): the first is the account's default. */
export async function insertTestCards(tx: Tx, accountId: string): Promise<void> {
  await store.insertPaymentMethods(tx, [
    { account_id: accountId, id: "pm_card_visa", brand: "visa", last4: "4242", is_default: true },
    {
      account_id: accountId,
      id: "pm_card_declined",
      brand: "visa",
      last4: "0002",
      is_default: false,
    },
    {
      account_id: accountId,
      id: "pm_card_lost_answer",
      brand: "visa",
      last4: "0069",
      is_default: false,
    },
  ]);
}
