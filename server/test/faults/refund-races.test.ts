import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Carrier, CarrierRefund } from "../../src/carriers/carrier.ts";
import { carrierRegister } from "../../src/carriers/register.ts";
import { startLoops } from "../../src/jobs/loops.ts";
import { refundLanes } from "../../src/shipping/shipments/refunds.ts";
import { assertInvariants } from "../invariants.ts";
import { platformOf } from "../set-back.ts";
import { aShipment, boston, type ShipmentEntry } from "../shipments.ts";
import { anAccount, aQuotedDraft, must, type TestAccount } from "../world.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/**
 * Two processes poll one carrier for one refund, and get different responses: the first one decides the
 * refund. And a carrier that hangs delays the refunds of no other.
 */

let world: ServedWorld;
beforeAll(async () => {
  world = await aServedPlatform({}, { roles: ["api"] });
});
afterAll(() => world.close());

/** A worker's round that polls the due refunds, with carriers that return this for each. */
async function aRound(refund: CarrierRefund, answered: Promise<void> = Promise.resolve()) {
  const { platform, stop } = await platformOf(world);
  const asked = Promise.withResolvers<void>();
  const saying = (carrier: Carrier): Carrier => ({
    ...carrier,
    async refundState() {
      asked.resolve();
      await answered;
      return refund;
    },
  });
  const carriers = carrierRegister(platform.carriers.all.map(saying));
  await allDue();
  // Stopped, a round ends when all its polls are answered.
  const ended = refundLanes({ ...platform, carriers })(AbortSignal.abort()).finally(stop);
  return { asked: asked.promise, ended };
}

const allDue = () =>
  sql`UPDATE shipments SET refund_check_at = now() WHERE refund_status = 'pending'`.execute(
    world.db,
  );

async function aVoidedLabel(): Promise<{ account: TestAccount; id: string }> {
  const { account, shipment, service } = await aQuotedDraft(world, 40_000);
  await account.bought(shipment.id, { service });
  must(await account.post(`/shipments/${shipment.id}/void`), 200);
  return { account, id: shipment.id };
}

test("a refund that is approved while another process waits for its carrier stays approved", async () => {
  const { account, id } = await aVoidedLabel();
  const late = Promise.withResolvers<void>();
  const slow = await aRound("rejected", late.promise);
  await slow.asked;
  await (
    await aRound("approved")
  ).ended;
  expect(await account.show(id)).toMatchObject({ refund: { status: "approved" } });
  late.resolve();
  await slow.ended;
  expect(await account.show(id)).toMatchObject({
    status: "voided",
    refund: { status: "approved" },
  });
  expect(await account.balanceCents()).toBe(40_000);
  await assertInvariants(world);
});

test("a refund that is rejected while another process waits for its carrier credits nothing", async () => {
  const { account, id } = await aVoidedLabel();
  const paid = await account.balanceCents();
  const late = Promise.withResolvers<void>();
  const slow = await aRound("approved", late.promise);
  await slow.asked;
  await (
    await aRound("rejected")
  ).ended;
  late.resolve();
  await slow.ended;
  expect(await account.show(id)).toMatchObject({
    status: "purchased",
    refund: { status: "rejected" },
  });
  expect(await account.balanceCents()).toBe(paid);
});

/** A worker's loop that polls refunds, of carriers of which one hangs until it is released. */
async function aLoopOf(hanging: string) {
  const { platform, stop } = await platformOf(world);
  const released = Promise.withResolvers<void>();
  let asked = 0;
  const silent = (carrier: Carrier): Carrier => ({
    ...carrier,
    async refundState(...request) {
      asked++;
      await released.promise;
      return carrier.refundState(...request);
    },
  });
  const all = platform.carriers.all.map((each) =>
    each.descriptor.code === hanging ? silent(each) : each,
  );
  const run = refundLanes({ ...platform, carriers: carrierRegister(all) });
  const loops = startLoops([{ name: "refunds", every_ms: 10, run }], platform.log);
  return {
    asked: () => asked,
    async end() {
      released.resolve();
      await loops.stop();
      await stop();
    },
  };
}

test("a refund at one carrier is settled while another's lookups hang, which has no more of them than its slots", async () => {
  const account = await anAccount(world);
  const voided = async (entry: ShipmentEntry, carrier: string) => {
    const { id } = await account.create(entry);
    const { data } = await account.rates(id);
    const { service } = data.find((rate) => rate.carrier.code === carrier)!;
    await account.bought(id, { service });
    must(await account.post(`/shipments/${id}/void`), 200);
    return id;
  };
  for (let each = 0; each < 10; each++) await voided(aShipment(), "canada_post");
  await allDue();
  const loop = await aLoopOf("canada_post");
  onTestFinished(() => loop.end());
  await expect.poll(loop.asked, { timeout: 10_000 }).toBe(8);

  const withinBoston = {
    from_address: boston,
    to_address: { ...boston, address1: "4 Jersey Street" },
  };
  const id = await voided(aShipment(withinBoston), "usps");
  const refund = async () => (await account.show(id)).refund?.status;
  expect(await refund()).toBe("pending");
  await allDue();
  await expect.poll(refund, { timeout: 10_000 }).toBe("approved");
  expect(loop.asked()).toBe(8);
});
