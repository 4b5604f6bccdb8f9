import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { startEmbedded } from "../server/src/database/embedded-postgres/embedded-postgres.ts";
import { makeRunFolder } from "./run-folder.ts";

/**
 * `npm test`: everything but the fault matrices, on the embedded PostgreSQL. `--faults` (`npm run
 * test:faults`) runs those, `--browser` the dashboard in Chromium, `--all` (CI) everything. Beside it the tests of SQL
 * run once more on the machine's own PostgreSQL, where there is one: at its beginning the first run waits much, and leaves
 * them the processors. The last line counts all of them. Other arguments go to vitest, and then one run of what they
 * name is enough: `npm test -- server/src/ledger`.
 */

/** How the tests of one file ended. */
interface FileResult {
  passed: number;
  failed: number;
  skipped: number;
  /** The failures, as messages that make sense outside the run's own output. */
  failures: string[];
}

type Results = Map<string, FileResult>;

/** One start of vitest. */
interface Run {
  /** Of its report. */
  name: string;
  title: string;
  args: string[];
  environment?: Record<string, string>;
}

/** The part of vitest's report that is read here. */
interface Report {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

// Where the releases of PostgreSQL can differ: the schema, code for the server itself, the ledger's triggers,
// the queues of workers, and each operation's statements once. The other tests use rows in ways that are the
// same on any server.
const database = "server/src/database";
const databaseTests = [
  "server/migrations/",
  ...readdirSync(database)
    .filter((name) => name !== "embedded-postgres")
    .map((name) => join(database, name)),
  "server/src/ledger/",
  "server/src/automation/",
  "server/src/purchasing/",
  "server/test/acceptance/examples",
  "server/test/acceptance/every-operation",
];
const databaseFaults = ["backup.test", "database-unavailable", "lost-commits"].map((name) =>
  join("server/test/faults", name),
);

/** More tests than these do not pass only on their second try because the machine was busy. */
const secondTriesMax = 2;

/** All temporary files of the run, also those of processes that tests kill. */
const folder = makeRunFolder("waybill-tests-");
const flags = ["--faults", "--browser", "--all"];
const [isFaults, isBrowser, isAll] = flags.map((flag) => process.argv.includes(flag));
const wanted = process.argv.slice(2).filter((argument) => !flags.includes(argument));
const given = process.env["DATABASE_URL"];
const searched = (process.env["PATH"] ?? "").split(delimiter);
/** Each test that passed only when it was tried again, and why it had failed. */
const secondTries: string[] = [];

// Ctrl-C also reaches vitest, which ends its run cleanly; then the test's own cluster has to be stopped.
let isInterrupted = false;
process.on("SIGINT", () => (isInterrupted = true));

// Both runs need the build, and would begin it at the same time.
execFileSync(process.execPath, [join("scripts", "prepare.ts")], {
  stdio: ["ignore", "ignore", "inherit"],
});
const isOnMachinesToo = wanted.length === 0 && !isBrowser && !given;
const results = isOnMachinesToo ? await runOnBoth() : await runAll([firstRun()]);
rmSync(folder, { recursive: true, force: true });

for (const tool of ["pdftoppm", "zbarimg", "chromium"]) {
  if (!isInstalled(tool)) console.log(`${tool} is not installed: what needs it was skipped.`);
}
report();

/** The named files, or the chosen part of all. */
function firstRun(): Run {
  const project = isFaults ? "faults" : isBrowser ? "browser" : "quick";
  const args = wanted.length > 0 ? wanted : isAll ? [] : [`--project=${project}*`];
  const title = `On ${given ? "the server of DATABASE_URL" : "the embedded PostgreSQL"}`;
  return { name: "first", title, args };
}

/** Prints the failures once more at the end: logs are often read from there, and truncated before. */
function report(): void {
  const sum = (count: (result: FileResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  const isTooMany = secondTries.length > secondTriesMax;
  for (const failure of results.flatMap(({ failures }) => failures))
    console.log(`FAILED ${failure}`);
  for (const test of secondTries) console.log(`PASSED ONLY ON THE SECOND TRY ${test}`);
  if (secondTries.length > 0)
    console.log(`${secondTries.length} second tries, of ${secondTriesMax} that may be.`);
  const late = isTooMany ? secondTries.length : 0;
  const failed = sum((result) => result.failed) + late;
  const passed = sum((result) => result.passed) - late;
  const skipped = sum((result) => result.skipped);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exitCode = failed > 0 || passed === 0 || isInterrupted ? 1 : 0;
}

/** The first run, and beside it one on a private cluster of the newest installed PostgreSQL that is supported. */
async function runOnBoth(): Promise<FileResult[]> {
  const installed = newestInstalled();
  if (!installed) {
    console.log("PostgreSQL 15 or newer is not installed: the run on it is skipped.");
    return [...(await runAll([firstRun()])), { passed: 0, failed: 0, skipped: 1, failures: [] }];
  }
  const { bin, version } = installed;
  const data_dir = join(folder, "machine");
  const options = { data_dir, fsync: false, connections_max: 400, bin };
  const server = await startEmbedded(options).catch((error: unknown) => {
    console.error(error);
    return null;
  });
  if (!server) {
    const failed = failedRun(`The machine's PostgreSQL ${version} did not start.`);
    return [...(await runAll([firstRun()])), ...failed.values()];
  }
  try {
    const args = isAll
      ? [...databaseTests, ...databaseFaults]
      : isFaults
        ? databaseFaults
        : databaseTests;
    const second: Run = {
      name: "second",
      title: `On the machine's PostgreSQL ${version}, what speaks SQL`,
      args: [...args, "--maxWorkers=2"],
      environment: { DATABASE_URL: server.url },
    };
    return await runAll([firstRun(), second]);
  } finally {
    await server.stop();
  }
}

/** All at once; then, since some tests measure seconds and a busy machine is slow, what failed once more and alone. */
async function runAll(runs: Run[]): Promise<FileResult[]> {
  const all = await Promise.all(
    runs.map((run, place) => runTests(run, { isPrintedAtOnce: place === 0 })),
  );
  for (const [place, run] of runs.entries()) await tryAgain(run, all[place]!);
  return all.flatMap((results) => [...results.values()]);
}

/** Where few tests failed, runs their files alone; the results of those that pass then replace the first. */
async function tryAgain(run: Run, results: Results): Promise<void> {
  const red = [...results].filter(([, { failed }]) => failed > 0);
  const failures = red.flatMap(([, result]) => result.failures);
  const isWorthIt = failures.length <= secondTriesMax && red.every(([file]) => existsSync(file));
  if (red.length === 0 || !isWorthIt || isInterrupted) return;
  const files = red.map(([file]) => file);
  const again = await runTests(
    { ...run, name: `${run.name}-again`, args: [...files, "--maxWorkers=1"] },
    { isPrintedAtOnce: true },
  );
  for (const [file, result] of red) {
    const second = again.get(file);
    if (second?.failed !== 0 || second.passed + second.skipped === 0) continue;
    secondTries.push(...result.failures);
    results.set(file, second);
  }
}

/** What two runs print at the same time would be mixed: all but one of them print once they have ended. */
async function runTests(
  { name, title, args, environment = {} }: Run,
  { isPrintedAtOnce }: { isPrintedAtOnce: boolean },
): Promise<Results> {
  const report = join(folder, `${name}.json`);
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  if (isPrintedAtOnce) console.log(`\n${title}:`);
  const run = spawn(process.execPath, [vitest, "run", ...reporters, ...args], {
    stdio: ["ignore", isPrintedAtOnce ? "inherit" : "pipe", "pipe"],
    env: { ...process.env, TMPDIR: folder, ...environment },
  });
  const printed: Buffer[] = [];
  run.stdout?.on("data", (chunk: Buffer) => printed.push(chunk));
  // What fails outside any test is in no report: its text is the end of what vitest wrote to stderr.
  let written = "";
  run.stderr!.on("data", (chunk: Buffer) => {
    if (isPrintedAtOnce) process.stderr.write(chunk);
    else printed.push(chunk);
    written = (written + chunk.toString("utf8")).slice(-4000);
  });
  const [status] = (await once(run, "close")) as [number | null];
  if (!isPrintedAtOnce)
    process.stdout.write(`\n${title}:\n${Buffer.concat(printed).toString("utf8")}`);
  if (!existsSync(report)) return failedRun("The run left no report.");
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const results: Results = new Map(
    testResults.map((file) => [relative(process.cwd(), file.name), resultOf(file)]),
  );
  // An error outside any test fails the run without a failed file.
  const isExplained = status === 0 || [...results.values()].some(({ failed }) => failed > 0);
  return isExplained
    ? results
    : new Map([...results, ...failedRun(`vitest ended with ${status}:\n${written}`)]);
}

function resultOf({
  name,
  status,
  message,
  assertionResults,
}: Report["testResults"][0]): FileResult {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  const passed = assertionResults.filter((test) => test.status === "passed").length;
  const skipped = assertionResults.length - failed.length - passed;
  const failures = failed.map(({ fullName, failureMessages }) =>
    [`${file}: ${fullName}`, ...failureMessages.map((text) => text.slice(0, 2000))].join("\n"),
  );
  // A file that does not load, or whose hooks fail, has no test that failed.
  if (failed.length === 0 && status === "failed") failures.push(`${file}: ${message}`);
  return { passed, failed: failures.length, skipped, failures };
}

/** A run that failed as a whole, as a result without a file. */
function failedRun(why: string): Results {
  return new Map([["", { passed: 0, failed: 1, skipped: 0, failures: [why] }]]);
}

/** In the packages' folders, and on the PATH, for other systems. */
function newestInstalled(): { version: number; bin: string } | null {
  const root = "/usr/lib/postgresql";
  const packaged = existsSync(root) ? readdirSync(root).map((each) => join(root, each, "bin")) : [];
  const found = [...packaged, ...searched]
    .filter((bin) => ["initdb", "postgres"].every((program) => existsSync(join(bin, program))))
    .map((bin) => ({ bin, version: versionOf(bin) }))
    .filter(({ version }) => version >= 15);
  return found.sort((one, other) => other.version - one.version)[0] ?? null;
}

/** 0 for a program that does not report it: "postgres (PostgreSQL) 15.6". */
function versionOf(bin: string): number {
  const { stdout } = spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" });
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? "")?.[1] ?? 0);
}

function isInstalled(tool: string): boolean {
  return searched.some((path) => existsSync(join(path, tool)));
}
