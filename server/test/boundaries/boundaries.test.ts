import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

/** Who may import whom, and the proof that each rule would notice. */

interface Cruise {
  summary: { totalCruised: number; violations: { rule: { name: string }; from: string }[] };
}

const scratch = mkdtempSync(join(tmpdir(), "waybill-boundaries-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function cruise(folder: string): Cruise {
  const program = resolve("node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const args = [
    program,
    "--config",
    ".dependency-cruiser.mjs",
    "--output-type",
    "json",
    "server/src",
  ];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, maxBuffer: 1 << 28 });
  if (stdout.length === 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString()) as Cruise;
}

test("the code keeps to the rules, and all of it was looked at", () => {
  const { summary } = cruise(".");
  expect(summary.violations).toEqual([]);
  expect(summary.totalCruised).toBeGreaterThan(150);
});

/** For each rule a file that breaks it, in a tree where the files that it imports are there too. */
const planted: Record<string, { at: string; code: string }> = {
  "domain-imports": { at: "domain/planted.ts", code: `import "../ledger/ledger.ts";` },
  "database-imports": { at: "database/planted.ts", code: `import "../ledger/ledger.ts";` },
  "carriers-imports": { at: "carriers/planted.ts", code: `import "../ledger/ledger.ts";` },
  "providers-imports": { at: "providers/planted.ts", code: `import "../database/connect.ts";` },
  "transport-imports": { at: "transport/planted.ts", code: `import "../domain/money.ts";` },
  "jobs-imports": { at: "jobs/planted.ts", code: `import "../outbound/outbound.ts";` },
  "http-imports": { at: "http/planted.ts", code: `import "../resources/rates/service.ts";` },
  "ledger-imports": { at: "ledger/planted.ts", code: `import "../outbound/outbound.ts";` },
  "events-imports": { at: "events/planted.ts", code: `import "../outbound/outbound.ts";` },
  "outbound-imports": {
    at: "outbound/planted.ts",
    code: `import "../resources/rates/service.ts";`,
  },
  "quoting-imports": { at: "quoting/planted.ts", code: `import "../carriers/register.ts";` },
  "carriers-apart": { at: "carriers/ups/planted.ts", code: `import "../fedex/fedex.ts";` },
  "resources-by-service": {
    at: "resources/rates/planted.ts",
    code: `import "../shipments/store.ts";`,
  },
  "nobody-imports-the-wiring": {
    at: "resources/rates/planted.ts",
    code: `import "../../main.ts";`,
  },
  "sql-in-stores": {
    at: "resources/rates/planted.ts",
    code: `import { sql } from "kysely";\nexport { sql };`,
  },
  "fastify-at-the-edge": {
    at: "resources/rates/planted.ts",
    code: `import { fastify } from "fastify";\nexport { fastify };`,
  },
  "commander-in-cli": {
    at: "resources/rates/planted.ts",
    code: `import { Command } from "commander";\nexport { Command };`,
  },
  "no-cycles": { at: "ledger/planted.ts", code: `import "./planted-too.ts";` },
};

describe("a planted violation is noticed:", () => {
  const tree = join(scratch, "tree");
  for (const path of [
    "server/src",
    "package.json",
    "server/package.json",
    "tsconfig.json",
    ".dependency-cruiser.mjs",
  ]) {
    cpSync(path, join(tree, path), { recursive: true });
  }
  symlinkSync(resolve("node_modules"), join(tree, "node_modules"));
  // Each rule's violation stands in its own file, so one look at the tree serves them all.
  const files = new Map<string, string>();
  for (const [rule, { at, code }] of Object.entries(planted)) {
    const path = join("server/src", at.replace("planted", `planted-${rule}`));
    files.set(rule, path);
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(
      join(tree, path),
      `${code.replace("./planted-too.ts", "./planted-too.ts")}\nexport const planted = 1;\n`,
    );
  }
  writeFileSync(
    join(tree, "server/src/ledger/planted-too.ts"),
    `import "./planted-no-cycles.ts";\nexport const too = 1;\n`,
  );
  const { summary } = cruise(tree);

  test.each(Object.keys(planted))("%s", (rule) => {
    const broken = summary.violations.filter(({ from }) => from === files.get(rule));
    expect(broken.map((violation) => violation.rule.name)).toContain(rule);
  });
});

test("no rule is without its planted violation", async () => {
  const { default: config } = (await import(
    pathToFileURL(resolve(".dependency-cruiser.mjs")).href
  )) as {
    default: { forbidden: { name: string }[] };
  };
  expect(Object.keys(planted).sort()).toEqual(config.forbidden.map(({ name }) => name).sort());
});
