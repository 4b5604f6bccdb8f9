import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { untilBackendWaits } from "../../test/faults/moments.ts";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { inTransaction, isCheckViolation } from "../database/connect.ts";
import { json, type Tx } from "../database/tables.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { newId } from "../domain/values/ids.ts";
import { hold, newHold, release } from "./holds.ts";
import { capture, captureAll, openBalance, post, readBalance, type Posting } from "./ledger.ts";
import { verifyLedger } from "./verify.ts";

/** Whatever is done to the ledger, in any order and concurrently, every cent stays explained. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const inTx = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(database.db, work);

async function anAccount(): Promise<string> {
  const account_id = newId("acc");
  await inTx(async (tx) => {
    await tx
      .insertInto("accounts")
      .values({
        account_id,
        organization_id: newId("org"),
        environment: "test",
        default_from_address: json(null),
        suspended_at: null,
      })
      .execute();
    await openBalance(tx, account_id, "CAD");
  });
  return account_id;
}

/** A manual correction: the only type without a reason outside the ledger. */
function correction(account_id: string, cents: number): Posting {
  return {
    account_id,
    type: "adjustment",
    subtotal_cents: cents,
    tax_cents: 0,
    currency: "CAD",
    description: "Correction",
    shipment_id: null,
    details: { cents },
    entries: [
      { book: "credits", amount_cents: cents },
      { book: "adjustments", amount_cents: -cents },
    ],
    at: new Date(),
  };
}

type Move =
  | { do: "credit" | "debit"; account: number; cents: number }
  | { do: "hold"; account: number; cents: number; holds: number }
  | { do: "capture"; account: number; share: number; holds: number }
  | { do: "release"; account: number };

const account = fc.nat({ max: 2 });
const cents = fc.integer({ min: 1, max: 5000 });
const holds = fc.integer({ min: 1, max: 4 });
const aMove: fc.Arbitrary<Move> = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant("credit" as const), account, cents }), weight: 2 },
  fc.record({ do: fc.constant("debit" as const), account, cents }),
  { arbitrary: fc.record({ do: fc.constant("hold" as const), account, cents, holds }), weight: 2 },
  fc.record({ do: fc.constant("capture" as const), account, share: fc.nat({ max: 100 }), holds }),
  fc.record({ do: fc.constant("release" as const), account }),
);

/** What an account should show, computed from the results. */
interface Expected {
  account_id: string;
  balance_cents: number;
  held_cents: number;
  transactions: number;
}

async function threeAccounts(): Promise<Expected[]> {
  const ids = await Promise.all([anAccount(), anAccount(), anAccount()]);
  return ids.map((account_id) => ({
    account_id,
    balance_cents: 0,
    held_cents: 0,
    transactions: 0,
  }));
}

interface Hold {
  id: string;
  cents: number;
}

/** A client that makes moves one after the other, on holds of its own. Returns whether a move was refused. */
function aMover(expected: Expected[]): (move: Move) => Promise<"done" | "refused" | "nothing"> {
  const holds: Hold[][] = expected.map(() => []);
  const booked = (books: Expected, change: number) => {
    books.balance_cents += change;
    books.transactions += 1;
  };
  return async (move) => {
    const books = expected[move.account]!;
    const { account_id } = books;
    const mine = holds[move.account]!;
    if (move.do === "hold") {
      const wanted = Array.from({ length: move.holds }, () => newHold(move.cents));
      const held = await inTx((tx) => hold(tx, account_id, wanted)).catch(nullIfRefused);
      if (held === null) return "refused";
      mine.push(...wanted.map(({ id }) => ({ id, cents: move.cents })));
      books.held_cents += move.cents * move.holds;
      return "done";
    }
    if (move.do === "credit" || move.do === "debit") {
      const change = move.do === "credit" ? move.cents : -move.cents;
      const posting = correction(account_id, change);
      if ((await inTx((tx) => post(tx, posting)).catch(nullIfRefused)) === null) return "refused";
      booked(books, change);
      return "done";
    }
    const oldest = mine.splice(0, move.do === "capture" ? move.holds : 1);
    if (oldest.length === 0) return "nothing";
    if (move.do === "capture") {
      const spent = oldest.map(({ cents }) => Math.ceil((cents * move.share) / 100));
      const captures = oldest.map(({ id }, place) => ({
        hold_id: id,
        posting: correction(account_id, -spent[place]!),
      }));
      const posted = await inTx((tx) => captureAll(tx, captures));
      // One after the other, and no other transaction between them.
      const after = posted.map(({ balance_after_cents }) => balance_after_cents);
      after
        .slice(1)
        .forEach((cents, place) => expect(after[place]! - cents).toBe(spent[place + 1]));
      for (const cents of spent) booked(books, -cents);
    } else await inTx((tx) => release(tx, account_id, oldest[0]!.id));
    for (const { cents } of oldest) books.held_cents -= cents;
    return "done";
  };
}

/** The two ways in which money that is not available is refused; anything else is a bug. */
function nullIfRefused(error: unknown): null {
  const isRefused =
    (error instanceof ApiError && error.code === "insufficient_credits") ||
    isCheckViolation(error, "available_is_never_negative");
  if (!isRefused) throw error;
  return null;
}

async function expectLedger(expected: Expected[]): Promise<void> {
  for (const { account_id, balance_cents, held_cents, transactions } of expected) {
    const { db } = database;
    const available_cents = balance_cents - held_cents;
    expect(await readBalance(db, account_id)).toMatchObject({
      balance_cents,
      held_cents,
      available_cents,
    });
    expect(available_cents).toBeGreaterThanOrEqual(0);
    const chain = await db
      .selectFrom("ledger_transactions")
      .select("sequence")
      .where("account_id", "=", account_id)
      .orderBy("sequence")
      .execute();
    expect(chain.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: transactions }, (_, index) => index + 1),
    );
  }
  // These holds have no attempts, and these corrections no operator.
  const found = await verifyLedger(database.db);
  const owed = ["hold_has_one_attempt", "adjustment_is_audited"];
  expect(found.filter(({ rule }) => !owed.includes(rule))).toEqual([]);
}

test("any history of credits, debits and holds keeps every rule, and refuses exactly what is not covered", async () => {
  const history = fc.array(aMove, { maxLength: 40 });
  const property = fc.asyncProperty(history, async (moves) => {
    const expected = await threeAccounts();
    const make = aMover(expected);
    for (const move of moves) {
      const { balance_cents, held_cents } = expected[move.account]!;
      const wanted = "cents" in move ? move.cents * ("holds" in move ? move.holds : 1) : 0;
      const isCovered = balance_cents - held_cents >= wanted;
      const end = await make(move);
      if (move.do === "debit" || move.do === "hold")
        expect(end).toBe(isCovered ? "done" : "refused");
      else expect(end).not.toBe("refused");
    }
    await expectLedger(expected);
  });
  await fc.assert(property, { numRuns: 25 });
});

test("so does any number of concurrent histories", async () => {
  const histories = fc.array(fc.array(aMove, { maxLength: 25 }), { minLength: 2, maxLength: 8 });
  const property = fc.asyncProperty(histories, async (lanes) => {
    const expected = await threeAccounts();
    await Promise.all(
      lanes.map(async (moves) => {
        const make = aMover(expected);
        for (const move of moves) await make(move);
      }),
    );
    await expectLedger(expected);
  });
  await fc.assert(property, { numRuns: 15 });
});

test("a hold ends once, however many callers end it at once", async () => {
  const account_id = await anAccount();
  await inTx((tx) => post(tx, correction(account_id, 1000)));
  const wanted = newHold(600);
  const { id } = wanted;
  await inTx((tx) => hold(tx, account_id, [wanted]));
  const ends = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0
        ? inTx((tx) => release(tx, account_id, id))
        : inTx((tx) => capture(tx, id, correction(account_id, -600))),
    ),
  );
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const again = inTx((tx) => capture(tx, id, correction(account_id, -600)));
  await expect(again).rejects.toMatchObject({ message: "nothing_posted" });
  expect(await readBalance(database.db, account_id)).toMatchObject({ held_cents: 0 });
});

test("several holds end together or not at all", async () => {
  const account_id = await anAccount();
  await inTx((tx) => post(tx, correction(account_id, 1000)));
  const [one, other] = [newHold(300), newHold(400)];
  await inTx((tx) => hold(tx, account_id, [one, other]));
  const debit = (hold_id: string) => ({ hold_id, posting: correction(account_id, -200) });
  for (const wrong of [
    [one, one],
    [one, newHold(400)],
    [one, other, one],
  ]) {
    const captures = wrong.map(({ id }) => debit(id));
    await expect(inTx((tx) => captureAll(tx, captures))).rejects.toMatchObject({
      message: "nothing_posted",
      detail: expect.stringContaining("with a hold") as string,
    });
  }
  const foreign = { ...debit(other.id), posting: { ...debit(other.id).posting, currency: "USD" } };
  await expect(inTx((tx) => captureAll(tx, [debit(one.id), foreign]))).rejects.toThrow("in CAD");
  await expectLedger([{ account_id, balance_cents: 1000, held_cents: 700, transactions: 1 }]);
  await inTx((tx) => captureAll(tx, [debit(one.id), debit(other.id)]));
  await expectLedger([{ account_id, balance_cents: 600, held_cents: 0, transactions: 3 }]);
});

test("of two transactions that spend all that is held, the one that waits for the other succeeds, too", async () => {
  const account_id = await anAccount();
  await inTx((tx) => post(tx, correction(account_id, 400)));
  const [one, other] = [newHold(200), newHold(200)];
  await inTx((tx) => hold(tx, account_id, [one, other]));
  const spend = (tx: Tx, { id }: { id: string }) => capture(tx, id, correction(account_id, -200));
  const [spent, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = inTx(async (tx) => {
    await spend(tx, one);
    spent.resolve();
    await commit.promise;
  });
  await spent.promise;
  const second = inTx((tx) => spend(tx, other));
  await untilBackendWaits(database.db);
  commit.resolve();
  await Promise.all([first, second]);
  await expectLedger([{ account_id, balance_cents: 0, held_cents: 0, transactions: 3 }]);
});

test("a posting that does not sum to zero, or is in another currency, changes nothing", async () => {
  const account_id = await anAccount();
  const uneven = correction(account_id, 500);
  uneven.entries[1]!.amount_cents = -499;
  await expect(inTx((tx) => post(tx, uneven))).rejects.toThrow("do not sum to zero");
  const foreign = { ...correction(account_id, 500), currency: "USD" };
  await expect(inTx((tx) => post(tx, foreign))).rejects.toMatchObject({
    message: "nothing_posted",
    detail: expect.stringContaining("has no USD balance") as string,
  });
  await expectLedger([{ account_id, balance_cents: 0, held_cents: 0, transactions: 0 }]);
});

test("the details of a transaction may be anything that text and JSON can hold", async () => {
  const anything = fc.string({ unit: "grapheme", maxLength: 40 });
  const said = fc.record({
    description: anything,
    details: fc.dictionary(anything, fc.jsonValue()),
  });
  const property = fc.asyncProperty(said, async (words) => {
    // PostgreSQL has no such character.
    fc.pre(!JSON.stringify(words).includes("\\u0000"));
    const account_id = await anAccount();
    await inTx((tx) => post(tx, { ...correction(account_id, 100), ...words }));
    await expectLedger([{ account_id, balance_cents: 100, held_cents: 0, transactions: 1 }]);
  });
  await fc.assert(property, { numRuns: 25 });
});
