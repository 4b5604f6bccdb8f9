import { afterAll, beforeAll, expect, test } from "vitest";
import { aSimulator } from "../../src/carriers/contract-world.ts";
import { dialects } from "../../src/carriers/dialects.ts";
import type { Simulator } from "../../src/carriers/simulator/simulator.ts";
import { drawOn } from "../../src/threads/draw-on.ts";
import { openThreads } from "../../src/threads/threads.ts";
import { connectTo } from "../real-connections.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform, type TestAccount, type World } from "../world.ts";
import { longestStretchMs } from "./stretch.ts";

/**
 * Labels of many packages, with the simulator in the same process. Of pictures fewer than a shipment may have: fifty are
 * several seconds of CPU time, which a busy machine does not give a thread within the time of a purchase.
 */

let world: World;
let account: TestAccount;
const threads = openThreads();
let simulator: Simulator;
beforeAll(async () => {
  simulator = await aSimulator(undefined, dialects, drawOn(threads));
  world = await aPlatform({}, { threads, simulator_url: simulator.url });
  await connectTo(world, "ups");
  account = await anAccount(world, { balance_cents: 10_000_000 });
});
afterAll(async () => {
  await world.close();
  await simulator.close();
});

async function aPurchase(count: number, wanted: object) {
  const entry = aShipment();
  const packages = Array.from({ length: count }, () => entry.packages[0]!);
  const { id } = await account.create({ ...entry, packages });
  return () => account.bought(id, wanted);
}

test.each([
  ["ups.standard", { label_format: "pdf" }, 12],
  ["ups.standard", { label_format: "png" }, 12],
  ["ups.standard", { label_format: "zpl" }, 50],
  ["fedex.ground", { label_format: "png" }, 12],
  ["fedex.ground", { label_format: "pdf", label_size: "letter" }, 40],
])(
  "a label of %s as %j for %i packages does not block the event loop",
  async (service, wanted, count) => {
    // What loads with the first label of its kind is no part of it.
    await (
      await aPurchase(2, { service, ...wanted })
    )();
    const buy = await aPurchase(count, { service, ...wanted });
    let bought: Awaited<ReturnType<typeof buy>> | undefined;
    const longest = await longestStretchMs(async () => {
      bought = await buy();
    });
    expect(bought!.label_status).toBe("ready");
    expect(longest).toBeLessThan(50);
  },
);
