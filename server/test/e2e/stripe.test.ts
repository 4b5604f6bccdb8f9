import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  startStripeServer,
  stripeKey,
  type StripeServer,
} from "../../src/providers/payments/stripe/stripe-server-world.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { outcomeOf, type DataOf, type Failure, type TopUp } from "../client.ts";
import { readJournal, untilAtRest } from "../invariants.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** A production account whose cards are charged at Stripe (decision 12). */

let stripe: StripeServer;
let world: World;
beforeAll(async () => {
  stripe = await startStripeServer();
  world = await aPlatform({
    WAYBILL_PAYMENTS: "stripe",
    WAYBILL_STRIPE_SECRET_KEY: stripeKey,
    WAYBILL_STRIPE_URL: stripe.url,
  });
});
afterAll(async () => {
  await untilAtRest(world.db);
  expect(await verifyLedger(world.db)).toEqual([]);
  expect(await creditedFromStripe()).toEqual(stripe.kept());
  await world.close();
  await stripe.close();
});

const saved = { id: "pm_saved", customer: "cus_1", brand: "visa", last4: "4242", is_default: true };

const methodsOf = ({ account_id }: TestAccount) => `/accounts/${account_id}/payment-methods`;

/** A production account with a saved card as its default. */
async function aPayingAccount(card: object = saved): Promise<TestAccount> {
  const account = await anAccount(world, { balance_cents: 0, environment: "live" });
  must(await world.operator.post(methodsOf(account), card), 201);
  return account;
}

/** The credits of top-ups of production accounts, by the reference that Stripe has as well. */
async function creditedFromStripe(): Promise<Record<string, number>> {
  const rows = await world.db
    .selectFrom("ledger_transactions")
    .innerJoin("accounts", "accounts.account_id", "ledger_transactions.account_id")
    .select(["ledger_transactions.details", "amount_cents"])
    .where("type", "=", "top_up")
    .where("environment", "=", "live")
    .execute();
  return Object.fromEntries(
    rows.map(({ details, amount_cents }) => [String(details["reference"]), amount_cents]),
  );
}

test("a card that the operator attached is charged at Stripe, and nowhere else", async () => {
  const account = await anAccount(world, { balance_cents: 0, environment: "live" });
  const early = await account.post<Failure>("/credits/top-up", { amount: 10 });
  expect(Object.keys(must(early, 422).error.details)).toEqual(["payment_method_id"]);

  const attached = must(await world.operator.post<DataOf<object>>(methodsOf(account), saved), 201);
  const { customer: _customer, ...shown } = saved;
  expect(attached.data).toEqual({ ...shown, created_at: expect.any(String) as string });
  const topUp = must(
    await account.post<DataOf<TopUp>>("/credits/top-up", { amount: 75.5 }),
    201,
  ).data;
  expect(topUp).toMatchObject({
    status: "succeeded",
    balance_after: 75.5,
    payment_method: { id: "pm_saved", brand: "visa", last4: "4242" },
  });
  const intents = [...stripe.intents.values()];
  expect(intents.filter(({ amount }) => amount === 7550)).toMatchObject([
    {
      status: "succeeded",
      currency: "cad",
      customer: "cus_1",
      metadata: { account_id: account.account_id },
    },
  ]);
  const journal = await readJournal(world);
  expect(journal.filter(({ amount_cents }) => amount_cents === 7550)).toEqual([]);
});

test("the sandbox never moves real money", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  const before = stripe.requests.length;
  must(await account.post("/credits/top-up", { amount: 31.13 }), 201);
  expect(await account.balanceCents()).toBe(3113);
  expect(stripe.requests.length).toBe(before);
});

test("a declined card is 402 with Stripe's reason; an error of Stripe's own is 502, and states whether to retry", async () => {
  const account = await aPayingAccount({ ...saved, id: "pm_card_poor" });
  const declined = await account.post<Failure>("/credits/top-up", { amount: 20.02 });
  expect(must(declined, 402).error).toMatchObject({
    code: "payment_failed",
    details: { decline_code: "insufficient_funds" },
  });
  stripe.disturb("create", "429");
  const limited = await account.post<Failure>("/credits/top-up", { amount: 20.02 });
  expect(must(limited, 502).error).toMatchObject({
    code: "payment_provider_error",
    details: { carrier_code: "rate_limited", retryable: true },
  });
  expect(await account.balanceCents()).toBe(0);
});

test("a lost response is pending, settles under its final id, and its key never charges again", async () => {
  const account = await aPayingAccount();
  const key = { "idempotency-key": "stripe-lost" };
  const topUp = () => account.post<DataOf<TopUp>>("/credits/top-up", { amount: 41.07 }, key);
  stripe.disturb("confirm", "reset_after");
  const pending = must(await topUp(), 201).data;
  expect(pending).toMatchObject({ status: "pending", balance_after: null });
  const settled = await vi.waitFor(
    async () => {
      const retry = await topUp();
      expect(must(retry, 201).data.status).toBe("succeeded");
      return retry;
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(settled.body.data).toMatchObject({ id: pending.id, balance_after: 41.07 });
  expect((await topUp()).bytes.equals(settled.bytes)).toBe(true);
  const charged = [...stripe.intents.values()].filter(({ amount }) => amount === 4107);
  expect(charged).toMatchObject([{ status: "succeeded" }]);
});

test("a confirmation that arrives after the lookup has cancelled charges no card", async () => {
  const account = await aPayingAccount();
  stripe.disturb("confirm", "held");
  const reply = await account.post<DataOf<TopUp>>("/credits/top-up", { amount: 52.08 });
  expect(must(reply, 201).data.status).toBe("pending");
  await untilAtRest(world.db);
  expect(stripe.deliverHeld()).toMatchObject([{ status: 400 }]);
  const asked = [...stripe.intents.values()].filter(({ amount }) => amount === 5208);
  expect(asked).toMatchObject([{ status: "canceled" }]);
  expect(await account.balanceCents()).toBe(0);
});

test("the operator changes the default card and removes one, and the audit log has it", async () => {
  const account = await aPayingAccount();
  const other = { ...saved, id: "pm_card_visa", customer: null, last4: "1881" };
  must(await world.operator.post(methodsOf(account), other), 201);
  const listed = async () =>
    must(await account.get<DataOf<object[]>>("/credits/payment-methods"), 200).data;
  expect(await listed()).toMatchObject([
    { id: "pm_card_visa", is_default: true, last4: "1881" },
    { id: "pm_saved", is_default: false },
  ]);
  must(await world.operator.delete(`${methodsOf(account)}/pm_card_visa`), 204);
  const again = await world.operator.delete(`${methodsOf(account)}/pm_card_visa`);
  expect(outcomeOf(again)).toBe("404 not_found");
  expect((await listed()).length).toBe(1);
  const log = await world.operator.get<DataOf<{ action: string; subject_id: string }[]>>(
    `/accounts/${account.account_id}/audit-log`,
  );
  const actions = must(log, 200).data.map(({ action, subject_id }) => `${action} ${subject_id}`);
  expect(actions.slice(0, 3)).toEqual([
    "payment_method.detached pm_card_visa",
    "payment_method.attached pm_card_visa",
    "payment_method.attached pm_saved",
  ]);
  const wrong = { id: "x", brand: "", last4: "42", customer: "nobody" };
  const refused = await world.operator.post<Failure>(methodsOf(account), wrong);
  const fields = Object.keys(must(refused, 422).error.details).sort();
  expect(fields).toEqual(["brand", "customer", "id", "last4"]);
});

test("Stripe without a key is refused at the start, with a message that names what is missing", async () => {
  await expect(aPlatform({ WAYBILL_PAYMENTS: "stripe" })).rejects.toThrow(
    "WAYBILL_STRIPE_SECRET_KEY is required with WAYBILL_PAYMENTS=stripe",
  );
});
