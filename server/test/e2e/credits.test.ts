import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { assertInvariants, readJournal } from "../invariants.ts";
import {
  outcomeOf,
  type DataOf,
  type Failure,
  type ListOf,
  type TopUp,
  type Transaction,
} from "../client.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, setDials, type World } from "../world.ts";

/** Spec 4.13, sequence 4: top up, read the balance, spend it. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

async function chargesOf(amountCents: number): Promise<number> {
  const journal = await readJournal(world);
  return journal.filter(
    (entry) => entry.operation === "charge" && entry.amount_cents === amountCents,
  ).length;
}

test("top up → balance → label: each step moves the balance by its amount", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  const topUp = must(
    await account.post<DataOf<TopUp>>("/credits/top-up", { amount: 75.5 }),
    201,
  ).data;
  expect(topUp).toMatchObject({
    type: "top_up",
    status: "succeeded",
    amount: 75.5,
    balance_after: 75.5,
    currency: "CAD",
    payment_method: { id: "pm_card_visa", brand: "visa", last4: "4242" },
  });
  expect(await account.balance()).toMatchObject({ balance: 75.5, available: 75.5, held: 0 });

  const { id } = await account.create(aShipment());
  const purchase = await account.bought(id);
  expect(await account.balance()).toMatchObject({
    balance: purchase.balance_after,
    available: purchase.balance_after,
    held: 0,
  });

  const { data: lines } = must(
    await account.get<ListOf<Transaction>>("/credits/transactions"),
    200,
  );
  expect(
    lines.map(({ id, type, amount, balance_after }) => ({ id, type, amount, balance_after })),
  ).toEqual([
    {
      id: purchase.transaction_id,
      type: "label",
      amount: -purchase.cost!.total,
      balance_after: purchase.balance_after,
    },
    { id: topUp.id, type: "top_up", amount: 75.5, balance_after: 75.5 },
  ]);
});

test("a declined card answers 402 with the reason, and nothing changes", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  const body = { amount: 20.02, payment_method_id: "pm_card_declined" };
  const declined = await account.post<Failure>("/credits/top-up", body);
  expect(must(declined, 402).error).toMatchObject({
    code: "payment_failed",
    details: { decline_code: expect.any(String) as string },
  });
  expect(await account.balanceCents()).toBe(0);
  expect(await chargesOf(2002)).toBe(0);
});

test("a rate limit of the processor charges nothing, and says to retry", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  await setDials(world, {
    payments: { error_rate: 1, error_status: 429, operations: ["payments"] },
  });
  const limited = await account.post<Failure>("/credits/top-up", { amount: 20.03 });
  await setDials(world, {});
  expect(must(limited, 502).error).toMatchObject({
    code: "payment_provider_error",
    details: { carrier_code: "too_many_requests", retryable: true },
  });
  expect(await account.balanceCents()).toBe(0);
  expect(await chargesOf(2003)).toBe(0);
});

test("a lost response is pending under its final id, then settles; its key never charges again", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  const body = { amount: 31.07, payment_method_id: "pm_card_lost_answer" };
  const key = { "idempotency-key": "top-up-lost" };
  const first = await account.post<DataOf<TopUp>>("/credits/top-up", body, key);
  const pending = must(first, 201).data;
  expect(pending).toMatchObject({ status: "pending", amount: 31.07, balance_after: null });
  // It is no transaction yet, so that nothing could be read there.
  expect(first.headers["location"]).toBeUndefined();

  const settled = await vi.waitFor(
    async () => {
      const retry = await account.post<DataOf<TopUp>>("/credits/top-up", body, key);
      expect(must(retry, 201).data.status).toBe("succeeded");
      return retry;
    },
    { timeout: 10_000, interval: 50 },
  );
  expect(settled.body.data).toMatchObject({ id: pending.id, balance_after: 31.07 });
  expect(await account.balanceCents()).toBe(3107);
  expect(await chargesOf(3107)).toBe(1);

  const replayed = await account.post<DataOf<TopUp>>("/credits/top-up", body, key);
  expect(replayed.bytes.equals(settled.bytes)).toBe(true);
  expect(replayed.headers["idempotent-replay"]).toBe("true");
  const location = `/credits/transactions/${pending.id}`;
  expect(replayed.headers["location"]).toBe(account.base_url + location);
  must(await account.get(location), 200);
});

test("a top-up has one time, in its responses and as a transaction", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  const timeOf = async (id: string) => {
    const path = `/credits/transactions/${id}`;
    return must(await account.get<DataOf<{ created_at: string }>>(path), 200).data.created_at;
  };
  const plain = must(await account.post<DataOf<TopUp>>("/credits/top-up", { amount: 20 }), 201);
  expect(plain.data.created_at).toBe(await timeOf(plain.data.id));
  const lost = { amount: 31.08, payment_method_id: "pm_card_lost_answer" };
  const key = { "idempotency-key": "top-up-dated" };
  const ask = async () =>
    must(await account.post<DataOf<TopUp>>("/credits/top-up", lost, key), 201).data;
  const { id } = await ask();
  await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe("succeeded");
  expect((await ask()).created_at).toBe(await timeOf(id));
});

test("transactions are listed in the order in which they moved the balance, whenever they began", async () => {
  const account = await anAccount(world, { balance_cents: 50_000 });
  const late = { amount: 12.34, payment_method_id: "pm_card_lost_answer" };
  const { id } = must(await account.post<DataOf<TopUp>>("/credits/top-up", late), 201).data;
  must(await account.post("/credits/top-up", { amount: 20 }), 201);
  const list = (query: string) =>
    account
      .get<ListOf<Transaction>>(`/credits/transactions?${query}`)
      .then((reply) => must(reply, 200));
  await expect.poll(async () => (await list("per_page=100")).data[0]?.id).toBe(id);
  const { data } = await list("per_page=100");
  const following = data
    .slice(0, -1)
    .map(({ balance_after, amount }, place) => [
      balance_after,
      Math.round((data[place + 1]!.balance_after + amount) * 100) / 100,
    ]);
  expect(following.length).toBeGreaterThan(1);
  for (const [after, expected] of following) expect(after).toBe(expected);

  const walked: string[] = [];
  let page = await list("per_page=1");
  for (;;) {
    walked.push(...page.data.map((each) => each.id));
    if (page.meta.next_cursor === null) break;
    page = await list(`per_page=1&cursor=${page.meta.next_cursor}`);
  }
  expect(walked).toEqual(data.map((each) => each.id));
  const back = await list(`per_page=2&cursor=${page.meta.prev_cursor}`);
  expect(back.data.map((each) => each.id)).toEqual(walked.slice(-3, -1));
});

test("a processor that never responds leaves the top-up pending, then cancelled: nothing is charged", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  await setDials(world, {
    payments: { error_rate: 1, error_status: 503, operations: ["payments"] },
  });
  const reply = await account.post<DataOf<TopUp>>("/credits/top-up", { amount: 10.11 });
  await setDials(world, {});
  expect(must(reply, 201).data.status).toBe("pending");
  await assertInvariants(world);
  expect(await chargesOf(1011)).toBe(0);
  expect(await account.balanceCents()).toBe(0);
});

test("the same key pays once and is answered with the same bytes; another body is a conflict", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  const key = { "idempotency-key": "top-up-once" };
  const call = () => account.post<DataOf<TopUp>>("/credits/top-up", { amount: 44.44 }, key);
  const replies = await Promise.all(Array.from({ length: 20 }, call));
  expect(new Set(replies.map((reply) => reply.bytes.toString())).size).toBe(1);
  expect(replies.every((reply) => reply.status === 201)).toBe(true);
  expect(await account.balanceCents()).toBe(4444);
  expect(await chargesOf(4444)).toBe(1);
  const other = await account.post("/credits/top-up", { amount: 44.45 }, key);
  expect(outcomeOf(other)).toBe("409 idempotency_conflict");
});

test("without a key a repeated top-up charges twice, as spec 8 warns", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  for (let time = 0; time < 2; time++)
    must(await account.post("/credits/top-up", { amount: 55.55 }), 201);
  expect(await account.balanceCents()).toBe(11_110);
  expect(await chargesOf(5555)).toBe(2);
});

test("a top-up in another currency than the account's is refused at `currency`, and charges nothing", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  for (const currency of ["USD", "XXX", "cad"]) {
    const refused = await account.post<Failure>("/credits/top-up", { amount: 10, currency });
    expect(Object.keys(must(refused, 422).error.details)).toEqual(["currency"]);
  }
  expect(await account.balanceCents()).toBe(0);
  must(await account.post("/credits/top-up", { amount: 10, currency: "CAD" }), 201);
  expect(await account.balanceCents()).toBe(1_000);
});

test("amounts outside 10.00 to 10,000.00, or finer than a cent, are refused", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  for (const amount of [0, -10, 9.99, 10_000.01, 10.001, "50", null, 1e300]) {
    const refused = await account.post<Failure>("/credits/top-up", { amount });
    expect(Object.keys(must(refused, 422).error.details)).toEqual(["amount"]);
  }
  for (const amount of [10, 10_000]) must(await account.post("/credits/top-up", { amount }), 201);
  const unknown = await account.post("/credits/top-up", {
    amount: 10,
    payment_method_id: "pm_nobody",
  });
  expect(outcomeOf(unknown)).toBe("404 not_found");
});

test("a label more expensive than the balance is 402 with both amounts, and leaves the draft unchanged", async () => {
  const account = await anAccount(world, { balance_cents: 150 });
  const { id } = await account.create(aShipment());
  const { data: rates } = await account.rates(id);
  const refused = await account.buy(id);
  expect(outcomeOf(refused)).toBe("402 insufficient_credits");
  expect((refused.body as unknown as Failure).error.details).toEqual({
    required: rates[0]!.total,
    available: 1.5,
    currency: "CAD",
  });
  expect(await account.show(id)).toMatchObject({ status: "draft", last_error: null });
  expect(await account.balance()).toMatchObject({ balance: 1.5, held: 0 });
});
