import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The dashboard's allowed imports, and the proof that each rule detects a violation. */

const rules = ".dependency-cruiser-dashboard.mjs";

function cruise(folder: string): string[] {
  const program = resolve("node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const options = ["--config", rules, "--output-type", "json", "dashboard/src"];
  const { stdout } = spawnSync(process.execPath, [program, ...options], {
    cwd: folder,
    maxBuffer: 1 << 28,
  });
  const { summary } = JSON.parse(stdout.toString()) as {
    summary: { violations: { rule: { name: string }; from: string }[] };
  };
  return summary.violations.map(({ rule, from }) => `${rule.name} ${from}`);
}

test("the dashboard obeys its rules", () => {
  expect(cruise(".")).toEqual([]);
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waybill-dashboard-rules-"));
  for (const name of [
    rules,
    ".dependency-cruiser.mjs",
    "tsconfig.json",
    "dashboard/tsconfig.json",
  ]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(name, join(folder, name));
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const empty = "export const nothing = null;\n";

test.each([
  ["dashboard-imports", "kit/a.ts", "../../../server/src/b.ts", "server/src/b.ts"],
  ["screens-apart", "screens/one/a.ts", "../two/b.ts", "dashboard/src/screens/two/b.ts"],
  ["kit-draws-only", "kit/c.ts", "../waybill.ts", "dashboard/src/waybill.ts"],
  ["no-barrels", "shell/a.ts", "../kit/index.ts", "dashboard/src/kit/index.ts"],
  ["parts-of-the-kit-by-name", "shell/b.ts", "react-aria-components", null],
  ["everything-resolves", "shell/c.ts", "./nowhere.ts", null],
])("%s detects a violation", (rule, from, imported, target) => {
  const source = join(folder, "dashboard/src", from);
  if (target) {
    mkdirSync(dirname(join(folder, target)), { recursive: true });
    writeFileSync(join(folder, target), empty);
  }
  mkdirSync(dirname(source), { recursive: true });
  writeFileSync(source, `import * as part from "${imported}";\nexport { part };\n`);
  expect(cruise(folder)).toContain(`${rule} dashboard/src/${from}`);
  rmSync(source);
});
