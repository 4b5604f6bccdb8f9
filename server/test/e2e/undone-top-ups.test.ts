import { afterAll, beforeAll, expect, test } from "vitest";
import { bySystem } from "../../src/domain/accounts/principal.ts";
import { newId } from "../../src/domain/values/ids.ts";
import type { Attempt } from "../../src/outbound/operation.ts";
import { topUp, type TopUpInput } from "../../src/resources/credits/top-up.ts";
import { platformOf } from "../set-back.ts";
import { anAccount, aPlatform, type World } from "../world.ts";

/** A charge that cannot be kept is refunded, and no cent more than is left of it. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

const anySignal = () => AbortSignal.timeout(5_000);

/** A charge of 50.00 without a top-up here, and the attempt that would have been made for it. */
async function aCharge() {
  const { account_id } = await anAccount(world, { balance_cents: 0 });
  const { platform, stop } = await platformOf(world);
  const payments = platform.payments.forAccount("test");
  const reference = newId("att");
  const money = { amount_cents: 5_000, currency: "CAD" };
  const input: TopUpInput = {
    ...money,
    transaction_id: newId("txn"),
    party: "payments",
    payment_method: { id: "pm_card_visa", brand: "visa", last4: "4242" },
    created_at: new Date().toISOString(),
  };
  const whose = { account_id, transaction_id: input.transaction_id, idempotency_key: null };
  const request = {
    ...money,
    ...whose,
    reference,
    payment_method: "pm_card_visa",
    customer: null,
  };
  const charge = await payments.charge(request, anySignal());
  const attempt: Attempt<TopUpInput> = {
    account_id,
    id: reference,
    subject_id: input.transaction_id,
    reference,
    party: "payments",
    fence: 1,
    idempotency_key: null,
    sent_at: new Date(),
    input,
    ...bySystem("test"),
  };
  const undo = async () => {
    const found = await payments.findCharge(request, anySignal());
    await topUp(platform).undo!(attempt, found!, anySignal());
    return (await payments.findCharge(request, anySignal()))!.refunded_cents;
  };
  const refundThere = (amount_cents: number) => {
    const { charge_id } = charge;
    const refund = { reference: newId("evt"), charge_reference: reference, charge_id };
    return payments.refund({ ...refund, amount_cents }, anySignal());
  };
  return { undo, refundThere, stop };
}

test.each([0, 2_000, 5_000])(
  "of a charge of which %i cents were refunded already, the rest is, once",
  async (already) => {
    const { undo, refundThere, stop } = await aCharge();
    if (already > 0) await refundThere(already);
    expect(await undo()).toBe(5_000);
    expect(await undo()).toBe(5_000);
    await stop();
  },
);
