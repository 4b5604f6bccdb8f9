import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "tsup";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aPlatform, anAccount, type World } from "../../../server/test/world.ts";
import { aSmokeTest, inBrowser } from "./smoke.ts";

/**
 * The package as it is published: built, packed, installed in an empty folder and used in each runtime. Runtimes are looked for
 * in `WAYBILL_RUNTIMES` (a folder) and PATH, as `node18`, `node20`, `bun`, `deno` and `chromium`.
 */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "waybill-sdk-"));
const dist = resolve("sdk/dist");
let world: World;

beforeAll(async () => {
  await run(process.execPath, [resolve("sdk/build.ts")]);
  const { stdout } = await run("npm", ["pack", dist, "--pack-destination", folder, "--json"]);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], {
    cwd: folder,
  });
  world = await aPlatform();
}, 240_000);
afterAll(async () => {
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("publint and attw find nothing, and there are no dependencies", async () => {
  const bin = (name: string) => resolve("node_modules/.bin", name);
  const lint = await run(process.execPath, [bin("publint"), "run", dist, "--strict"]);
  expect(lint.stdout).toContain("All good!");
  await run(process.execPath, [bin("attw"), "--pack", dist]);
  const published = JSON.parse(readFileSync(join(dist, "package.json"), "utf8")) as object;
  expect(published).not.toHaveProperty("dependencies");
  expect(published).not.toHaveProperty("private");
});

test("the whole client, bundled and minified, has at most 10 kB", async () => {
  const outDir = join(folder, "minified");
  const entry = { index: join(dist, "index.js") };
  await build({ entry, outDir, format: ["esm"], minify: true, silent: true, config: false });
  const size = gzipSync(readFileSync(join(outDir, "index.js")), { level: 9 }).length;
  console.log(`The client has ${size} bytes (gzip).`);
  expect(size).toBeLessThanOrEqual(10_000);
});

test("its types are for those who compile with them, also as CommonJS", async () => {
  const use = (name: string, code: string) => writeFileSync(join(folder, name), code);
  const body = `const waybill = createWaybill({ token: "wb_test_a" });
export async function totals(): Promise<number[]> {
  // @ts-expect-error A status that no shipment has.
  waybill.shipments.list({ status: ["lost"] });
  return (await waybill.rates.forShipment("shp_1")).data.map(({ total }) => total);
}`;
  use("use.mts", `import { createWaybill } from "@waybill/sdk";\n${body}`);
  use("use.cts", `import { createWaybill } from "@waybill/sdk";\n${body}`);
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  const lib = ["--lib", "es2022,dom,dom.iterable,dom.asynciterable"];
  const tsc = resolve("node_modules/typescript/bin/tsc");
  const files = ["use.mts", "use.cts"];
  // The compiler prints what is wrong to its standard output.
  const { stdout } = await run(process.execPath, [tsc, ...options, ...lib, ...files], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
});

const runtimes = [
  { name: "node18", args: [], cjs: true },
  { name: "node20", args: [], cjs: true },
  { name: "node", path: process.execPath, args: [], cjs: true },
  { name: "bun", args: [], cjs: true },
  { name: "deno", args: ["run", "--allow-net"], cjs: false },
];

describe.each(runtimes)("in $name", ({ name, args, cjs, path }) => {
  const program = path ?? found(name);
  const title = program ? "" : ` (skipped: ${name} is not installed)`;

  test.skipIf(!program)(`a label is bought and a webhook verified${title}`, async () => {
    const { token } = await anAccount(world);
    for (const extension of cjs ? ["mjs", "cjs"] : ["mjs"]) {
      const script = join(folder, `smoke-${name}.${extension}`);
      const source = aSmokeTest({ url: world.url, token });
      const load =
        extension === "mjs"
          ? 'import { createWaybill } from "@waybill/sdk";'
          : 'const { createWaybill } = require("@waybill/sdk");';
      writeFileSync(script, `${load}\n${source}\nsmoke(createWaybill).then(console.log);\n`);
      const { stdout } = await run(program!, [...args, script], { cwd: folder, timeout: 60_000 });
      expect(stdout.trim().split("\n").at(-1)).toBe("bought, replayed, verified");
    }
  });
});

const chromium = found("chromium");
test.skipIf(!chromium)(
  `in Chromium a label is bought from a page${chromium ? "" : " (skipped: it is not installed)"}`,
  async () => {
    const { token } = await anAccount(world);
    const profile = join(folder, "profile");
    mkdirSync(profile);
    const script = readFileSync(join(dist, "index.js"), "utf8");
    const result = await inBrowser({ chromium: chromium!, profile, script, url: world.url, token });
    expect(result).toBe("bought, replayed, verified");
  },
);

function found(name: string): string | undefined {
  const folders = [
    process.env["WAYBILL_RUNTIMES"],
    ...(process.env["PATH"] ?? "").split(delimiter),
  ].filter((each) => each !== undefined);
  return folders
    .map((each) => join(each, name))
    .find((each) => spawnSync(each, ["--version"]).status === 0);
}
