import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { assertInvariants } from "../invariants.ts";
import { aFreight } from "../freight-shipments.ts";
import { aPowerDisk, type PowerDisk } from "../setup/power-disk.ts";
import { aShipment, boston, notebooks } from "../shipments.ts";
import { aPlatform, anAccount } from "../world.ts";

/**
 * The power of the machine with the files is cut at the moment of an answer: unsynced data is lost.
 * Everything that was answered is there, whole, without another purchase.
 */

const disks: PowerDisk[] = [];
const disk = aPowerDisk();
if (disk) disks.push(disk);
afterAll(() => disks.forEach((each) => each.close()));

describe.runIf(disk)("after a power cut (needs Linux's root, loop devices and mkfs.ext4)", () => {
  test("a file that was never synced is gone: the cut is one", () => {
    writeFileSync(join(disk!.path, "scratch"), "not synced");
    renameSync(join(disk!.path, "scratch"), join(disk!.path, "not-synced"));
    const found = cut();
    const path = join(found, "not-synced");
    expect(existsSync(path) ? readFileSync(path, "utf8") : "").toBe("");
  });

  test.each([
    ["a label", () => aShipment(), "ups.standard", 1],
    [
      "a label with its invoice",
      () => aShipment({ to_address: boston, items: [notebooks] }),
      "ups.standard",
      2,
    ],
    ["a booking's documents", () => aFreight(), "day_ross.domestic_standard", 2],
  ])("%s: every file of the answered purchase is there", async (_name, entry, service, count) => {
    const world = await aPlatform({ WAYBILL_DATA_DIR: disk!.path });
    try {
      const account = await anAccount(world, { balance_cents: 500_000 });
      const { id } = await account.create(entry());
      await account.rates(id);
      const sold = await account.bought(id, { service });
      // What Waybill draws itself is drawn at the first reading where a busy machine was too slow for the answer.
      for (const { url } of sold.documents) expect((await fetch(url)).status).toBe(200);
      const found = cut();
      expect(sold.documents).toHaveLength(count);
      for (const { url } of sold.documents) {
        const key = decodeURIComponent(new URL(url).pathname);
        const before = readFileSync(join(disk!.path, key));
        expect(readFileSync(join(found, key)).equals(before)).toBe(true);
      }
      expect(scratchesIn(found)).toEqual([]);
      await assertInvariants(world);
    } finally {
      await world.close();
    }
  });
});

function cut(): string {
  const after = disk!.cutPower();
  disks.push(after);
  return after.path;
}

/** Files begun and not yet renamed. */
function scratchesIn(folder: string): string[] {
  const names = readdirSync(join(folder, "files"), { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.[0-9a-f-]{36}$/.test(name));
}
