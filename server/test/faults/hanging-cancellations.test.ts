import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Carrier } from "../../src/carriers/carrier.ts";
import { carrierRegister } from "../../src/carriers/register.ts";
import { startLoops } from "../../src/jobs/loops.ts";
import { emptyPickupLanes } from "../../src/resources/pickups/operations.ts";
import { aLabelled, scheduled, showPickup, type FetchingCarrier } from "../pickups.ts";
import { platformOf } from "../set-back.ts";
import { anAccount, must, type TestAccount } from "../world.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/** A carrier whose cancellations hang delays no other one's. */

let world: ServedWorld;
beforeAll(async () => {
  world = await aServedPlatform({}, { roles: ["api"] });
});
afterAll(() => world.close());

/** A pickup whose only parcel was voided: it is to be cancelled. */
async function emptied(account: TestAccount, carrier: FetchingCarrier): Promise<string> {
  const id = await aLabelled(account, carrier);
  const pickup = await scheduled(account, id);
  must(await account.post(`/shipments/${id}/void`), 200);
  return pickup.id;
}

/** A worker's loop that cancels pickups; UPS's hang until the loop ends. */
async function aLoop() {
  const { platform, stop } = await platformOf(world);
  const released = Promise.withResolvers<void>();
  const silent = (carrier: Carrier): Carrier => ({
    ...carrier,
    pickups: {
      ...carrier.pickups!,
      async cancel(...request) {
        await released.promise;
        return carrier.pickups!.cancel(...request);
      },
    },
  });
  const all = platform.carriers.all.map((each) =>
    each.descriptor.code === "ups" ? silent(each) : each,
  );
  const run = emptyPickupLanes({ ...platform, carriers: carrierRegister(all) });
  const loops = startLoops([{ name: "call_off", every_ms: 10, run }], platform.log);
  return async () => {
    released.resolve();
    await loops.stop();
    await stop();
  };
}

/** The status of the attempts that cancel the carrier's pickups. */
async function cancellationsOf(party: string): Promise<string[]> {
  const { rows } = await sql<{ status: string }>`
    SELECT status FROM attempts WHERE kind = 'pickup_cancel' AND party = ${party}`.execute(
    world.db,
  );
  return rows.map(({ status }) => status);
}

test("a pickup is cancelled while another carrier's calls hang, which has no more of them than its slots", async () => {
  const account = await anAccount(world);
  for (let each = 0; each < 10; each++) await emptied(account, "ups");
  onTestFinished(await aLoop());
  const hanging = Array<string>(8).fill("sent");
  await expect.poll(() => cancellationsOf("ups"), { timeout: 10_000 }).toEqual(hanging);

  const id = await emptied(account, "purolator");
  const status = async () => (await showPickup(account, id)).status;
  await expect.poll(status, { timeout: 10_000 }).toBe("cancelled");
  expect(await cancellationsOf("ups")).toEqual(hanging);
});
