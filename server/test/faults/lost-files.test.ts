import { createHash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readJournal } from "../invariants.ts";
import { aFreight } from "../freight-shipments.ts";
import { aShipment } from "../shipments.ts";
import type { DataOf, Purchase } from "../client.ts";
import { aPlatform, anAccount, must, setDials, type TestAccount, type World } from "../world.ts";

/**
 * A file that was lost, truncated, overwritten or replaced on the disk: no changed file is served, and a
 * label's file is fetched again from its carrier.
 */

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world, { balance_cents: 500_000 });
});
afterAll(() => world.close());

async function aLabel() {
  const { id } = await account.create(aShipment());
  const { label_url } = await account.bought(id, { service: "ups.standard" });
  return { id, label_url: label_url!, path: pathOf(label_url!), bytes: await fetched(label_url!) };
}

function pathOf(url: string): string {
  return join(world.data_dir, decodeURIComponent(new URL(url).pathname));
}

async function fetched(url: string): Promise<Buffer> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function show(id: string): Promise<Purchase> {
  return must(await account.get<DataOf<Purchase>>(`/labels/${id}`), 200).data;
}

const damages: [string, (path: string) => void][] = [
  ["is gone", (path) => rmSync(path)],
  ["was emptied", (path) => writeFileSync(path, "")],
  ["was cut short", (path) => writeFileSync(path, readFileSync(path).subarray(0, 100))],
  [
    "was overwritten by as many other bytes",
    (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
  ],
  [
    "became a symbolic link to another file",
    (path) => {
      rmSync(path);
      symlinkSync("/etc/hostname", path);
    },
  ],
  [
    "became a folder",
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
];

describe.each(damages)("a label file that %s", (_name, damage) => {
  test("is served by its link from its carrier, without a new purchase", async () => {
    const { label_url, path, bytes } = await aLabel();
    damage(path);
    const before = await readJournal(world);
    expect(await fetched(label_url)).toEqual(bytes);
    expect(readFileSync(path)).toEqual(bytes);
    expect(await readJournal(world)).toEqual(before);
  });

  test("is back once the label is shown", async () => {
    const { id, path, bytes } = await aLabel();
    damage(path);
    const { label_url } = await show(id);
    expect(readFileSync(path)).toEqual(bytes);
    expect(await fetched(label_url!)).toEqual(bytes);
  });

  test("is 404 while its carrier is unavailable, and restored afterwards", async () => {
    const { id, label_url, path, bytes } = await aLabel();
    damage(path);
    await setDials(world, { ups: { error_rate: 1, operations: ["look_ups"] } });
    expect((await fetch(label_url)).status).toBe(404);
    expect((await show(id)).label_url).not.toBeNull();
    await setDials(world, {});
    expect(await fetched(label_url)).toEqual(bytes);
  });
});

test("a document of Waybill's own that was overwritten is drawn again", async () => {
  const { id } = await account.create(aFreight());
  await account.rates(id);
  const sold = await account.bought(id, { service: "day_ross.domestic_standard" });
  const url = sold.documents.find(({ type }) => type === "bol")!.url;
  writeFileSync(pathOf(url), "another paper");
  expect((await fetched(url)).subarray(0, 5).toString()).toBe("%PDF-");
  expect(await listed(id, "bol")).toEqual(measured(pathOf(url)));
});

test("a listed file has its size and SHA-256", async () => {
  const { id, path } = await aLabel();
  expect(await listed(id, "label")).toEqual(measured(path));
});

test("the label of a shipment that was voided is not fetched again", async () => {
  const { id, label_url, path } = await aLabel();
  must(await account.post(`/shipments/${id}/void`), 200);
  rmSync(path);
  await expect.poll(async () => (await account.show(id)).status).toBe("voided");
  expect((await fetch(label_url)).status).toBe(404);
});

test("files and their folders are for their owner alone", async () => {
  await aLabel();
  const folder = join(world.data_dir, "files");
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  // Folders that a test put in a file's place have been moved aside unchanged.
  const ours = entries.filter(({ name }) => !name.endsWith(".aside"));
  const modes = ours.map(
    (entry) =>
      `${entry.isDirectory() ? "folder" : "file"} ${modeOf(join(entry.parentPath, entry.name))}`,
  );
  expect([...new Set([`folder ${modeOf(folder)}`, ...modes])].sort()).toEqual([
    "file 600",
    "folder 700",
  ]);
});

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function measured(path: string) {
  const content = readFileSync(path);
  return { bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}

async function listed(id: string, type: string) {
  const { documents } = await world.db
    .selectFrom("shipments")
    .select("documents")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const { bytes, sha256 } = documents.find((each) => each.type === type)!;
  return { bytes, sha256 };
}
