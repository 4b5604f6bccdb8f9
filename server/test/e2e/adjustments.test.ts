import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adjust } from "../adjust.ts";
import { aClient, countOutcomes, outcomeOf, type Client } from "../client.ts";
import { balanceLock, untilBackendWaits } from "../faults/moments.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, anOperator, aPlatform, must, type World } from "../world.ts";

/** An operator's adjustment creates or removes money, so it is made once for each Idempotency-Key. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

const openingCents = 10_000;
const anyAccount = () => anAccount(world, { balance_cents: openingCents });

test("an adjustment without an Idempotency-Key is refused and moves nothing", async () => {
  const account = await anyAccount();
  const path = `/accounts/${account.account_id}/adjustments`;
  const body = { amount: 5, description: "Twice?" };
  expect(outcomeOf(await world.operator.post(path, body))).toBe("400 invalid_idempotency_key");
  expect(await account.balanceCents()).toBe(openingCents);
});

test("one key makes one adjustment, however often it is sent, and answers the same bytes", async () => {
  const account = await anyAccount();
  const key = randomUUID();
  const first = await adjust(world, account.account_id, { amount: 5, key });
  const again = await adjust(world, account.account_id, { amount: 5, key });
  must(first, 201);
  expect([again.status, again.headers["idempotent-replay"]]).toEqual([201, "true"]);
  expect(again.bytes).toEqual(first.bytes);
  expect(await account.balanceCents()).toBe(openingCents + 500);
});

test("an amount with the residue of a binary sum is the amount that the ledger has, in the answer and the audit log", async () => {
  const account = await anyAccount();
  const made = await adjust(world, account.account_id, { amount: 0.1 + 0.2, key: randomUUID() });
  expect(must(made, 201)).toMatchObject({ data: { amount: 0.3, balance_after: 100.3 } });
  const line = await world.db
    .selectFrom("audit_log")
    .select("details")
    .where("account_id", "=", account.account_id)
    .where("action", "=", "balance.adjusted")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  expect(line.details).toMatchObject({ amount: 0.3 });
});

test("an amount of 0 is refused with a sentence that says so", async () => {
  const account = await anyAccount();
  const none = await adjust(world, account.account_id, { amount: 0, key: randomUUID() });
  expect(must(none, 422)).toMatchObject({
    error: { details: { amount: ["amount must not be 0."] } },
  });
});

test("less than a cent is refused and moves nothing", async () => {
  const account = await anyAccount();
  const none = await adjust(world, account.account_id, { amount: 1e-301, key: randomUUID() });
  expect(outcomeOf(none)).toBe("422 validation_failed");
  expect(none.body.error.details).toEqual({ amount: ["amount must be at least one cent."] });
  expect(await account.balanceCents()).toBe(openingCents);
});

test("twenty concurrent requests with one key are one adjustment", async () => {
  const account = await anyAccount();
  const key = randomUUID();
  const twenty = Array.from({ length: 20 }, () =>
    adjust(world, account.account_id, { amount: 1.5, key }),
  );
  const replies = await Promise.all(twenty);
  expect(countOutcomes(replies)).toEqual({ 201: 20 });
  expect(new Set(replies.map(({ bytes }) => bytes.toString())).size).toBe(1);
  expect(await account.balanceCents()).toBe(openingCents + 150);
});

test("all operators share a key: another body is a conflict, another operator's token replays", async () => {
  const account = await anyAccount();
  const other = { operator: await anOperator(world.db, world.url) };
  const key = randomUUID();
  const first = await adjust(world, account.account_id, { amount: 5, key });
  const changed = await adjust(other, account.account_id, { amount: 6, key });
  expect(outcomeOf(changed)).toBe("409 idempotency_conflict");
  expect((await adjust(other, account.account_id, { amount: 5, key })).bytes).toEqual(first.bytes);
  expect(await account.balanceCents()).toBe(openingCents + 500);
});

test("an operator's key and an account's of the same name are independent", async () => {
  const account = await anyAccount();
  const key = randomUUID();
  const headers = { "idempotency-key": key };
  must(await account.post("/credits/top-up", { amount: 10 }, headers), 201);
  must(await adjust(world, account.account_id, { amount: 5, key }), 201);
  expect(await account.balanceCents()).toBe(openingCents + 1_500);
});

test("a key that was refused for lack of credit replays that, and bad input is refused before any money moves", async () => {
  const account = await anyAccount();
  const key = randomUUID();
  const refused = await adjust(world, account.account_id, { amount: -100.01, key });
  expect(outcomeOf(refused)).toBe("402 insufficient_credits");
  expect(refused.body.error.details).toEqual({ required: 100.01, available: 100, currency: "CAD" });
  must(await adjust(world, account.account_id, { amount: 50 }), 201);
  expect((await adjust(world, account.account_id, { amount: -100.01, key })).bytes).toEqual(
    refused.bytes,
  );
  const bad = await adjust(world, account.account_id, { amount: 0, description: "" });
  expect(bad.body.error).toMatchObject({
    code: "validation_failed",
    details: { amount: [expect.any(String)], description: [expect.any(String)] },
  });
});

test("an organization is created once for a key", async () => {
  const create = (client: Client) =>
    client.post(
      "/organizations",
      { name: "Once", owner_email: "once@example.com" },
      { "idempotency-key": "once" },
    );
  const operator = aClient(world.operator.base_url, world.operator.token);
  const [one, other] = [await create(operator), await create(operator)];
  expect([one.status, other.status]).toEqual([201, 201]);
  expect(other.bytes).toEqual(one.bytes);
  // The response shows its accounts' tokens.
  const stored = await world.db
    .selectFrom("idempotency_keys")
    .select(["body", "sealed_body"])
    .where("key", "=", "once")
    .executeTakeFirstOrThrow();
  expect(stored).toEqual({ body: null, sealed_body: expect.stringMatching(/^v1\./) as string });
});

test("an adjustment that a purchase leaves no money for is 402, also when both are concurrent", async () => {
  const account = await anAccount(world, { balance_cents: 2_500 });
  const { id } = await account.create(aShipment());
  await account.rates(id);
  const lock = balanceLock(world.database_url, account.account_id);
  await lock.take();
  const bought = account.buy(id);
  await untilBackendWaits(world.db, 1);
  const adjusted = adjust(world, account.account_id, { amount: -24.99 });
  await untilBackendWaits(world.db, 2);
  await lock.release();
  expect([outcomeOf(await bought), outcomeOf(await adjusted)]).toEqual([
    ...["201", "402 insufficient_credits"],
  ]);
});
