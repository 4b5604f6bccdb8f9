import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, matchesGlob } from "node:path";
import { parseArgs } from "node:util";
import type { PlantedBug } from "../server/test/faults/planted-bugs/planted-bug.ts";
import { plantedBugs } from "../server/test/faults/planted-bugs/planted-bugs.ts";
import { buildSwitch } from "../server/test/setup/build.ts";
import { sharedPostgres, startTestPostgres } from "../server/test/setup/postgres.ts";
import { faultsAlone } from "../vitest.config.ts";
import { copyTo, planted } from "./planting/copy.ts";
import { runTests, type Results } from "./planting/run-tests.ts";
import { makeRunFolder } from "./run-folder.ts";

/**
 * `npm run plant-bugs`: plants each bug of `server/test/faults/planted-bugs/` in a copy of this folder, and runs
 * the tests that have to detect it, until one of them has. The same tests run once without any bug first: only a
 * test that was green then, and has the name that the bug requires, counts as detection. Prints a table for
 * docs/reliability.md; fails when a bug went undetected. Arguments choose the bugs with these words in their
 * names: `npm run plant-bugs -- fence`. `--part=1/3` chooses a third of them, and `--at-once=1` how many copies
 * have a bug at once, by default as many as there are processors.
 */

const { values, positionals } = parseArgs({
  options: {
    part: { type: "string", default: "1/1" },
    "at-once": { type: "string", default: String(availableParallelism()) },
  },
  allowPositionals: true,
});
const words = positionals.join(" ");
const chosen = partOf(
  plantedBugs.filter(({ name }) => name.includes(words)),
  values.part,
);
const atOnce = countOf(values["at-once"]);
const pattern = patternOf(chosen);

interface Verdict {
  noticed: string[];
  trouble?: string;
}

// The runs are groups of processes of their own, which are ended when this one exits.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const started = performance.now();
const folder = makeRunFolder("waybill-planted-");
// Of everything that the tests write, also in processes that a bug makes end badly.
process.env["TMPDIR"] = folder;
// Compiled and transformed files are found by their content, so that each is made once.
process.env["NODE_COMPILE_CACHE"] = join(folder, "compiled");
process.env["VITEST_FS_MODULE_CACHE_PATH"] = join(folder, "transformed");
let unnoticed = 0;
try {
  const { stop, ...postgres } = await startTestPostgres();
  try {
    await plantAll({ [sharedPostgres]: JSON.stringify(postgres) });
  } finally {
    await stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
console.log(
  `${chosen.length - unnoticed} of ${chosen.length} bugs were noticed, in ${minutes} min.`,
);
process.exitCode = unnoticed > 0 ? 1 : 0;

/** Of `2/3` the second third. */
function partOf(bugs: readonly PlantedBug[], part: string): readonly PlantedBug[] {
  const [, place, count] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(part) ?? [];
  if (!place || !count || Number(place) > Number(count))
    throw new Error(`${part} is no part, such as 2/3`);
  const size = Math.ceil(bugs.length / Number(count));
  return bugs.slice((Number(place) - 1) * size, Number(place) * size);
}

function countOf(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new Error(`${text} is no number of copies, such as 2`);
  return Number(text);
}

/**
 * All names that a chosen bug requires. Each run, with a bug and without, runs the tests with any of them: always
 * the same ones of a file, so that a test that depends on another one is not red without it.
 */
function patternOf(bugs: readonly PlantedBug[]): string {
  // Between the names of a group and of its test there may be more than a space.
  const escaped = bugs.map(({ red }) =>
    red.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(" ", "[ >]+"),
  );
  return [...new Set(escaped)].join("|");
}

/** Plants the bugs, some at once, and those whose tests measure time one after the other. */
async function plantAll(postgres: Record<string, string>): Promise<void> {
  const copies = Array.from({ length: atOnce }, (_, place) => join(folder, `copy-${place}`));
  copies.forEach(copyTo);
  const [first] = copies;
  const plain = chosen.filter(({ environment }) => !environment);
  const files = [...new Set(plain.flatMap(({ tests }) => tests))];
  const control =
    files.length === 0
      ? []
      : await runTests({
          folder: first!,
          files,
          pattern,
          environment: postgres,
          workers: atOnce,
        });
  const judge = (bug: PlantedBug, copy: string) => judged(bug, { copy, control, postgres });
  const alone = chosen.filter(isTimed);
  const others = chosen.filter((bug) => !isTimed(bug));
  await inOrder(others, { copies, judge });
  await inOrder(alone, { copies: [first!], judge });
}

/** Its tests have deadlines that another run at the same time could make them miss. */
function isTimed({ tests }: PlantedBug): boolean {
  return tests.some((test) => faultsAlone.some((glob) => matchesGlob(test, glob)));
}

/** Each copy takes the next bug; the lines are printed in the order of the bugs. */
async function inOrder(
  bugs: readonly PlantedBug[],
  {
    copies,
    judge,
  }: {
    copies: readonly string[];
    judge: (bug: PlantedBug, copy: string) => Promise<Verdict>;
  },
): Promise<void> {
  const waiting = bugs.map((bug) => ({ bug, verdict: Promise.withResolvers<Verdict>() }));
  const queue = [...waiting];
  const working = copies.map(async (copy) => {
    for (let next = queue.shift(); next; next = queue.shift())
      next.verdict.resolve(await judge(next.bug, copy));
  });
  for (const { bug, verdict } of waiting) print(bug, await verdict.promise);
  await Promise.all(working);
}

function print({ name }: PlantedBug, { noticed, trouble = "**nothing**" }: Verdict): void {
  if (noticed.length === 0) unnoticed++;
  const [first = trouble] = noticed;
  const more = noticed.length > 1 ? `, and ${noticed.length - 1} more` : "";
  console.log(`| ${name} | ${first}${more} |`);
}

interface Around {
  copy: string;
  /** Without any bug, of all files in the plain environment. */
  control: readonly Results[];
  postgres: Record<string, string>;
}

/** A bug whose tests cannot run counts as undetected, and does not end a run of an hour. */
async function judged(bug: PlantedBug, around: Around): Promise<Verdict> {
  try {
    return { noticed: await noticedBy(bug, around) };
  } catch (error) {
    return { noticed: [], trouble: `**not judged**: ${String(error)}` };
  }
}

/** The tests that turned red because of the bug and have the name that it requires. */
async function noticedBy(bug: PlantedBug, { copy, control, postgres }: Around): Promise<string[]> {
  const { tests: files, environment = {} } = bug;
  const run = { folder: copy, files, pattern, workers: 1 };
  const without = bug.environment
    ? await runTests({ ...run, environment: { ...postgres, ...environment } })
    : control.filter(({ file }) => files.some((name) => file.includes(name)));
  const green = without.flatMap((each) => each.green);
  const required = [...new Set(green.filter((name) => name.includes(bug.red)))];
  if (required.length === 0)
    throw new Error(`without it no test with "${bug.red}" in its name is green`);
  const results = await planted(copy, bug, () =>
    runTests({ ...run, required, environment: environmentOf(bug, postgres) }),
  );
  return results.flatMap(({ red }) => red).filter((name) => required.includes(name));
}

/** A bug of the schema, or of what writes it, has a database of its own making; a build only what may start it. */
function environmentOf(
  { file, tests, environment }: PlantedBug,
  postgres: Record<string, string>,
): Record<string, string> {
  const isOfSchema = /^server\/(migrations|src\/database)\//.test(file);
  const startsNothing = tests.every((test) => /^server\/(src|test\/e2e)\//.test(test));
  return {
    ...(isOfSchema ? {} : postgres),
    ...(startsNothing ? { [buildSwitch]: "off" } : {}),
    ...environment,
  };
}
