import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { newId } from "../../src/domain/values/ids.ts";
import { outcomeOf, type Reply } from "../client.ts";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import { aShipment, aSteeredShipment, type ShipmentEntry } from "../shipments.ts";
import { aPlatform, aQuotedDraft, setDials, type TestAccount, type World } from "../world.ts";
import { soldLabels, untilAttempted } from "./moments.ts";

/**
 * A process that was unresponsive for longer than its lease and then continues: another process has its
 * attempt by now. It may neither settle nor reverse, and its client gets the response that the outcome is
 * being looked up.
 */

const openingCents = 40_000;

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(async () => {
  await world.close();
});

/** Buys at a slow carrier, and meanwhile makes all other processes take this one for dead. */
async function buyWhileTakenOver(
  entry: ShipmentEntry,
  latency_ms: number,
): Promise<{ account: TestAccount; id: string; reply: Reply<unknown> }> {
  const { account, shipment, service } = await aQuotedDraft(world, openingCents, entry);
  const { id } = shipment;
  await setDials(world, { "*": { latency_ms, operations: ["purchases"] } });
  const answer = account.buy(id, { service });
  await untilAttempted(world.db, { subject_id: id, kind: "label_purchase" });
  await world.db
    .updateTable("attempts")
    .set({ holder_id: newId("prc") })
    .where("subject_id", "=", id)
    .execute();
  await vi.waitFor(
    async () => {
      const { fence } = await world.db
        .selectFrom("attempts")
        .select("fence")
        .where("subject_id", "=", id)
        .executeTakeFirstOrThrow();
      expect(fence).toBeGreaterThan(1);
    },
    { timeout: 5000, interval: 20 },
  );
  return { account, id, reply: await answer };
}

test("a label issued to a process that lost its lease is found and paid by another, once", async () => {
  const { account, id, reply } = await buyWhileTakenOver(aShipment(), 3000);
  expect(outcomeOf(reply)).toBe("409 purchase_pending");
  await untilAtRest(world.db);
  expect(await account.show(id)).toMatchObject({ status: "purchased" });
  expect(await soldLabels(world, id)).toBe(1);
});

test("a refusal received by a process that lost its lease is left to the other to look up", async () => {
  const { account, id, reply } = await buyWhileTakenOver(aSteeredShipment("sim:refuse"), 3000);
  expect(outcomeOf(reply)).toBe("409 purchase_pending");
  await untilAtRest(world.db);
  expect(await account.show(id)).toMatchObject({ status: "draft" });
  expect(await account.balanceCents()).toBe(openingCents);
  expect(await soldLabels(world, id)).toBe(0);
});

test("a response lost on a process that lost its lease is found all the same", async () => {
  const { account, id, reply } = await buyWhileTakenOver(aSteeredShipment("sim:lost_answer"), 3000);
  expect(outcomeOf(reply)).toBe("409 purchase_pending");
  await untilAtRest(world.db);
  expect(await account.show(id)).toMatchObject({ status: "purchased" });
  expect(await soldLabels(world, id)).toBe(1);
});
