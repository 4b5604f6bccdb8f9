import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf, type Failure, type Rates } from "../client.ts";
import { assertInvariants, readJournal, referencesOf, untilAtRest } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, type TestAccount } from "../world.ts";
import { allCells, runAll, type Ending } from "./fault-scenarios.ts";
import type { Fault } from "./faulty-carrier.ts";
import { committed, edited, labelMismatches } from "./spoiled-responses.ts";
import { aFaultyPlatform, type FaultyWorld } from "./faulty-world.ts";

/**
 * Whatever an outside party does to a purchase, a lookup, a void, a pickup, a booking or a charge (issue 3):
 * the client gets one of the documented outcomes, no label is bought or paid twice, none is left unpaid, no
 * money is lost, and the same key gets the one final response. The cells run concurrently, each on an account
 * of its own; each test reads how its cell ended.
 */

let world: FaultyWorld;
let endings: Map<string, Promise<Ending>>;
const names = allCells("").map(({ name }) => name);

beforeAll(async () => {
  world = await aFaultyPlatform();
  endings = runAll(world, allCells(world.internal.url));
});
afterAll(() => world.close());

test.each(names)("%s", { timeout: 120_000 }, async (name) => {
  const { problems, told } = await endings.get(name)!;
  expect({ told, problems }).toEqual({ told: expect.any(String) as string, problems: [] });
});

test("when no party can be reached, purchases, voids and charges are refused, and lookups wait", async () => {
  await Promise.allSettled(endings.values());
  const account = await anAccount(world);
  const [bought, lost, draft] = [await bare(account), await bare(account), await bare(account)];
  await account.bought(bought);
  world.faulty.spoil(
    { who: account.account_id, operation: "purchase" },
    committed(({ reset }) => reset()),
    1,
  );
  expect(outcomeOf(await account.buy(lost))).toBe("409 purchase_pending");
  await world.faulty.refuse();
  const calls = [
    await account.buy(draft),
    await account.post(`/shipments/${bought}/void`),
    await account.post("/credits/top-up", { amount: 50 }),
  ];
  expect(calls.map(outcomeOf)).toEqual([
    "502 carrier_error",
    "502 carrier_error",
    "502 payment_provider_error",
  ]);
  for (const { body } of calls) {
    expect((body as Failure).error.details).toMatchObject({ retryable: true });
  }
  expect((await account.show(lost)).status).toBe("purchase_pending");
  await world.faulty.listen();
  await untilAtRest(world.db);
  const statuses = [bought, lost, draft].map(async (id) => (await account.show(id)).status);
  expect(await Promise.all(statuses)).toEqual(["purchased", "purchased", "draft"]);
});

/** A draft that was quoted, so that buying it calls the carrier for nothing but the label. */
async function bare(account: TestAccount): Promise<string> {
  const { id } = await account.create(aShipment());
  await account.rates(id);
  return id;
}

/** A quote as the carrier never returned it: each of its prices moved by so many cents. */
const quoting = (cents: number) =>
  edited(({ rates }) => {
    for (const rate of rates as { base_cents: number }[]) rate.base_cents += cents;
  });

/** A draft, its real price at UPS, and a quote of it that is off by so many cents. */
async function misquoted(cents: number) {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  const atUps = ({ data }: Rates) => data.find(({ carrier }) => carrier.code === "ups")!;
  const real = atUps(await account.rates(id));
  const calls = { who: account.account_id, carrier: "ups" };
  world.faulty.spoil({ ...calls, operation: "rates" }, quoting(cents), 1);
  const shown = atUps(await account.rates(id));
  return { account, id, real, shown, calls, service: real.service };
}

test("a carrier that charges less than it quoted is owed its charge, the client pays the quoted price", async () => {
  const { account, id, shown, service } = await misquoted(500);
  const { cost, tracking_code } = await account.bought(id, { service });
  expect(cost?.total).toBe(shown.total);
  const sold = (await readJournal(world)).find((each) => each.tracking_code === tracking_code);
  const { owed_cents } = await world.db
    .selectFrom("ledger_entries")
    .select("amount_cents as owed_cents")
    .where("account_id", "=", account.account_id)
    .where("book", "=", "carrier_payable")
    .executeTakeFirstOrThrow();
  expect(owed_cents).toBe(sold!.amount_cents);
});

test("a carrier that refuses for its price reports both totals; a label issued at a higher price is voided", async () => {
  for (const [isSold, cents] of [
    [false, -500],
    [true, -500],
    [true, -1],
  ] as const) {
    const { account, id, real, shown, calls, service } = await misquoted(cents);
    const sellAnyway: Fault = async ({ asked, forward, send }) => {
      const expected_cost = { amount_cents: 1_000_000, currency: "CAD" };
      send(await forward({ ...(asked as object), expected_cost }));
    };
    if (isSold) world.faulty.spoil({ ...calls, operation: "purchase" }, sellAnyway, 1);
    const refused = await account.buy(id, { service });
    expect(outcomeOf(refused)).toBe("409 rate_changed");
    const { details } = (refused.body as unknown as Failure).error;
    const totals = { expected_total: shown.total, total: real.total };
    expect(details).toEqual({ service, ...totals, currency: "CAD" });
    expect(await account.show(id)).toMatchObject({ status: "draft" });
    expect(await account.balance()).toMatchObject({ balance: 1000, held: 0 });
    // Once its price is accepted the label is bought at it, whether the carrier refuses or sells at first.
    if (isSold) world.faulty.spoil({ ...calls, operation: "purchase" }, sellAnyway, 1);
    const accepted = await account.bought(id, { service, expected_total: real.total });
    expect(accepted.cost!.total).toBe(real.total);
  }
});

test("a recovery that lost the attempt between two lookups voids nothing: the other one kept the label", async () => {
  const account = await anAccount(world);
  const who = account.account_id;
  const id = await bare(account);
  const half = labelMismatches["sends half a label"]!;
  world.faulty.spoil({ who, operation: "purchase" }, half, 1);
  const settled = Promise.withResolvers<void>();
  const slow: Fault = async (exchange) => {
    // Another process takes the attempt over at this moment, and finds a valid label.
    await world.db
      .updateTable("attempts")
      .set({ look_at: new Date(0) })
      .where("account_id", "=", who)
      .execute();
    await settled.promise;
    await half(exchange);
  };
  world.faulty.spoil({ who, operation: "look_up" }, slow, 1);
  const answer = account.buy(id);
  const status = async () => (await account.show(id)).status;
  await expect.poll(status, { timeout: 10_000 }).toBe("purchased");
  settled.resolve();
  expect(outcomeOf(await answer)).toBe("409 purchase_pending");
  expect((await account.show(id)).status).toBe("purchased");
  const journal = await readJournal(world);
  const references = await referencesOf(world.db, id);
  const ofIt = journal.filter(({ reference }) => references.includes(reference));
  expect(ofIt.map(({ operation }) => operation)).toEqual(["label"]);
});

test("a tracking code that another live label has is not taken for this one's", async () => {
  const theirs = await anAccount(world);
  const { tracking_code } = await theirs.bought(await bare(theirs), { service: "ups.standard" });
  const duplicate = edited((data) => {
    Object.assign(data, { tracking_code, package_tracking_codes: [tracking_code] });
  });
  const account = await anAccount(world);
  const who = account.account_id;

  // In the response alone: the lookup has the right one.
  world.faulty.spoil({ who, operation: "purchase" }, duplicate, 1);
  const bought = await account.bought(await bare(account), { service: "ups.standard" });
  expect(bought.tracking_code).not.toBe(tracking_code);

  // In the lookup, too: it is to be voided, which the carrier refuses under a code that it never issued.
  const id = await bare(account);
  world.faulty.spoil({ who, operation: "purchase" }, duplicate, 1);
  const spoiled = world.faulty.spoil({ who, operation: "look_up" }, duplicate);
  expect(outcomeOf(await account.buy(id, { service: "ups.standard" }))).toBe(
    "409 purchase_pending",
  );
  await expect.poll(spoiled.hits, { timeout: 20_000 }).toBeGreaterThan(1);
  spoiled.lift();
  await untilAtRest(world.db);
  expect(await account.show(id)).toMatchObject({
    status: "draft",
    last_error: { carrier_code: "tracking_code_taken" },
  });
});

test("after all of it the ledger, the journal and the shipments agree, and no redirect was followed", async () => {
  await Promise.allSettled(endings.values());
  await assertInvariants(world);
  expect(world.internal.calls()).toBe(0);
});
