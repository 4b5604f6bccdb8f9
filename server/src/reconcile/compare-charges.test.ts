import { sql } from "kysely";
import { vi, afterAll, beforeAll, expect, test } from "vitest";
import { aClient, type DataOf, type ListOf, type TopUp } from "../../test/client.ts";
import { withoutTriggers } from "../../test/damaged-ledger.ts";
import { decide, type Review } from "../../test/reviews.ts";
import { platformOf } from "../../test/set-back.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../../test/world.ts";
import { manualClock } from "../domain/time/clock.ts";
import { verifyLedger } from "../ledger/verify.ts";
import { compareCharges } from "./compare-charges.ts";

/** What someone does at the card processor is found within a day, and becomes one review for an operator. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

interface Charged {
  account: TestAccount;
  transaction_id: string;
  reference: string;
}

/** An account that topped up 50.00, and the processor's reference of the charge. */
async function aCharge(): Promise<Charged> {
  const account = await anAccount(world, { balance_cents: 0 });
  const top_up = must(await account.post<DataOf<TopUp>>("/credits/top-up", { amount: 50 }), 201);
  const { id: transaction_id } = top_up.data;
  const { reference } = await world.db
    .selectFrom("attempts")
    .select("reference")
    .where("subject_id", "=", transaction_id)
    .executeTakeFirstOrThrow();
  return { account, transaction_id, reference };
}

/** On the processor's own site, or at the cardholder's bank. */
async function atTheProcessor(
  what: "refunds" | "disputes",
  { reference }: Charged,
  amount_cents: number,
): Promise<void> {
  const body = { reference: `${what} of ${reference}`, charge_reference: reference, amount_cents };
  must(await aClient(world.simulator_url, "").post(`/payments/${what}`, body), 201);
}

/** The daily loop's comparison, `days` from now. Returns how many reviews it opened. */
async function compared(days = 0): Promise<number> {
  const { platform, stop } = await platformOf(world);
  const clock = manualClock(new Date(Date.now() + days * 86_400_000));
  try {
    return await compareCharges({ ...platform, clock });
  } finally {
    await stop();
  }
}

async function reviewsOf({ account }: Charged): Promise<Review[]> {
  const open = must(await world.operator.get<ListOf<Review>>("/reviews?per_page=100"), 200);
  return open.data.filter(({ account_id }) => account_id === account.account_id);
}

/** Recovery leaves it to an operator within a second or two. */
async function theReview(charged: Charged): Promise<Review> {
  return vi.waitFor(
    async () => {
      const [review] = await reviewsOf(charged);
      expect(review).toBeDefined();
      return review!;
    },
    { timeout: 10_000, interval: 50 },
  );
}

test("charges without a change at the processor open no review", async () => {
  await aCharge();
  expect(await compared()).toBe(0);
  expect(await compared(3)).toBe(0);
});

test.each([
  ["refunds" as const, "was refunded there by 20.00 CAD"],
  ["disputes" as const, "was disputed by the cardholder for 20.00 CAD"],
])("%s made there opens one review, and deciding it moves no money", async (what, words) => {
  const charged = await aCharge();
  await atTheProcessor(what, charged, 2_000);
  expect(await compared()).toBe(1);
  const review = await theReview(charged);
  expect(review).toMatchObject({ kind: "charge_check", carrier: "payments", held: null });
  expect(review.advice).toContain(words);
  expect(review.advice).toContain(charged.transaction_id);
  expect(await compared()).toBe(0);
  must(await decide(world, review, { decision: "stands", note: "Taken back" }), 200);
  expect(await compared()).toBe(0);
  expect(await reviewsOf(charged)).toEqual([]);
  expect(await charged.account.balanceCents()).toBe(5_000);
  expect(await verifyLedger(world.db)).toEqual([]);
});

test("two workers that compare at once open one review", async () => {
  const charged = await aCharge();
  await atTheProcessor("disputes", charged, 5_000);
  const opened = await Promise.all([compared(), compared(), compared()]);
  expect(opened.sort()).toEqual([0, 0, 1]);
  await theReview(charged);
  expect(await reviewsOf(charged)).toHaveLength(1);
});

test("a dispute of an old charge is found, and one without consequences is closed as void", async () => {
  const charged = await aCharge();
  await atTheProcessor("disputes", charged, 5_000);
  // Charges this young are checked for disputes only, which are found whatever the charge's age.
  expect(await compared(6)).toBe(1);
  const review = await theReview(charged);
  must(await decide(world, review, { decision: "void" }), 200);
  expect(await compared(6)).toBe(0);
});

test("a charge recorded with another id or amount than the processor's opens a review, once recovery had its time", async () => {
  const charged = await aCharge();
  const { db } = world;
  await db
    .updateTable("attempts")
    .set({ subject_id: "txn_other" })
    .where("reference", "=", charged.reference)
    .execute();
  expect(await compared(1)).toBe(0);
  expect(await compared(3)).toBe(1);
  const { advice } = await theReview(charged);
  expect(advice).toContain("is booked here as another charge, or of another amount");
});

test("a charge whose attempt was deleted opens one review, whether it is credited or not", async () => {
  const credited = await aCharge();
  const uncredited = await aCharge();
  const { db } = world;
  const references = [credited.reference, uncredited.reference];
  await db.deleteFrom("attempts").where("reference", "in", references).execute();
  await withoutTriggers(db, async (tx) => {
    const ofTopUp = sql`account_id = ${uncredited.account.account_id}`;
    await sql`DELETE FROM ledger_entries WHERE ${ofTopUp}`.execute(tx);
    await sql`DELETE FROM ledger_transactions WHERE ${ofTopUp}`.execute(tx);
  });
  expect(await compared(1)).toBe(0);
  expect(await compared(3)).toBe(2);
  for (const charged of [credited, uncredited]) {
    const { kind, advice } = await theReview(charged);
    expect(kind).toBe("charge_check");
    expect(advice).toContain(
      `top-up ${charged.transaction_id} of 50 CAD under our reference ${charged.reference}: it was missing here`,
    );
  }
  expect(await compared(3)).toBe(0);
  expect(await reviewsOf(uncredited)).toHaveLength(1);
});

test.each([
  ["charge_id", sql`details = details || '{"charge_id": "ch_other"}'`],
  ["amount", sql`amount_cents = amount_cents + 1`],
  ["currency", sql`currency = 'USD'`],
])("a top-up whose %s was changed in the ledger opens one review", async (_what, change) => {
  const charged = await aCharge();
  await withoutTriggers(world.db, (tx) =>
    sql`UPDATE ledger_transactions SET ${change} WHERE id = ${charged.transaction_id}`.execute(tx),
  );
  expect(await compared(3)).toBe(1);
  const { advice } = await theReview(charged);
  expect(advice).toContain("is booked here as another charge, or of another amount");
  expect(await compared(3)).toBe(0);
  expect(await reviewsOf(charged)).toHaveLength(1);
});

test("a refund by Waybill itself opens no review", async () => {
  const charged = await aCharge();
  const { platform, stop } = await platformOf(world);
  const [charge] = (
    await platform.payments
      .forAccount("test")
      .listCharges(
        { since: new Date(Date.now() - 60_000), cursor: null },
        AbortSignal.timeout(5_000),
      )
  ).charges.filter(({ reference }) => reference === charged.reference);
  const { reference, charge_id } = charge!;
  const undo = { reference: `${reference}_undo`, charge_reference: reference, charge_id };
  await platform.payments
    .forAccount("test")
    .refund({ ...undo, amount_cents: 5_000 }, AbortSignal.timeout(5_000));
  await stop();
  expect(await compared()).toBe(0);
});
