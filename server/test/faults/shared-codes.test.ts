import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf } from "../client.ts";
import { assertInvariants, readJournal, untilAtRest } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { anAccount } from "../world.ts";
import { aFaultyPlatform, type FaultyWorld } from "./faulty-world.ts";
import type { Fault } from "./faulty-carrier.ts";
import { balanceLock, untilBackendWaits } from "./moments.ts";
import { edited } from "./spoiled-responses.ts";

/**
 * No two live labels share a tracking code, also when a carrier issues one code to two at the same
 * instant.
 */

let world: FaultyWorld;
beforeAll(async () => {
  world = await aFaultyPlatform();
});
afterAll(() => world.close());

const service = "ups.standard";

/** An account with a draft that was quoted. */
async function aBuyer() {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  await account.rates(id);
  return { account, id, who: account.account_id };
}

test("of two accounts whose labels get one code at the same instant one keeps its label, and the other's is voided", async () => {
  const [first, second] = [await aBuyer(), await aBuyer()];
  const answered = Promise.withResolvers<void>();
  const waiting: Fault = async ({ forward, send }) => {
    const answer = await forward();
    await answered.promise;
    send(answer);
  };
  world.faulty.spoil({ who: first.who, operation: "purchase" }, waiting, 1);
  const keeps = first.account.buy(first.id, { service });
  const sold = () => readJournal(world).then(([label]) => label?.tracking_code ?? null);
  await expect.poll(sold, { timeout: 10_000 }).not.toBeNull();
  const tracking_code = await sold();

  // The first has written its label and not committed it: no other transaction sees it.
  const lock = balanceLock(world.database_url, first.who);
  await lock.take();
  answered.resolve();
  await untilBackendWaits(world.db, 1);
  const duplicate = edited((data) => {
    Object.assign(data, { tracking_code, package_tracking_codes: [tracking_code] });
  });
  world.faulty.spoil({ who: second.who, operation: "purchase" }, duplicate, 1);
  const spoiled = world.faulty.spoil({ who: second.who, operation: "look_up" }, duplicate);
  const loses = second.account.buy(second.id, { service });
  await untilBackendWaits(world.db, 2);
  await lock.release();

  expect(outcomeOf(await keeps)).toBe("201");
  expect(outcomeOf(await loses)).toBe("409 purchase_pending");
  // The carrier voids the label under the code that it really issued.
  await expect.poll(spoiled.hits, { timeout: 20_000 }).toBeGreaterThan(1);
  spoiled.lift();
  await untilAtRest(world.db);
  expect(await second.account.show(second.id)).toMatchObject({
    status: "draft",
    last_error: { carrier_code: "tracking_code_taken" },
  });
  expect(await second.account.balance()).toMatchObject({ balance: 1000, held: 0 });
  await assertInvariants(world);
});
