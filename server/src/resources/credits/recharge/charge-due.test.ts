import { afterAll, beforeAll, expect, test } from "vitest";
import { anAccount, testApi, type TestApi } from "../../../../test/api.ts";
import type { Platform } from "../../../context.ts";
import { inTransaction } from "../../../database/connect.ts";
import { openBalance } from "../../../ledger/ledger.ts";
import { PaymentError, type Payments } from "../../../providers/payments/payments.ts";
import { insertTestCards } from "../service.ts";
import { rechargeLoop } from "./charge-due.ts";
import { readState } from "./recharge-store.ts";
import { setRecharge } from "./set-recharge.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi({});
});
afterAll(() => api.close());

const auto_recharge = { threshold: 50, amount: 100, payment_method_id: null };

async function aDueAccount(): Promise<string> {
  const { account_id } = await anAccount(api, { settings: { auto_recharge } });
  await inTransaction(api.db, async (tx) => {
    await openBalance(tx, account_id, "CAD");
    await insertTestCards(tx, account_id);
    await setRecharge(tx, account_id, auto_recharge);
  });
  return account_id;
}

/** A processor that answers the first charge only once it has the second. */
function answeringTogether({ payments }: Platform): Platform["payments"] {
  const [first, second] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const asked = [first, second];
  const refuse = async (): Promise<never> => {
    asked.shift()?.resolve(undefined);
    await Promise.all([first.promise, second.promise]);
    const refused = { party: "payments", kind: "refused", code: "card_declined" } as const;
    throw new PaymentError({ ...refused, message: "", decline_code: "card_declined" });
  };
  const named = (party: Parameters<typeof payments.named>[0]): Payments => ({
    ...payments.named(party),
    charge: refuse,
  });
  return { ...payments, forAccount: payments.forAccount.bind(payments), named };
}

test("an account whose charge is not answered keeps no other account from being charged", async () => {
  const accounts = [await aDueAccount(), await aDueAccount()];
  const payments = answeringTogether(api.platform);
  await rechargeLoop({ ...api.platform, payments }).run(new AbortController().signal);
  for (const account_id of accounts)
    expect(await readState(api.db, account_id)).toMatchObject({
      is_charging: false,
      failure_count: 1,
    });
});
