import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf, type Failure } from "../client.ts";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, type TestAccount } from "../world.ts";
import { allCells } from "./fault-cells.ts";
import { runAll, type Ending } from "./fault-stories.ts";
import { committed } from "./spoiled-answers.ts";
import { aFaultyPlatform, type FaultyWorld } from "./faulty-world.ts";

/**
 * Whatever an outside party does to a purchase, a look-up, a void or a charge (issue 3): the client is
 * told one of the documented outcomes, no label is bought or paid twice, none is left unpaid, no money
 * is lost, and the same key gets the one final answer. The cells run at the same time, each on an
 * account of its own; each test reads how its cell ended.
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

test("when nobody can be reached, purchases, voids and charges are refused, and look-ups wait", async () => {
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

/** A draft that was quoted, so that buying it asks the carrier for nothing but the label. */
async function bare(account: TestAccount): Promise<string> {
  const { id } = await account.create(aShipment());
  await account.rates(id);
  return id;
}

test("after all of it the books, the journal and the shipments agree, and no redirect was followed", async () => {
  await Promise.allSettled(endings.values());
  await assertInvariants(world);
  expect(world.internal.calls()).toBe(0);
});
