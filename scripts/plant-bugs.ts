import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { PlantedBug } from "../server/test/faults/planted-bugs/planted-bug.ts";
import { plantedBugs } from "../server/test/faults/planted-bugs/planted-bugs.ts";

/**
 * `npm run plant-bugs`: plants each bug of `server/test/faults/planted-bugs/` in a copy of this folder, made once, and runs
 * the tests that have to detect it. Of each of their files these tests run once without any bug, too: only a
 * test that was green then, and has the name that the bug requires, counts as detection. Prints a table for
 * docs/reliability.md; fails when a bug went undetected. Arguments choose the bugs with these words in their
 * names: `npm run plant-bugs -- fence`. All take more than an hour; `--part=1/3` chooses a third of them.
 */

interface Report {
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

interface Results {
  green: string[];
  red: string[];
}

const { values, positionals } = parseArgs({
  options: { part: { type: "string", default: "1/1" } },
  allowPositionals: true,
});
const words = positionals.join(" ");
const chosen = partOf(
  plantedBugs.filter(({ name }) => name.includes(words)),
  values.part,
);
const controls = new Map<string, Results>();
const folder = mkdtempSync(join(tmpdir(), "waybill-planted-"));
let unnoticed = 0;
try {
  copyTo(folder);
  for (const bug of chosen) {
    const { noticed, trouble = "**nothing**" } = judged(bug);
    if (noticed.length === 0) unnoticed++;
    const [first = trouble] = noticed;
    const more = noticed.length > 1 ? `, and ${noticed.length - 1} more` : "";
    console.log(`| ${bug.name} | ${first}${more} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${chosen.length - unnoticed} of ${chosen.length} bugs were noticed.`);
process.exitCode = unnoticed > 0 ? 1 : 0;

/** Of `2/3` the second third. Neighbours share a part: they are detected by the same files, which then run once without them. */
function partOf(bugs: readonly PlantedBug[], part: string): readonly PlantedBug[] {
  const [, place, count] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(part) ?? [];
  if (!place || !count || Number(place) > Number(count))
    throw new Error(`${part} is no part, such as 2/3`);
  const size = Math.ceil(bugs.length / Number(count));
  return bugs.slice((Number(place) - 1) * size, Number(place) * size);
}

/** A bug whose tests cannot run counts as undetected, and does not end a run of hours. */
function judged(bug: PlantedBug): { noticed: string[]; trouble?: string } {
  try {
    return { noticed: noticedBy(bug) };
  } catch (error) {
    return { noticed: [], trouble: `**not judged**: ${String(error)}` };
  }
}

/** The tests that turned red because of the bug and have the name that it requires. */
function noticedBy(bug: PlantedBug): string[] {
  const green = bug.tests.flatMap((test) => controlOf(test, bug.environment).green);
  const mustTurnRed = new Set(green.filter((name) => name.includes(bug.red)));
  if (mustTurnRed.size === 0)
    throw new Error(`without it no test with "${bug.red}" in its name is green`);
  const red = planted(bug, () => bug.tests.flatMap((test) => resultsOf(test, bug.environment).red));
  return red.filter((name) => mustTurnRed.has(name));
}

/** The results of a file of tests without any bug. It runs once, however many bugs it has to detect. */
function controlOf(test: string, environment: PlantedBug["environment"]): Results {
  const key = JSON.stringify([test, environment]);
  const known = controls.get(key);
  if (known) return known;
  const results = resultsOf(test, environment);
  controls.set(key, results);
  return results;
}

/** Runs something while the bug's file is edited. */
function planted<T>(bug: PlantedBug, work: () => T): T {
  const file = join(folder, bug.file);
  const text = readFileSync(file, "utf8");
  if (text.split(bug.find).length !== 2) throw new Error("its text is not there once");
  try {
    writeFileSync(
      file,
      text.replace(bug.find, () => bug.replace),
    );
    return work();
  } finally {
    writeFileSync(file, text);
  }
}

/**
 * The product, its tests and the document that they compare responses with; the packages are those of
 * this checkout.
 */
function copyTo(place: string): void {
  for (const name of [
    "server",
    "dashboard",
    "sdk",
    "docs",
    "scripts",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "vitest.config.ts",
  ]) {
    const filter = (path: string) => basename(path) !== "node_modules";
    cpSync(name, join(place, name), { recursive: true, filter });
  }
  for (const packages of ["node_modules", "server/node_modules"])
    symlinkSync(resolve(packages), join(place, packages));
}

/**
 * Runs what a file of tests has for any of the chosen bugs, and no other test of it: always the same ones,
 * with a bug and without, so that a test that depends on another one is not red without it.
 */
function resultsOf(test: string, environment: PlantedBug["environment"]): Results {
  const names = chosen.filter(({ tests }) => tests.includes(test)).map(({ red }) => red);
  // Between the names of a group and of its test there may be more than a space.
  const patternOf = (name: string) =>
    name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(" ", "[ >]+");
  const pattern = [...new Set(names)].map(patternOf).join("|");
  const report = join(folder, "report.json");
  // An earlier run's report must not be taken for this one's.
  rmSync(report, { force: true });
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const args = ["--reporter=json", `--outputFile=${report}`, "-t", pattern, test];
  const { stdout, stderr } = spawnSync(process.execPath, [vitest, "run", ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    encoding: "utf8",
  });
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    const named = (status: string) =>
      all.filter((each) => each.status === status).map(({ fullName }) => fullName);
    return { green: named("passed"), red: named("failed") };
  } catch (cause) {
    // Tests that do not even run have detected nothing.
    throw new Error(`the tests did not run: ${stdout}${stderr}`, { cause });
  }
}
