import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** The allowed imports, and the proof that each rule detects a violation. */

interface Cruise {
  totalCruised: number;
  violations: { rule: { name: string }; from: string }[];
  ruleSetUsed: { forbidden: { name: string }[] };
}

const ruleFiles = [".dependency-cruiser.mjs", ".dependency-cruiser-folders.mjs"];

/** The findings of both sets of rules: those of files, and those of folders. */
async function cruise(folder: string): Promise<Cruise> {
  const [files, folders] = await Promise.all(ruleFiles.map((rules) => cruiseBy(rules, folder)));
  return {
    totalCruised: files!.totalCruised,
    violations: [...files!.violations, ...folders!.violations],
    ruleSetUsed: {
      forbidden: [...files!.ruleSetUsed.forbidden, ...folders!.ruleSetUsed.forbidden],
    },
  };
}

async function cruiseBy(rules: string, folder: string): Promise<Cruise> {
  const program = resolve("node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const options = ["--config", rules, "--output-type", "json"];
  const args = [program, ...options, "server/src", "sdk/src"];
  // With violations it ends with their number, and its findings are the same.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    cwd: folder,
    maxBuffer: 1 << 28,
  }).catch((error: unknown) => error as { stdout: string; stderr: string });
  if (stdout.length === 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { summary: Cruise }).summary;
}

describe("the code", () => {
  let real: Cruise;
  beforeAll(async () => {
    real = await cruise(".");
  });

  test("obeys the rules, and all of it was checked", () => {
    expect(real.violations).toEqual([]);
    expect(real.totalCruised).toBeGreaterThan(250);
  });

  test("has no folder without a rule of its own", () => {
    const folders = readdirSync("server/src", { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    // Resources may import anything but each other's inside and the wiring; the seed is wiring.
    const free = ["resources", "seed", "wiring", "cli"];
    const ruled = ruleNames(real).map((name) => name.replace("-imports", ""));
    expect(folders.filter((each) => ![...free, ...ruled].includes(each))).toEqual([]);
  });

  test("has no rule without its planted violation", () => {
    const names = new Set([...planted, againstTheDirection].map(({ rule }) => rule));
    expect([...names].sort()).toEqual(ruleNames(real).sort());
  });
});

function ruleNames({ ruleSetUsed }: Cruise): string[] {
  return ruleSetUsed.forbidden.map(({ name }) => name);
}

/** Breaks the rule of folders by itself: among the other files it would be one cycle of many. */
const againstTheDirection = {
  rule: "folders-in-one-direction",
  in: "shipping/orders",
  code: `import "../shipments/store.ts";`,
};

/** Files that break a rule, each in a tree that has the files that it imports; below `server/src`, or from the root. */
const planted: { rule: string; in: string; code: string }[] = [
  { rule: "domain-imports", in: "domain", code: `import "../ledger/ledger.ts";` },
  { rule: "domain-imports", in: "domain", code: typeOf("../database/tables.ts", "Database") },
  { rule: "domain-without-io", in: "domain", code: `import "node:fs/promises";` },
  { rule: "domain-without-io", in: "domain", code: `import "node:net";` },
  { rule: "database-imports", in: "database", code: `import "../ledger/ledger.ts";` },
  { rule: "carriers-imports", in: "carriers", code: `import "../ledger/ledger.ts";` },
  { rule: "carriers-imports", in: "carriers/ups", code: typeOf("../../context.ts", "Context") },
  { rule: "only-the-simulator-draws", in: "carriers/ups", code: `import "../../drawing/text.ts";` },
  { rule: "drawing-imports", in: "drawing", code: `import "../domain/values/money.ts";` },
  { rule: "documents-imports", in: "documents", code: typeOf("../context.ts", "Context") },
  { rule: "threads-imports", in: "threads", code: typeOf("../context.ts", "Context") },
  {
    rule: "documents-imports",
    in: "documents",
    code: `import "../resources/shipments/service.ts";`,
  },
  { rule: "providers-imports", in: "providers", code: `import "../database/connect.ts";` },
  { rule: "transport-imports", in: "transport", code: `import "../carriers/carrier.ts";` },
  { rule: "jobs-imports", in: "jobs", code: `import "../outbound/outbound.ts";` },
  { rule: "http-imports", in: "http", code: `import "../resources/ltl/service.ts";` },
  { rule: "request-log-imports", in: "request-log", code: `import "../http/paging.ts";` },
  { rule: "ledger-imports", in: "ledger", code: `import "../outbound/outbound.ts";` },
  { rule: "events-imports", in: "events", code: `import "../outbound/outbound.ts";` },
  { rule: "outbound-imports", in: "outbound", code: `import "../resources/ltl/service.ts";` },
  { rule: "shipping-imports", in: "shipping", code: `import "../automation/rule-adapters.ts";` },
  {
    rule: "automation-imports",
    in: "automation",
    code: `import "../purchasing/quotes/quotes.ts";`,
  },
  { rule: "purchasing-imports", in: "purchasing", code: `import "../resources/ltl/service.ts";` },
  { rule: "backup-imports", in: "backup", code: `import "../outbound/outbound.ts";` },
  { rule: "backup-imports", in: "backup", code: `import "../providers/files/disk.ts";` },
  { rule: "journal-imports", in: "journal", code: `import "../outbound/outbound.ts";` },
  { rule: "reconcile-imports", in: "reconcile", code: `import "../carriers/register.ts";` },
  {
    rule: "reconcile-imports",
    in: "reconcile",
    code: `import "../resources/labels/show-label.ts";`,
  },
  { rule: "quoting-imports", in: "quoting", code: `import "../carriers/register.ts";` },
  { rule: "quoting-imports", in: "quoting", code: `import "../carriers/ups/ups.ts";` },
  { rule: "carriers-apart", in: "carriers/ups", code: `import "../fedex/fedex.ts";` },
  {
    rule: "resources-by-service",
    in: "resources/rates",
    code: `import "../shipments/list-store.ts";`,
  },
  {
    rule: "nobody-imports-the-wiring",
    in: "resources/rates",
    code: `import "../../wiring/main.ts";`,
  },
  {
    rule: "nobody-imports-the-wiring",
    in: "resources/rates",
    code: `import "../../seed/seed.ts";`,
  },
  { rule: "nobody-imports-the-wiring", in: "http", code: typeOf("../wiring/main.ts", "Waybill") },
  { rule: "sql-in-stores", in: "resources/rates", code: valueOf("kysely", "sql") },
  { rule: "sql-in-stores", in: "seed", code: valueOf("pg", "Client") },
  { rule: "fastify-at-the-edge", in: "resources/rates", code: valueOf("fastify", "fastify") },
  { rule: "fastify-at-the-edge", in: "outbound", code: `import "@fastify/cors";` },
  { rule: "commander-in-cli", in: "seed", code: valueOf("commander", "Command") },
  { rule: "product-without-tests", in: "resources/rates", code: `import "fast-check";` },
  { rule: "product-without-tests", in: "carriers", code: `import "./contract-world.ts";` },
  { rule: "sdk-imports-nothing", in: "/sdk/src", code: `import "node:fs";` },
  { rule: "sdk-imports-nothing", in: "/sdk/src", code: valueOf("kysely", "sql") },
  {
    rule: "sdk-imports-nothing",
    in: "/sdk/src",
    code: typeOf("../../server/src/domain/errors/errors.ts", "ErrorCode"),
  },
  { rule: "everything-resolves", in: "seed", code: `import "./not-there.ts";` },
  { rule: "no-cycles", in: "ledger", code: `import "./planted-beside.ts";` },
];

function typeOf(path: string, name: string): string {
  return `import type { ${name} } from "${path}";\nexport type Planted = ${name};`;
}

function valueOf(path: string, name: string): string {
  return `import { ${name} } from "${path}";\nexport { ${name} };`;
}

describe("a planted violation is detected:", () => {
  const tree = mkdtempSync(join(tmpdir(), "waybill-boundaries-"));
  const cases = planted.map((plant, index) => ({
    ...plant,
    path: `${plant.in.startsWith("/") ? plant.in.slice(1) : `server/src/${plant.in}`}/planted-${index}.ts`,
  }));
  let violations: Cruise["violations"];
  let circles: Cruise["violations"];

  beforeAll(async () => {
    const needed = [
      "server/src",
      "sdk/src",
      "sdk/generated",
      "server/package.json",
      "package.json",
      "tsconfig.json",
    ];
    for (const path of [...needed, ...ruleFiles]) {
      cpSync(path, join(tree, path), { recursive: true });
    }
    symlinkSync(resolve("node_modules"), join(tree, "node_modules"));
    const against = `server/src/${againstTheDirection.in}/planted.ts`;
    write(against, againstTheDirection.code);
    circles = (await cruiseBy(ruleFiles[1]!, tree)).violations;
    rmSync(join(tree, against));
    for (const { path, code } of cases) write(path, code);
    const cyclic = cases.find(({ rule }) => rule === "no-cycles")!.path;
    write("server/src/ledger/planted-beside.ts", `import "./${cyclic.split("/").at(-1)}";`);
    violations = (await cruiseBy(ruleFiles[0]!, tree)).violations;
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  function write(path: string, code: string): void {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), `${code}\nexport const planted = 1;\n`);
  }

  test.each(cases)("$rule ($in)", ({ rule, path }) => {
    const broken = violations.filter(({ from }) => from === path);
    expect(broken.map((violation) => violation.rule.name)).toContain(rule);
  });

  test("folders-in-one-direction (shipping/orders)", () => {
    const [one, other] = ["server/src/shipping/orders", "server/src/shipping/shipments"];
    expect(new Set(circles.map(({ from }) => from))).toEqual(new Set([one, other]));
  });
});
