import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DataOf } from "../client.ts";
import { runCli } from "../shell.ts";
import { aPlatform, anAccount, must, type World } from "../world.ts";

/** `waybill import products` and `waybill denied-parties load`, as an operator types them. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

async function aFile(name: string, content: string): Promise<string> {
  const path = join(world.data_dir, name);
  await writeFile(path, content);
  return path;
}

const imported = (file: string, account_id: string) =>
  runCli(["import", "products", file, "--account", account_id, "--accept-data-loss"], {
    ...world,
    settings: { WAYBILL_LOG_LEVEL: "error" },
  });

const header =
  "Handle,Title,Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Price";

test("a store's export is imported, its bad rows are reported with their lines, and the exit status shows it", async () => {
  const { account_id, get } = await anAccount(world);
  const rows = ["mug,Mug,Clay Works,,,MUG,300,18", "cup,=1+1,Clay Works,,,CUP,300,18"];
  const file = await aFile("shop.csv", [header, ...rows].join("\r\n"));
  const { status, stdout, stderr } = await imported(file, account_id);
  expect([status, stdout.toString(), stderr]).toEqual([
    1,
    "1 added, 0 changed, 1 left out.\n",
    expect.stringMatching(/^line 3 \(CUP\): title looks like a formula.*\n$/) as unknown,
  ]);
  expect(must(await get<DataOf<object>>("/products/MUG"), 200).data).toMatchObject({
    title: "Mug",
    store: "shopify",
  });
});

test("a list of denied parties is loaded", async () => {
  const file = await aFile("list.csv", "name,source\nNight Harbour Ltd,SDN\n");
  const { status, stdout } = await runCli(["denied-parties", "load", file], world);
  expect([status, stdout.toString()]).toEqual([0, "1 names are on the list.\n"]);
  const account = await anAccount(world, { environment: "live" });
  const maker = { manufacturer: "night harbour", country_of_origin: "DE" };
  const verified = await account.post<DataOf<object>>("/products/verify-manufacturer", maker);
  expect(must(verified, 200).data).toMatchObject({ status: "failed" });
});
