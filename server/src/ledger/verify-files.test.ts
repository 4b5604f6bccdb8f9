import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { processed } from "../../test/batches.ts";
import { runCli } from "../../test/shell.ts";
import { aShipment, boston, notebooks } from "../../test/shipments.ts";
import { anAccount, aPlatform, type TestAccount, type World } from "../../test/world.ts";

/** `verify-ledger --files` names each file that differs from what was written, and its shipment. */

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
  "a label's file that is intact passes, one that was changed, truncated or lost is named",
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
      const folder = join(world.data_dir, "files", account.account_id, "labels");
      const names = await readdir(folder, { recursive: true });
      return join(
        folder,
        names.find((name) => name.includes(`/${id}-`))!,
      );
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

test("a changed byte of an invoice, a statement's pdf or csv, or a batch's combined label is named with its owner", async () => {
  const account = await anAccount(world);
  const owned = await filesOfEveryKind(account);
  expect(owned.map(([, key]) => key.split("/")[1])).toEqual([
    ...["invoices", "statements", "statements", "batches"],
  ]);
  const changed = async (key: string) => {
    const path = join(world.data_dir, "files", key);
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(path, bytes);
  };
  for (const [, key] of owned) await changed(key);
  const named = ([owner, key]: [string, string]) =>
    expect.stringMatching(
      `^file_is_what_was_written: ${account.account_id} ${owner}: expected ${key} of \\d+ bytes with \\w{64}, found damaged`,
    ) as string;
  const ours = async () => (await verified()).filter((line) => line.includes(account.account_id));
  expect(await ours()).toEqual(owned.map(named));
  for (const [, key] of owned) await changed(key);
  expect(await ours()).toEqual([]);
});

/** One file of each kind except a label's own file: its owner, and its key. */
async function filesOfEveryKind(account: TestAccount): Promise<[owner: string, key: string][]> {
  const abroad = await account.create(aShipment({ to_address: boston, items: [notebooks] }));
  await account.bought(abroad.id);
  const { id: batch } = await processed(account, [(await account.create(aShipment())).id]);
  const { account_id } = account;
  await sql`UPDATE statements SET ends_at = now(), due_at = now() WHERE account_id = ${account_id} AND status = 'open'`.execute(
    world.db,
  );
  return vi.waitFor(
    async () => {
      const { rows } = await sql<{ owner: string; key: string | null }>`
        SELECT id AS owner, document ->> 'file_key' AS key, 1 AS place FROM shipments, jsonb_array_elements(documents) AS document
        WHERE id = ${abroad.id} AND document ->> 'type' = 'commercial_invoice'
        UNION ALL SELECT id, pdf_key, 2 FROM statements WHERE account_id = ${account_id} AND status = 'ready'
        UNION ALL SELECT id, csv_key, 3 FROM statements WHERE account_id = ${account_id} AND status = 'ready'
        UNION ALL SELECT id, combined_file_key, 4 FROM batches WHERE id = ${batch} AND combined_file_key IS NOT NULL
        ORDER BY place`.execute(world.db);
      expect(rows).toHaveLength(4);
      return rows.map(({ owner, key }) => [owner, key!]);
    },
    { timeout: 20_000, interval: 50 },
  );
}
