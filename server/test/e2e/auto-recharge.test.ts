import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adjust } from "../adjust.ts";
import type { Balance, DataOf, Failure, ListOf, Transaction } from "../client.ts";
import { eventsOf } from "../events.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import { testDatabase, type TestDatabase } from "../setup/database.ts";
import { aShipment } from "../shipments.ts";
import {
  aPlatform,
  anAccount,
  must,
  setDials,
  withToken,
  type TestAccount,
  type World,
} from "../world.ts";

/** A card that is charged by itself when the balance falls below the account's threshold (ADR 51). */

let database: TestDatabase;
let world: World;
beforeAll(async () => {
  database = await testDatabase();
  world = await aPlatform({}, { database });
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
  await database.close();
});

interface Setting {
  threshold: number;
  amount: number;
  payment_method_id: string | null;
}
type State = (Setting & { status: string; next_attempt_at: string | null }) | null;

const setting = (changes: Partial<Setting> = {}): Setting => ({
  threshold: 50,
  amount: 120,
  payment_method_id: null,
  ...changes,
});

const choose = (account: TestAccount, auto_recharge: Setting | null) =>
  account.put<DataOf<{ preferences: { auto_recharge: Setting | null } }> & Failure>("/account", {
    preferences: { auto_recharge },
  });

async function stateOf(account: TestAccount): Promise<State> {
  const { data } = must(
    await account.get<DataOf<Balance & { auto_recharge: State }>>("/credits/balance"),
    200,
  );
  return data.auto_recharge;
}

const statusOf = async (account: TestAccount) => (await stateOf(account))?.status;

async function topUpsOf(account: TestAccount) {
  const { data } = must(await account.get<ListOf<Transaction>>("/credits/transactions"), 200);
  return data.filter(({ type }) => type === "top_up");
}

async function chargesOf({ account_id }: TestAccount) {
  const attempts = await world.db
    .selectFrom("attempts")
    .select("reference")
    .where("account_id", "=", account_id)
    .execute();
  const references = new Set<string | undefined>(attempts.map(({ reference }) => reference));
  const journal = await readJournal(world);
  return journal.filter(
    ({ operation, reference }) => operation === "charge" && references.has(reference),
  );
}

/** As after the pause that follows a refusal. */
async function makeDue({ account_id }: TestAccount): Promise<void> {
  await sql`UPDATE auto_recharges SET due_at = now() WHERE account_id = ${account_id} AND due_at < 'infinity'`.execute(
    world.db,
  );
}

describe("an account with automatic top-ups", () => {
  test("is charged once when a label takes its balance below the threshold", async () => {
    const account = await anAccount(world, { balance_cents: 5_500 });
    must(await choose(account, setting({ threshold: 54 })), 200);
    expect(await stateOf(account)).toMatchObject({ threshold: 54, amount: 120, status: "active" });
    const { id } = await account.create(aShipment());
    const { balance_after } = await account.bought(id);
    expect(balance_after).toBeLessThan(54);
    await expect.poll(async () => (await account.balance()).balance).toBe(balance_after + 120);
    const [topUp, ...others] = await topUpsOf(account);
    expect(others).toEqual([]);
    expect(topUp).toMatchObject({
      amount: 120,
      description: "Automatic top-up, visa ending in 4242",
    });
    const [event] = await eventsOf(account, "credits.topped_up", 1);
    expect(event).toMatchObject({
      actor: { type: "system", id: "credits.recharge" },
      data: { total: 120, transaction_id: topUp!.id },
    });
    expect(await chargesOf(account)).toHaveLength(1);
    expect(await statusOf(account)).toBe("active");
  });

  test("is charged at once where its balance is below already, and never above", async () => {
    const low = await anAccount(world, { balance_cents: 1_000 });
    const high = await anAccount(world, { balance_cents: 5_000 });
    must(await choose(high, setting()), 200);
    must(await choose(low, setting()), 200);
    await expect.poll(() => low.balanceCents()).toBe(13_000);
    expect(await high.balanceCents()).toBe(5_000);
    expect(await chargesOf(high)).toEqual([]);
  });

  test("is charged with the card that it names", async () => {
    const account = await anAccount(world, { balance_cents: 0 });
    must(await choose(account, setting({ payment_method_id: "pm_card_lost_answer" })), 200);
    await expect.poll(() => account.balanceCents(), { timeout: 40_000 }).toBe(12_000);
    expect(await chargesOf(account)).toHaveLength(1);
  });

  test("is not charged once the setting is removed", async () => {
    const account = await anAccount(world, { balance_cents: 6_000 });
    must(await choose(account, setting()), 200);
    must(await choose(account, null), 200);
    expect(await stateOf(account)).toBeNull();
    must(await adjust(world, account.account_id, { amount: -30 }), 201);
    const other = await anAccount(world, { balance_cents: 0 });
    must(await choose(other, setting()), 200);
    await expect.poll(() => other.balanceCents()).toBe(12_000);
    expect(await account.balanceCents()).toBe(3_000);
  });

  test("has one charge under way, however many processes find it due", async () => {
    const account = await anAccount(world, { balance_cents: 0 });
    const found = { database, simulator_url: world.simulator_url };
    const others = await Promise.all([aPlatform({}, found), aPlatform({}, found)]);
    must(await choose(account, setting({ threshold: 100 })), 200);
    await expect.poll(() => account.balanceCents()).toBe(12_000);
    for (const each of others) await each.close();
    expect(await chargesOf(account)).toHaveLength(1);
  });
});

describe("a card that is refused", () => {
  test("is charged again an hour and a day later, and then no more until the account chooses again", async () => {
    const account = await anAccount(world, { balance_cents: 0 });
    const declined = setting({ payment_method_id: "pm_card_declined" });
    must(await choose(account, declined), 200);
    const pauses: number[] = [];
    for (let count = 1; count <= 2; count++) {
      const [, ...earlier] = (
        await eventsOf(account, "credits.recharge_failed", count)
      ).toReversed();
      expect(earlier).toHaveLength(count - 1);
      const state = await stateOf(account);
      expect(state!.status).toBe("failing");
      pauses.push((new Date(state!.next_attempt_at!).getTime() - Date.now()) / 3_600_000);
      await makeDue(account);
    }
    expect(pauses.map(Math.round)).toEqual([1, 24]);
    const events = await eventsOf(account, "credits.recharge_failed", 3);
    expect(events.at(-1)!.data).toEqual({
      total: 120,
      currency: "CAD",
      reason: "card_declined",
      next_attempt_at: null,
    });
    expect(await stateOf(account)).toMatchObject({ status: "paused", next_attempt_at: null });
    must(await adjust(world, account.account_id, { amount: 1 }), 201);
    expect(await statusOf(account)).toBe("paused");
    must(await choose(account, declined), 200);
    await expect.poll(() => statusOf(account)).toBe("failing");
    must(await choose(account, setting()), 200);
    await expect.poll(() => account.balanceCents()).toBe(12_100);
    expect(await statusOf(account)).toBe("active");
  });

  test("and was removed meanwhile is told of like a refused one", async () => {
    const account = await anAccount(world, { balance_cents: 6_000 });
    must(await choose(account, setting({ payment_method_id: "pm_card_lost_answer" })), 200);
    must(await account.delete("/credits/payment-methods/pm_card_lost_answer"), 204);
    must(await adjust(world, account.account_id, { amount: -30 }), 201);
    const [event] = await eventsOf(account, "credits.recharge_failed", 1);
    expect(event!.data).toMatchObject({ reason: "no_card" });
    expect(await account.balanceCents()).toBe(3_000);
    expect(await chargesOf(account)).toEqual([]);
  });
});

test("a processor that does not answer is not taken for a refusal", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  await setDials(world, {
    payments: { error_rate: 1, error_status: 503, operations: ["payments"] },
  });
  must(await choose(account, setting()), 200);
  await expect.poll(() => statusOf(account)).toBe("charging");
  await setDials(world, {});
  await expect
    .poll(async () => {
      const { rows } = await sql<{ is_later: boolean }>`
          SELECT due_at > now() + interval '1 minute' AS is_later FROM auto_recharges WHERE account_id = ${account.account_id}`.execute(
        world.db,
      );
      return rows[0]?.is_later;
    })
    .toBe(true);
  expect(await stateOf(account)).toMatchObject({ status: "active", next_attempt_at: null });
  await makeDue(account);
  await expect.poll(() => account.balanceCents()).toBe(12_000);
});

describe("the setting", () => {
  test("is refused with every failing field, and nothing changes", async () => {
    const account = await anAccount(world, { balance_cents: 0 });
    const refused = async (changes: object) =>
      must(await choose(account, setting(changes)), 422).error.details as object;
    expect(await refused({ amount: 40 })).toEqual({
      "preferences.auto_recharge.amount": [
        "amount must be at least the threshold, so that one charge is enough.",
      ],
    });
    expect(Object.keys(await refused({ amount: 5, threshold: -1 }))).toEqual([
      "preferences.auto_recharge.threshold",
      "preferences.auto_recharge.amount",
    ]);
    expect(Object.keys(await refused({ payment_method_id: "pm_other" }))).toEqual([
      "preferences.auto_recharge.payment_method_id",
    ]);
    expect(Object.keys(await refused({ often: true }))).toEqual([
      "preferences.auto_recharge.often",
    ]);
    expect(await stateOf(account)).toBeNull();
  });

  test("also needs credits:write, but may be written back unchanged without it", async () => {
    const owner = await anAccount(world, { balance_cents: 50_000 });
    must(await choose(owner, setting()), 200);
    const body = { name: "settings", scopes: ["account:write"] };
    const { token } = must(await owner.post<DataOf<{ token: string }>>("/tokens", body), 201).data;
    const other = withToken(world, { account_id: owner.account_id, environment: "test", token });
    const refused = must(await choose(other, setting({ amount: 500 })), 403);
    expect(refused.error).toMatchObject({
      code: "scope_missing",
      details: { required_scopes: ["credits:write"] },
    });
    must(await choose(other, null), 403);
    const { data } = must(await owner.get<DataOf<{ preferences: object }>>("/account"), 200);
    must(await other.put("/account", { preferences: data.preferences }), 200);
    expect(await stateOf(owner)).toMatchObject({ amount: 120, status: "active" });
  });

  test("may be the operator's", async () => {
    const account = await anAccount(world, { balance_cents: 0 });
    const change = (auto_recharge: Setting) =>
      world.operator.patch<Failure>(`/accounts/${account.account_id}/settings`, { auto_recharge });
    expect(must(await change(setting({ amount: 40 })), 422).error.details).toHaveProperty([
      "auto_recharge.amount",
    ]);
    must(await change(setting()), 200);
    await expect.poll(() => account.balanceCents()).toBe(12_000);
  });
});
