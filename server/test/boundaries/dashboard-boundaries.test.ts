import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";

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

const planted = [
  ["dashboard-imports", "kit/a.ts", "../../../server/src/b.ts", "server/src/b.ts"],
  ["screens-apart", "screens/one/a.ts", "../two/b.ts", "dashboard/src/screens/two/b.ts"],
  ["kit-draws-only", "kit/c.ts", "../waybill.ts", "dashboard/src/waybill.ts"],
  ["no-barrels", "shell/a.ts", "../kit/index.ts", "dashboard/src/kit/index.ts"],
  ["parts-of-the-kit-by-name", "shell/b.ts", "react-aria-components", null],
  ["everything-resolves", "shell/c.ts", "./nowhere.ts", null],
] as const;

/** Each file breaks one rule, so that one look at all of them proves every rule. */
let violations: string[];
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-dashboard-rules-"));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  try {
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
    for (const [, from, imported, target] of planted) {
      if (target) write(target, "export const nothing = null;\n");
      write(`dashboard/src/${from}`, `import * as part from "${imported}";\nexport { part };\n`);
    }
    violations = cruise(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(planted)("%s detects a violation", (rule, from) => {
  expect(violations.filter((each) => each.endsWith(` dashboard/src/${from}`))).toEqual([
    `${rule} dashboard/src/${from}`,
  ]);
});
