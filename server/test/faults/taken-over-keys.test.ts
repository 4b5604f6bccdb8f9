import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { verdictOf } from "../client-log.ts";
import { outcomeOf, type Headers, type Reply } from "../client.ts";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aQuotedDraft, throughProcess, type TestAccount } from "../world.ts";
import { tableLock, untilBackendWaits } from "./moments.ts";
import { aServedPlatform, type ServedProcess, type ServedWorld } from "./served.ts";

/**
 * A process that is paused in the middle of a request for longer than its lease: another process
 * executes the client's retry. When the first continues, its work has been done already, and its
 * client must get nothing that contradicts the key's response.
 */

let world: ServedWorld;
let sleeper: ServedProcess;
let other: ServedProcess;
beforeAll(async () => {
  world = await aServedPlatform({}, { roles: ["api", "api", "worker"] });
  [sleeper, other] = world.processes as [ServedProcess, ServedProcess];
});
afterEach(() => assertInvariants(world));
afterAll(() => world.close());

const openingCents = 50_000;

interface Scenario {
  /** Where the first process is paused: waiting to write to this table, or to read it. */
  asleep: { table: string; against: "writes" | "reads" };
  begin(): Promise<{
    account: TestAccount;
    call(account: TestAccount, headers: Headers): Promise<Reply<unknown>>;
  }>;
}

const createAndBuy: Scenario["begin"] = async () => ({
  account: await anAccount(world, { balance_cents: openingCents }),
  call: (account, headers) =>
    account.post("/labels", { ...aShipment(), service: "cheapest" }, headers),
});

const scenarios: Record<string, Scenario> = {
  "about to write a shipment": {
    asleep: { table: "shipments", against: "writes" },
    begin: async () => ({
      account: await anAccount(world),
      call: (account, headers) => account.post("/shipments", aShipment(), headers),
    }),
  },
  "about to write a token": {
    asleep: { table: "tokens", against: "writes" },
    begin: async () => ({
      account: await anAccount(world),
      call: (account, headers) =>
        account.post("/tokens", { name: "Another", scopes: ["rates:read"] }, headers),
    }),
  },
  "about to charge a card": {
    asleep: { table: "attempts", against: "writes" },
    begin: async () => ({
      account: await anAccount(world),
      call: (account, headers) => account.post("/credits/top-up", { amount: 25 }, headers),
    }),
  },
  "about to create a shipment and buy its label": {
    asleep: { table: "shipments", against: "writes" },
    begin: createAndBuy,
  },
  "about to buy the label of a shipment that it created": {
    asleep: { table: "attempts", against: "writes" },
    begin: createAndBuy,
  },
  "reading a shipment whose label it is to buy": {
    asleep: { table: "shipments", against: "reads" },
    async begin() {
      const { account, shipment, service } = await aQuotedDraft(world, openingCents);
      return {
        account,
        call: (each, headers) => each.buy(shipment.id, { service }, headers),
      };
    },
  },
  "reading a shipment that it is to remove": {
    asleep: { table: "shipments", against: "reads" },
    async begin() {
      const { account, shipment } = await aQuotedDraft(world, openingCents);
      return {
        account,
        call: (each, headers) => each.delete(`/shipments/${shipment.id}`, headers),
      };
    },
  },
};

test.each(Object.keys(scenarios))("paused %s: done once, under one response", async (name) => {
  const { asleep, begin } = scenarios[name]!;
  const { account, call } = await begin();
  const key = { "idempotency-key": name };
  const lock = tableLock(world.database_url, asleep);
  onTestFinished(async () => {
    await lock.release();
    sleeper.resume();
  });
  await lock.take();
  const slept = call(throughProcess(world, account, sleeper), key);
  // A loop of the process may wait for the table before the call has its key.
  const holder = await vi.waitFor(() => holderOf(account), { timeout: 20_000 });
  await untilBackendWaits(world.db);
  sleeper.pause();
  // The lease expires at once: no test has to wait for it.
  await world.db.deleteFrom("processes").where("id", "=", holder).execute();
  const retried = call(throughProcess(world, account, other), key);
  await vi.waitFor(async () => expect(await holderOf(account)).not.toBe(holder), {
    timeout: 20_000,
  });
  await lock.release();
  // A paused process with a lock keeps the retry waiting, but not for good.
  const answer = await retried;
  sleeper.resume();

  expect(verdictOf(answer), answer.bytes.toString()).toBe("final");
  expect(answer.status).toBeLessThan(300);
  const late = await slept;
  if (verdictOf(late) === "final") expect(late.bytes.toString()).toBe(answer.bytes.toString());
  else expect(["409 idempotency_in_progress", "503 unavailable"]).toContain(outcomeOf(late));
  await untilAtRest(world.db);
  const again = await call(throughProcess(world, account, sleeper), key);
  expect([again.status, again.bytes.toString()]).toEqual([answer.status, answer.bytes.toString()]);
  // Where the call creates the shipment, what took over continues with the one that the paused process made.
  const shipments =
    await sql`SELECT id FROM shipments WHERE account_id = ${account.account_id}`.execute(world.db);
  expect(shipments.rows.length).toBeLessThanOrEqual(1);
});

async function holderOf({ account_id }: TestAccount): Promise<string> {
  const { holder_id } = await world.db
    .selectFrom("idempotency_keys")
    .select("holder_id")
    .where("account_id", "=", account_id)
    .executeTakeFirstOrThrow();
  return holder_id ?? expect.fail("no process holds the key");
}
