import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { verdictOf } from "../client-log.ts";
import type { Headers, Reply } from "../client.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import { testDatabase } from "../setup/database.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, must, withToken, type TestAccount } from "../world.ts";
import { aCutProxy, commitOf, type CutPlace, type CutProxy } from "./cut-proxy.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/**
 * The network between the service and its database breaks at the very COMMIT. The service cannot know
 * then whether it was carried out; the key determines it, at any process, and nothing is done twice.
 */

let world: ServedWorld;
let proxy: CutProxy;
beforeAll(async () => {
  const database = await testDatabase();
  proxy = await aCutProxy(database.url);
  world = await aServedPlatform({ DATABASE_URL: proxy.url }, { database, roles: ["all", "api"] });
});
afterEach(() => assertInvariants(world));
afterAll(async () => {
  await world.close();
  await proxy.close();
});

/** The same call, through any process. */
type Call = (by: TestAccount, headers: Headers) => Promise<Reply<unknown>>;

interface Scenario {
  /** Prepares an account, and returns the call to be cut. */
  begin(account: TestAccount): Promise<Call>;
  cut_at(lost: CutPlace["lost"]): CutPlace;
  final: number;
  /** How many effects of each kind the account has in the end. */
  effects: { shipments: number; label: number; void: number; charge: number };
}

const nothing = { shipments: 0, label: 0, void: 0, charge: 0 };
const begin = (lost: CutPlace["lost"]) => commitOf(/insert into "?attempts/i, lost);
const end = (lost: CutPlace["lost"]) => commitOf(/ended AS \(\s*update attempts/i, lost);

async function toBuy(account: TestAccount): Promise<Call> {
  const { id } = await account.create(aShipment());
  return (by, headers) => by.buy(id, { service: "cheapest" }, headers);
}

async function toVoid(account: TestAccount): Promise<Call> {
  const { id } = await account.create(aShipment());
  await account.bought(id);
  return (by, headers) => by.post(`/shipments/${id}/void`, {}, headers);
}

async function toTopUp(): Promise<Call> {
  return (by, headers) => by.post("/credits/top-up", { amount: 61.23 }, headers);
}

async function toCreate(): Promise<Call> {
  return (by, headers) => by.post("/shipments", aShipment(), headers);
}

const scenarios: Record<string, Scenario> = {
  "a key's": {
    begin: toCreate,
    cut_at: (lost) => ({ statement: /INSERT INTO idempotency_keys/, lost }),
    final: 201,
    effects: { ...nothing, shipments: 1 },
  },
  "a new shipment's": {
    begin: toCreate,
    cut_at: (lost) => commitOf(/insert into "?shipments"?/i, lost),
    final: 201,
    effects: { ...nothing, shipments: 1 },
  },
  "a purchase's first": {
    begin: toBuy,
    cut_at: begin,
    final: 201,
    effects: { ...nothing, shipments: 1, label: 1 },
  },
  "a purchase's last": {
    begin: toBuy,
    cut_at: end,
    final: 201,
    effects: { ...nothing, shipments: 1, label: 1 },
  },
  "a void's first": {
    begin: toVoid,
    cut_at: begin,
    final: 200,
    effects: { ...nothing, shipments: 1, label: 1, void: 1 },
  },
  "a void's last": {
    begin: toVoid,
    cut_at: end,
    final: 200,
    effects: { ...nothing, shipments: 1, label: 1, void: 1 },
  },
  "a top-up's first": {
    begin: toTopUp,
    cut_at: begin,
    final: 201,
    effects: { ...nothing, charge: 1 },
  },
  "a top-up's last": {
    begin: toTopUp,
    cut_at: end,
    final: 201,
    effects: { ...nothing, charge: 1 },
  },
};

const cases = Object.entries(scenarios).flatMap(([name, scenario]) =>
  (["answer", "statement"] as const).map((lost) => ({ name, scenario, lost })),
);

test.each(cases)("$name commit, its $lost lost: one effect under its key", async (each) => {
  const { scenario, lost } = each;
  const account = await anAccount(world);
  const before = (await readJournal(world)).length;
  const call = await scenario.begin(account);
  const key = { "idempotency-key": `cut ${each.name} ${lost}` };

  const struck = proxy.cutAt(scenario.cut_at(lost));
  const [first] = await Promise.all([call(account, key), struck]);
  expect(verdictOf(first), first.bytes.toString()).toBe("open");
  if (first.status === 503) expect(first.headers["retry-after"]).toBe("1");

  const elsewhere = atTheOtherProcess(account);
  const retried = await vi.waitFor(
    async () => {
      const reply = await call(elsewhere, key);
      expect(verdictOf(reply), reply.bytes.toString()).toBe("final");
      return reply;
    },
    { timeout: 10_000, interval: 50 },
  );
  must(retried, scenario.final);
  expect((await call(account, key)).bytes.equals(retried.bytes)).toBe(true);
  expect(await effectsOf(account, before)).toEqual(scenario.effects);
});

/** The account's calls to a process that did not see the cut. */
function atTheOtherProcess({ account_id, token }: TestAccount): TestAccount {
  const { processes, client_log } = world;
  return withToken(
    { url: processes[1]!.url, client_log },
    { account_id, environment: "test", token },
  );
}

/** The account's effects, and those at the carriers and the card processor since. */
async function effectsOf({ account_id }: TestAccount, since: number): Promise<Scenario["effects"]> {
  const shipments = await world.db
    .selectFrom("shipments")
    .select("id")
    .where("account_id", "=", account_id)
    .execute();
  const done = (await readJournal(world)).slice(since);
  const count = (operation: string) => done.filter((entry) => entry.operation === operation).length;
  return {
    shipments: shipments.length,
    label: count("label"),
    void: count("void"),
    charge: count("charge"),
  };
}
