import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Carrier, CarrierRefund } from "../../src/carriers/carrier.ts";
import { carrierRegister } from "../../src/carriers/register.ts";
import { refundLanes } from "../../src/resources/shipments/service.ts";
import { assertInvariants } from "../invariants.ts";
import { platformOf } from "../set-back.ts";
import { aQuotedDraft, must, type TestAccount } from "../world.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/** Two processes ask one carrier for one refund, and hear different things: the first answer is the refund's end. */

let world: ServedWorld;
beforeAll(async () => {
  world = await aServedPlatform({}, { roles: ["api"] });
});
afterAll(() => world.close());

/** A worker's round that asks for the refunds that are due, of carriers that say this of each. */
async function aRound(refund: CarrierRefund, answered: Promise<void> = Promise.resolve()) {
  const { platform, stop } = await platformOf(world);
  const asked = Promise.withResolvers<void>();
  const saying = (carrier: Carrier): Carrier => ({
    ...carrier,
    async findLabel(...request) {
      const label = await carrier.findLabel(...request);
      asked.resolve();
      await answered;
      return label && { ...label, refund };
    },
  });
  const carriers = carrierRegister(platform.carriers.all.map(saying));
  await sql`UPDATE shipments SET refund_check_at = now() WHERE refund_status = 'pending'`.execute(
    world.db,
  );
  // Told to stop, a round ends when all that it asked is answered.
  const ended = refundLanes({ ...platform, carriers })(AbortSignal.abort()).finally(stop);
  return { asked: asked.promise, ended };
}

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
