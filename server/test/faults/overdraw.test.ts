import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { toCents } from "../../src/domain/values/money.ts";
import {
  countOutcomes,
  outcomeOf,
  type DataOf,
  type Failure,
  type Purchase,
  type Reply,
  type Shipment,
} from "../client.ts";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import { aRandom } from "../random.ts";
import { aShipment, aSteeredShipment, parcel } from "../shipments.ts";
import { anAccount, must, throughProcess, type TestAccount } from "../world.ts";
import { balanceLock, untilBackendWaits } from "./moments.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/**
 * Many clients on one balance, over two processes: no more is spent than is there, no affordable
 * purchase is refused, and under load requests are slow rather than refused.
 */

let world: ServedWorld;
beforeAll(async () => {
  const settings = { WAYBILL_DATABASE_CONNECTIONS_MAX: String(connections) };
  world = await aServedPlatform(settings, { roles: ["api", "api", "worker"] });
});
beforeEach(() => keepHistory());
afterEach(async () => {
  // The ledger's own check knows every trigger that there should be.
  await sql`DROP TABLE balance_history`.execute(world.db);
  await sql`DROP FUNCTION keep_history CASCADE`.execute(world.db);
  await assertInvariants(world);
});
afterAll(() => world.close());

// The default, which two processes share with all their other work.
const connections = 20;
const random = aRandom();

/** Every balance that ever was, in order: the refusals' amounts are compared with it. */
async function keepHistory(): Promise<void> {
  await sql`
    CREATE TABLE balance_history (
      place bigserial, account_id text, available_cents float, at timestamptz DEFAULT clock_timestamp())`.execute(
    world.db,
  );
  await sql`CREATE FUNCTION keep_history() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO balance_history (account_id, available_cents)
    VALUES (NEW.account_id, NEW.balance_cents - NEW.held_cents);
    RETURN NULL; END $$`.execute(world.db);
  await sql`CREATE TRIGGER keep_history AFTER UPDATE ON balances
    FOR EACH ROW EXECUTE FUNCTION keep_history()`.execute(world.db);
}

interface Try {
  shipment_id: string;
  reply: Reply<DataOf<Purchase>>;
  asked_at: number;
  answered_at: number;
}

/** So many clients buy the remaining shipments, each through the next process. */
async function buyAll(account: TestAccount, ids: string[], clients: number): Promise<Try[]> {
  const left = [...ids];
  const tries: Try[] = [];
  const client = async (number: number) => {
    const through = throughProcess(world, account, world.processes[number % 2]!);
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const asked_at = Date.now();
      const reply = await through.buy(id);
      tries.push({ shipment_id: id, reply, asked_at, answered_at: Date.now() });
    }
  };
  await Promise.all(Array.from({ length: clients }, (_each, number) => client(number)));
  return tries;
}

async function create(account: TestAccount, count: number, refusedEvery = Infinity) {
  const entries = Array.from({ length: count }, (_each, place) => {
    const packages = [{ ...parcel, weight: 1 + random.below(20) }];
    return place % refusedEvery === refusedEvery - 1
      ? aSteeredShipment("sim:refuse", { packages })
      : aShipment({ packages });
  });
  const { data } = must(
    await account.post<DataOf<{ data: Shipment }[]>>("/shipments", entries),
    201,
  );
  return data.map((row) => row.data.id);
}

/** As merchants do: shipments were quoted before, a few at a time. */
async function quoteAll(account: TestAccount, ids: string[]): Promise<void> {
  const left = [...ids];
  const client = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) await account.rates(id);
  };
  await Promise.all(Array.from({ length: 8 }, client));
}

interface Refusal {
  shipment_id: string;
  required: number;
  available: number;
}

function refusals(tries: Try[]): (Refusal & Try)[] {
  return tries
    .filter(({ reply }) => outcomeOf(reply) === "402 insufficient_credits")
    .map((each) => {
      const { details } = (each.reply.body as unknown as Failure).error;
      const { required, available } = details as { required: number; available: number };
      return { ...each, required: toCents(required), available: toCents(available) };
    });
}

const clockSlackMs = 5;

/** The balance in the refusal existed while it was decided, and was too little. */
async function expectTrue(account: TestAccount, refused: (Refusal & Try)[]): Promise<void> {
  const { rows } = await sql<{ available_cents: number; from: number; to: number | null }>`
    SELECT available_cents, extract(epoch FROM at)::float * 1000 AS from,
      extract(epoch FROM lead(at) OVER (ORDER BY place))::float * 1000 AS to
    FROM balance_history WHERE account_id = ${account.account_id}`.execute(world.db);
  for (const { available, required, asked_at, answered_at } of refused) {
    expect(available).toBeLessThan(required);
    const then = rows.filter(
      ({ from, to }) =>
        from <= answered_at + clockSlackMs && (to ?? Infinity) >= asked_at - clockSlackMs,
    );
    expect(then.map(({ available_cents }) => available_cents)).toContain(available);
  }
}

/** Polls the account's balance until the work is done; returns how often. */
async function watching<T>(account: TestAccount, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  let looks = 0;
  while (!isDone) {
    const { balance_cents, held_cents } = await world.db
      .selectFrom("balances")
      .select(["balance_cents", "held_cents"])
      .where("account_id", "=", account.account_id)
      .executeTakeFirstOrThrow();
    expect(held_cents).toBeGreaterThanOrEqual(0);
    expect(balance_cents - held_cents).toBeGreaterThanOrEqual(0);
    looks++;
    await wait(5);
  }
  expect(looks).toBeGreaterThan(10);
  return done;
}

async function available(account: TestAccount): Promise<number> {
  return toCents((await account.balance()).available);
}

function pricesOf(tries: Try[]): number[] {
  const bought = tries.filter(({ reply }) => reply.status === 201);
  return [
    ...bought.map(({ reply }) => toCents(reply.body.data.cost!.total)),
    ...refusals(tries).map(({ required }) => required),
  ];
}

const sum = (cents: number[]) => cents.reduce((total, each) => total + each, 0);
const openingCents = 30_000;

test(`64 clients that want ten times the balance spend it and no more; a refused one costs more than is left (seed ${random.seed})`, async () => {
  const account = await anAccount(world, { balance_cents: openingCents });
  const ids = await create(account, 130);
  const tries = await watching(account, buyAll(account, ids, 64));
  expect(Object.keys(countOutcomes(tries.map(({ reply }) => reply))).sort()).toEqual([
    "201",
    "402 insufficient_credits",
  ]);
  expect(sum(pricesOf(tries))).toBeGreaterThan(10 * openingCents);
  const refused = refusals(tries);
  await expectTrue(account, refused);
  const left = await available(account);
  for (const { required } of refused) expect(required).toBeGreaterThan(left);
});

test(`money that refused purchases release can be spent by later ones (seed ${random.seed})`, async () => {
  const account = await anAccount(world, { balance_cents: openingCents });
  const ids = await create(account, 70, 3);
  const tries = await watching(account, buyAll(account, ids, 64));
  const refused = refusals(tries);
  await expectTrue(account, refused);
  await untilAtRest(world.db);
  expect(refused.length).toBeGreaterThan(10);
  for (const { shipment_id, required } of refused) {
    const left = await available(account);
    const again = await account.buy(shipment_id);
    if (required > left) {
      expect(outcomeOf(again)).toBe("402 insufficient_credits");
      expect((again.body as unknown as Failure).error.details).toMatchObject({
        required: required / 100,
        available: left / 100,
      });
    } else expect(["201", "502 carrier_error"]).toContain(outcomeOf(again));
  }
});

test("300 concurrent purchases of one account are all made", async () => {
  const account = await anAccount(world, { balance_cents: 2_000_000 });
  const ids = await create(account, 300);
  await quoteAll(account, ids);
  const tries = await watching(account, buyAll(account, ids, 300));
  expect(countOutcomes(tries.map(({ reply }) => reply))).toEqual({ "201": 300 });
});

test("many that wait for one account's balance leave the connections to the others", async () => {
  const process = world.processes[0]!;
  const busy = throughProcess(world, await anAccount(world), process);
  const other = throughProcess(world, await anAccount(world), process);
  const lock = balanceLock(world.database_url, busy.account_id);
  await lock.take();
  const waiting = Array.from({ length: 2 * connections }, () =>
    busy.post("/credits/top-up", { amount: 10 }),
  );
  await untilBackendWaits(world.db);
  const { id } = await other.create(aShipment());
  await other.bought(id);
  await lock.release();
  expect(countOutcomes(await Promise.all(waiting))).toEqual({ "201": 2 * connections });
});
