import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { plantedBugs, type PlantedBug } from "../server/test/faults/planted-bugs.ts";

/**
 * `npm run plant-bugs`: plants each bug of `planted-bugs.ts` in a copy of this folder and runs the tests
 * that have to notice. Prints a table for docs/reliability.md; fails when a bug went unnoticed. Words
 * choose the bugs that have them in their names: `npm run plant-bugs -- fence`.
 */

interface Verdict {
  name: string;
  red: string[];
}

const words = process.argv.slice(2).join(" ");
const chosen = plantedBugs.filter(({ name }) => name.includes(words));
const verdicts = chosen.map((bug) => {
  const verdict = { name: bug.name, red: redTests(bug) };
  console.log(line(verdict));
  return verdict;
});
const unnoticed = verdicts.filter(({ red }) => red.length === 0);
console.log(`${verdicts.length - unnoticed.length} of ${verdicts.length} bugs were noticed.`);
process.exitCode = unnoticed.length > 0 ? 1 : 0;

function line({ name, red }: Verdict): string {
  const [first = "nothing"] = red;
  const more = red.length > 1 ? `, and ${red.length - 1} more` : "";
  return `| ${name} | ${first}${more} |`;
}

/** The names of the tests that fail with the bug. */
function redTests(bug: PlantedBug): string[] {
  const folder = mkdtempSync(join(tmpdir(), "waybill-planted-"));
  try {
    copyTo(folder);
    const file = join(folder, bug.file);
    const text = readFileSync(file, "utf8");
    if (text.split(bug.find).length !== 2)
      throw new Error(`${bug.name}: its text is not there once`);
    writeFileSync(
      file,
      text.replace(bug.find, () => bug.replace),
    );
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

function run(folder: string, { tests, environment }: PlantedBug): string[] {
  const report = join(folder, "report.json");
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--reporter=json", `--outputFile=${report}`, ...tests];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    encoding: "utf8",
  });
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
      testResults: { assertionResults: { status: string; fullName: string }[]; status: string }[];
    };
    return testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName),
    );
  } catch (cause) {
    // What does not even run has noticed nothing.
    throw new Error(`the tests did not run: ${stdout}${stderr}`, { cause });
  }
}
