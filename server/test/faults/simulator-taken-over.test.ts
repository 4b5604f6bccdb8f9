import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { outcomeOf } from "../client.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, throughProcess, type TestAccount } from "../world.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/** Two processes without `WAYBILL_SIMULATOR_URL`, which one of them runs: the other goes on when that one ends. */

let world: ServedWorld;
let accounts: TestAccount[];
beforeEach(async () => {
  world = await aServedPlatform({}, { roles: ["all", "all"], has_simulator: false });
  const account = await anAccount(world, { balance_cents: 100_000 });
  accounts = world.processes.map((each) => throughProcess(world, account, each));
});
afterEach(() => world.close());

const addressNow = () => readFileSync(join(world.data_dir, "simulator", "address"), "utf8");

/** Buys a label through that process, where it takes no longer than seconds to reach a carrier again. */
async function untilBought(account: TestAccount): Promise<string> {
  const { id } = await account.create(aShipment());
  await vi.waitFor(async () => expect(outcomeOf(await account.buy(id))).toMatch(/^201/), {
    timeout: 15_000,
    interval: 250,
  });
  return (await account.show(id)).tracking_code!;
}

test.each(["SIGKILL", "SIGTERM"] as const)(
  "a process buys labels within seconds after the one that ran the simulated carriers ends (%s), and each is sold once",
  async (signal) => {
    const codes: string[] = [];
    for (const account of accounts) codes.push(await untilBought(account));
    // One of the two runs the carriers: each of them ends once, and is started again.
    for (const [ended, left] of [
      [0, 1],
      [1, 0],
      [0, 1],
    ] as const) {
      await world.processes[ended]!.kill(signal);
      codes.push(await untilBought(accounts[left]!));
      await world.processes[ended]!.start();
      codes.push(await untilBought(accounts[ended]!));
      expect(addressNow()).toBe(world.simulator_url);
    }
    const journal = await readJournal(world);
    const sold = journal.filter(({ operation }) => operation === "label");
    expect(sold.map(({ tracking_code }) => tracking_code)).toEqual(codes);
    await assertInvariants(world);
  },
  120_000,
);

test("the simulated carriers start on another port where another program has theirs", async () => {
  for (const each of world.processes) await each.kill();
  const { hostname, port } = new URL(world.simulator_url);
  const other = createServer();
  await once(other.listen(Number(port), hostname), "listening");
  onTestFinished(() => void other.close());
  await world.processes[0]!.start();
  expect(addressNow()).not.toBe(world.simulator_url);
  await untilBought(accounts[0]!);
});
