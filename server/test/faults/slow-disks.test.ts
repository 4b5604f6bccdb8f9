import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Files } from "../../src/providers/files/files.ts";
import { outcomeOf } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, type World } from "../world.ts";
import { untilStatus } from "./moments.ts";

/** A label's file is written while its purchase is settled: no purchase is committed without its file. */

let world: World;
let disk: { stored: Promise<void>; keys: string[] };
beforeAll(async () => {
  world = await aPlatform({}, { files: onSlowDisk });
});
beforeEach(() => {
  disk = { stored: Promise.resolve(), keys: [] };
});
afterAll(() => world.close());

/** A file is on this disk once `disk.stored` resolves, too. */
function onSlowDisk(own: Files): Files {
  return {
    ...own,
    async startWrite(key, content) {
      const { stored, ...digest } = await own.startWrite(key, content);
      disk.keys.push(key);
      return { ...digest, stored: Promise.all([stored, disk.stored]).then(() => undefined) };
    },
  };
}

async function aDraft() {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  await account.rates(id);
  return { account, id };
}

/** The file is being written, and the settlement's transaction is open and waits: not just between two statements. */
async function untilTransactionIsIdle(): Promise<"idle"> {
  await vi.waitFor(
    async () => {
      expect(disk.keys).not.toEqual([]);
      const { rows } = await sql`SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'
          AND state_change < clock_timestamp() - interval '300 ms'`.execute(world.db);
      expect(rows.length).toBeGreaterThan(0);
    },
    { timeout: 10_000, interval: 5 },
  );
  return "idle";
}

test.each([
  ["with a key", { "idempotency-key": "slow" }],
  ["without a key", {}],
])(
  "a purchase %s is committed only once its label's file is on the disk",
  async (_name, headers) => {
    const { account, id } = await aDraft();
    const { promise, resolve } = Promise.withResolvers<void>();
    onTestFinished(() => resolve());
    disk.stored = promise;
    const purchase = account.buy(id, { service: "ups.standard" }, headers);
    expect(await Promise.race([untilTransactionIsIdle(), purchase])).toBe("idle");
    const { held } = await account.balance();
    expect([(await account.show(id)).status, held > 0]).toEqual(["purchasing", true]);
    resolve();
    expect(outcomeOf(await purchase)).toBe("201");
    await assertInvariants(world);
  },
);

test("a disk that fails leaves the purchase to recovery: one label, one debit, and its file", async () => {
  const { account, id } = await aDraft();
  disk.stored = Promise.reject(new Error("no space left on the device"));
  disk.stored.catch(() => undefined);
  expect(outcomeOf(await account.buy(id, { service: "ups.standard" }))).toBe(
    "409 purchase_pending",
  );
  disk.stored = Promise.resolve();
  await untilStatus(world.db, id, "purchased");
  expect(new Set(disk.keys).size).toBe(1);
  await assertInvariants(world);
});
