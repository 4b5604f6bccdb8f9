import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { plantedBugs, type PlantedBug } from "../server/test/faults/planted-bugs.ts";

/**
 * `npm run plant-bugs`: plants each bug of `planted-bugs.ts` in a copy of this folder and runs the tests
 * that have to notice. The same tests run once without any bug: only what was green there, and has the
 * name that the bug asks for, counts as having noticed. Prints a table for docs/reliability.md; fails when
 * a bug went unnoticed. Words choose the bugs that have them in their names: `npm run plant-bugs -- fence`.
 */

interface Report {
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

interface Results {
  green: Set<string>;
  red: string[];
}

const words = process.argv.slice(2).join(" ");
const chosen = plantedBugs.filter(({ name }) => name.includes(words));
const controls = new Map<string, Results>();
let unnoticed = 0;
for (const bug of chosen) {
  const noticed = noticedBy(bug);
  if (noticed.length === 0) unnoticed++;
  const [first = "**nothing**"] = noticed;
  const more = noticed.length > 1 ? `, and ${noticed.length - 1} more` : "";
  console.log(`| ${bug.name} | ${first}${more} |`);
}
console.log(`${chosen.length - unnoticed} of ${chosen.length} bugs were noticed.`);
process.exitCode = unnoticed > 0 ? 1 : 0;

/** The tests that turned red because of the bug and have the name that it asks for. */
function noticedBy(bug: PlantedBug): string[] {
  const { green } = controlOf(bug);
  if (![...green].some((name) => name.includes(bug.red)))
    throw new Error(`${bug.name}: without it no test with "${bug.red}" in its name is green`);
  const { red } = resultsWith(bug, (text) => {
    if (text.split(bug.find).length !== 2)
      throw new Error(`${bug.name}: its text is not there once`);
    return text.replace(bug.find, () => bug.replace);
  });
  return red.filter((name) => green.has(name) && name.includes(bug.red));
}

/** Bugs with the same tests have one control run. */
function controlOf(bug: PlantedBug): Results {
  const key = JSON.stringify([bug.tests, bug.environment]);
  const known = controls.get(key);
  if (known) return known;
  const results = resultsWith(bug, (text) => text);
  controls.set(key, results);
  return results;
}

/** Runs the bug's tests in a copy in which its file is edited. */
function resultsWith(bug: PlantedBug, edit: (text: string) => string): Results {
  const folder = mkdtempSync(join(tmpdir(), "waybill-planted-"));
  try {
    copyTo(folder);
    const file = join(folder, bug.file);
    writeFileSync(file, edit(readFileSync(file, "utf8")));
    return run(folder, bug);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The product and its tests; the packages are those of here. */
function copyTo(folder: string): void {
  for (const name of ["server", "package.json", "tsconfig.json", "vitest.config.ts"]) {
    const filter = (path: string) => basename(path) !== "node_modules";
    cpSync(name, join(folder, name), { recursive: true, filter });
  }
  for (const place of ["node_modules", "server/node_modules"])
    symlinkSync(resolve(place), join(folder, place));
}

function run(folder: string, { tests, environment }: PlantedBug): Results {
  const report = join(folder, "report.json");
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--reporter=json", `--outputFile=${report}`, ...tests];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    encoding: "utf8",
  });
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    const named = (status: string) =>
      all.filter((each) => each.status === status).map(({ fullName }) => fullName);
    return { green: new Set(named("passed")), red: named("failed") };
  } catch (cause) {
    // What does not even run has noticed nothing.
    throw new Error(`the tests did not run: ${stdout}${stderr}`, { cause });
  }
}
