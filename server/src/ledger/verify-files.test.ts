import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../../test/shell.ts";
import { aShipment } from "../../test/shipments.ts";
import { anAccount, aPlatform, type World } from "../../test/world.ts";

/** `verify-ledger --files` names each file that is not what was written, and its shipment. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

async function verified(): Promise<string[]> {
  const { stdout } = await runCli(["verify-ledger", "--files"], world);
  return stdout.toString().trim().split("\n");
}

test(
  "a label's file that is whole is fine, one that was changed, cut or lost is named",
  { timeout: 180_000 },
  async () => {
    const account = await anAccount(world);
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { id } = await account.create(aShipment());
      await account.bought(id);
      ids.push(id);
    }
    expect(await verified()).toEqual([expect.stringContaining("The books hold")]);
    const fileOf = async (id: string) => {
      const folder = join(world.data_dir, "files", account.account_id, "labels", id);
      return join(folder, (await readdir(folder))[0]!);
    };
    const changed = await readFile(await fileOf(ids[0]!));
    changed[changed.length >> 1]! ^= 1;
    await writeFile(await fileOf(ids[0]!), changed);
    await writeFile(await fileOf(ids[1]!), "");
    await rm(await fileOf(ids[2]!));
    const [first, second, third, end] = await verified();
    const named = (id: string, state: string) =>
      expect.stringMatching(
        `^file_is_what_was_written: ${account.account_id} ${id}: .*found ${state}`,
      ) as string;
    expect([first, second, third]).toEqual([
      ...[named(ids[0]!, "damaged"), named(ids[1]!, "damaged"), named(ids[2]!, "missing")],
    ]);
    expect(end).toContain("The books do not hold: 3 contradictions");
  },
);
