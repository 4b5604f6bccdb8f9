import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { outcomeOf, type DataOf, type Reply } from "../client.ts";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import {
  anAccount,
  aQuotedDraft,
  must,
  setDials,
  throughProcess,
  type TestAccount,
} from "../world.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/**
 * Two processes serve the API from one database, a third does the background work: through either
 * process a key has one response, and a change made through one is seen by the other within a second.
 */

let world: ServedWorld;
beforeAll(async () => {
  world = await aServedPlatform({}, { roles: ["api", "api", "worker"] });
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(async () => {
  await world.close();
});

const openingCents = 50_000;
const callers = 200;

/** The same account, through each process that serves the API. */
function throughBoth(account: TestAccount): TestAccount[] {
  return world.processes.slice(0, 2).map((each) => throughProcess(world, account, each));
}

/** A duplicate that timed out waiting for the first retries, as clients do, until there is a response. */
async function untilAnswered<T>(call: () => Promise<Reply<T>>): Promise<Reply<T>> {
  return vi.waitFor(
    async () => {
      const reply = await call();
      expect(outcomeOf(reply)).not.toBe("409 idempotency_in_progress");
      return reply;
    },
    { timeout: 20_000, interval: 200 },
  );
}

interface Race {
  /** The call, the same each time but for the process. */
  call(account: TestAccount, headers: Record<string, string>): Promise<Reply<unknown>>;
  status: number;
  /** How many of its effects there are in the end. */
  effects(): Promise<number>;
  account: TestAccount;
}

async function count(table: "shipments" | "tokens" | "ledger_transactions", where: object) {
  const filter = Object.entries(where).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const { rows } = await sql<{ total: number }>`
    SELECT count(*) AS total FROM ${sql.table(table)} WHERE ${sql.join(filter, sql` AND `)}`.execute(
    world.db,
  );
  return rows[0]!.total;
}

const races: Record<string, () => Promise<Race>> = {
  async "POST /labels/{id}"() {
    const { account, shipment, service } = await aQuotedDraft(world, openingCents);
    const { account_id } = account;
    return {
      account,
      status: 201,
      call: (each, headers) => each.buy(shipment.id, { service }, headers),
      effects: () => count("ledger_transactions", { account_id, type: "label" }),
    };
  },
  async "POST /shipments"() {
    const account = await anAccount(world);
    const { account_id } = account;
    return {
      account,
      status: 201,
      call: (each, headers) => each.post("/shipments", aShipment(), headers),
      effects: () => count("shipments", { account_id }),
    };
  },
  async "POST /shipments/{id}/void"() {
    const { account, shipment } = await aQuotedDraft(world, openingCents);
    await account.bought(shipment.id);
    const { account_id } = account;
    return {
      account,
      status: 200,
      call: (each, headers) => each.post(`/shipments/${shipment.id}/void`, undefined, headers),
      effects: () => count("ledger_transactions", { account_id, type: "refund" }),
    };
  },
  async "POST /credits/top-up"() {
    const account = await anAccount(world);
    const { account_id } = account;
    return {
      account,
      status: 201,
      call: (each, headers) => each.post("/credits/top-up", { amount: 25 }, headers),
      effects: () => count("ledger_transactions", { account_id, type: "top_up" }),
    };
  },
  async "POST /labels"() {
    const account = await anAccount(world, { balance_cents: openingCents });
    const { account_id } = account;
    return {
      account,
      status: 201,
      call: (each, headers) =>
        each.post("/labels", { ...aShipment(), service: "cheapest" }, headers),
      effects: async () =>
        (await count("ledger_transactions", { account_id, type: "label" })) *
        (await count("shipments", { account_id })),
    };
  },
  async "POST /tokens"() {
    const account = await anAccount(world);
    const { account_id } = account;
    const before = await count("tokens", { account_id });
    return {
      account,
      status: 201,
      call: (each, headers) =>
        each.post("/tokens", { name: "Another", scopes: ["shipments:read"] }, headers),
      effects: async () => (await count("tokens", { account_id })) - before,
    };
  },
};

test.each(Object.keys(races))(
  `%s ${callers} times concurrently with one key, over two processes: done once, one response for all`,
  async (name) => {
    const { account, call, status, effects } = await races[name]!();
    const processes = throughBoth(account);
    const key = { "idempotency-key": "one for all" };
    const replies = await Promise.all(
      Array.from({ length: callers }, async (_each, index) => {
        const through = processes[index % processes.length]!;
        return untilAnswered(() => call(through, key));
      }),
    );
    expect(new Set(replies.map(outcomeOf))).toEqual(new Set([String(status)]));
    expect(new Set(replies.map(({ bytes }) => bytes.toString("base64"))).size).toBe(1);
    await untilAtRest(world.db);
    expect(await effects()).toBe(1);
    const replays = replies.filter(({ headers }) => headers["idempotent-replay"] === "true");
    expect(replays).toHaveLength(callers - 1);
  },
);

test("a duplicate at the other process waits two seconds for the first, then gets 409 while it still runs", async () => {
  const { account, shipment, service } = await aQuotedDraft(world, openingCents);
  const [here, there] = throughBoth(account);
  await setDials(world, { "*": { latency_ms: 3000, operations: ["purchases"] } });
  const key = { "idempotency-key": "slow" };
  const first = here!.buy(shipment.id, { service }, key);
  await vi.waitFor(
    async () => expect(await keysOf(account.account_id)).toEqual([{ status: null }]),
    { timeout: 20_000 },
  );
  const twin = await there!.buy(shipment.id, { service }, key);
  expect(outcomeOf(twin)).toBe("409 idempotency_in_progress");
  expect(twin.headers["retry-after"]).toBe("1");
  const bought = await first;
  expect(bought.status).toBe(201);
  const again = await there!.buy(shipment.id, { service }, key);
  expect(again.bytes.equals(bought.bytes)).toBe(true);
});

test("a key with another body is a conflict at the other process, while the first runs and after it", async () => {
  const { account, shipment, service } = await aQuotedDraft(world, openingCents);
  const [here, there] = throughBoth(account);
  await setDials(world, { "*": { latency_ms: 1000, operations: ["purchases"] } });
  const key = { "idempotency-key": "two bodies" };
  const other = () => there!.buy(shipment.id, { service, label_format: "png" }, key);
  const first = here!.buy(shipment.id, { service }, key);
  await vi.waitFor(
    async () => {
      expect(await keysOf(account.account_id)).toEqual([{ status: null }]);
    },
    { timeout: 20_000 },
  );
  expect(outcomeOf(await other())).toBe("409 idempotency_conflict");
  expect((await first).status).toBe(201);
  expect(outcomeOf(await other())).toBe("409 idempotency_conflict");
});

function keysOf(account_id: string) {
  return world.db
    .selectFrom("idempotency_keys")
    .select("status")
    .where("account_id", "=", account_id)
    .execute();
}

interface Change {
  /** Of the account's token; all of them when absent. */
  scopes?: string[];
  /** Made through the first process. */
  make(account: TestAccount): Promise<Reply<unknown>>;
  /** The client's view of it. */
  show(account: TestAccount): Promise<string>;
  seen: string;
}

const showBalance = async (account: TestAccount) =>
  outcomeOf(await account.get("/credits/balance"));

const changes: Record<string, Change> = {
  "a revoked token": {
    async make(account) {
      const tokens = must(await account.get<DataOf<{ id: string }[]>>("/tokens"), 200).data;
      return account.delete(`/tokens/${tokens[0]!.id}`);
    },
    show: showBalance,
    seen: "401 token_revoked",
  },
  "a suspension": {
    make: ({ account_id }) => world.operator.patch(`/accounts/${account_id}`, { suspended: true }),
    show: showBalance,
    seen: "403 account_suspended",
  },
  "a change of settings": {
    scopes: ["tokens:manage"],
    make: ({ account_id }) =>
      world.operator.patch(`/accounts/${account_id}/settings`, {
        token_ceiling: ["shipments:read"],
      }),
    show: async (account) =>
      outcomeOf(await account.post("/tokens", { name: "More", scopes: ["rates:read"] })),
    seen: "403 scope_missing",
  },
};

test.each(Object.keys(changes))("%s is seen by the other process within a second", async (name) => {
  const { make, show, seen, scopes } = changes[name]!;
  const account = await anAccount(world, { scopes });
  const [here, there] = throughBoth(account);
  // Each has just cached the previous state, and would use it until the cache entry expires.
  for (const each of [here!, there!]) expect(["200", "201"]).toContain(await show(each));
  expect((await make(here!)).status).toBeLessThan(300);
  const changed = performance.now();
  await vi.waitFor(async () => expect(await show(there!)).toBe(seen), {
    timeout: 5000,
    interval: 10,
  });
  expect(performance.now() - changed).toBeLessThan(1000);
  expect(await show(here!)).toBe(seen);
});
