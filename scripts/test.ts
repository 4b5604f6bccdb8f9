import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { startEmbedded } from "../server/src/database/embedded-postgres/embedded-postgres.ts";

/**
 * `npm test`: the whole suite on the embedded PostgreSQL, then what touches a database once more on the
 * machine's own PostgreSQL, where there is one. The last line counts both. Arguments go to vitest, and
 * then one run is enough: `npm test -- server/src/ledger`.
 */

interface Count {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed, as sentences that make sense far from the run's own output. */
  failures: string[];
}

/** Of vitest's report, what is read here. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

// What speaks SQL: each operation once, and each statement's own tests. Prices, labels and processes that
// die are the same on any server.
const databaseTests = [
  "server/migrations/",
  "server/src/database/",
  "server/src/ledger/",
  "server/src/http/",
  "server/src/shipping/",
  "server/src/automation/",
  "server/src/purchasing/",
  "server/src/resources/",
  "server/test/acceptance/examples",
  "server/test/every-operation",
  "server/test/faults/backup",
  "server/test/faults/database-trouble",
  "server/test/faults/lost-commits",
];

/** More files than these do not fail because the machine was busy. */
const secondTriesMax = 5;

const folder = mkdtempSync(join(tmpdir(), "waybill-tests-"));
chmodSync(folder, 0o755);
const wanted = process.argv.slice(2);
const given = process.env["DATABASE_URL"];
const searched = (process.env["PATH"] ?? "").split(delimiter);

// Ctrl-C reaches vitest as well, which ends its run in good order; then our own cluster has to be stopped.
let isInterrupted = false;
process.on("SIGINT", () => (isInterrupted = true));

console.log(`On ${given ? "the server of DATABASE_URL" : "the embedded PostgreSQL"}:`);
const counts = [await runSuite("first", wanted)];
if (wanted.length === 0 && !given && !isInterrupted) counts.push(await runOnMachinesPostgres());
rmSync(folder, { recursive: true, force: true });

for (const tool of ["pdftoppm", "zbarimg"]) {
  if (!isInstalled(tool)) console.log(`${tool} is not installed: what needs it was skipped.`);
}
const total = counts.reduce((sum, count) => ({
  passed: sum.passed + count.passed,
  failed: sum.failed + count.failed,
  skipped: sum.skipped + count.skipped,
  failures: [...sum.failures, ...count.failures],
}));
// Once more at the end: a log is often read from there, and cut before.
for (const failure of total.failures) console.log(`FAILED ${failure}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 || total.passed === 0 || isInterrupted ? 1 : 0;

async function runSuite(
  name: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<Count> {
  const count = await runTests(name, args, environment);
  const { length } = count.failed_files;
  if (length === 0 || length > secondTriesMax || isInterrupted) return count;
  // Some tests are about seconds, and a busy machine has other ones: who fails may show alone, once,
  // that it does not. Who needed that is named: it is a bug, of the test or of what it tests.
  const again = await runTests(
    `${name}-again`,
    [...count.failed_files, "--maxWorkers=1"],
    environment,
  );
  for (const file of count.failed_files) console.log(`RUN AGAIN ${file}`);
  for (const failure of count.failures) console.log(`FAILED AT FIRST ${failure}`);
  const isSound = again.failed === 0 && again.passed + again.skipped >= count.failed;
  if (!isSound) return { ...count, failures: [...count.failures, ...again.failures] };
  return { ...count, passed: count.passed + count.failed, failed: 0, failures: [] };
}

async function runTests(
  name: string,
  args: string[],
  environment: Record<string, string>,
): Promise<Count & { failed_files: string[] }> {
  const report = join(folder, `${name}.json`);
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const run = spawn(process.execPath, [vitest, "run", ...reporters, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...environment },
  });
  const [status] = (await once(run, "close")) as [number | null];
  const noReport = noTests({ failed: 1, failures: ["The run left no report."] });
  if (!existsSync(report)) return { ...noReport, failed_files: [] };
  const result = JSON.parse(readFileSync(report, "utf8")) as Report;
  const failed_files = result.testResults
    .filter(({ status }) => status === "failed")
    .map(({ name }) => relative(process.cwd(), name));
  return {
    passed: result.numPassedTests,
    // A file that does not load, or an error outside any test, fails the run without a failed test.
    failed: Math.max(result.numFailedTests, status === 0 ? 0 : 1),
    skipped: result.numPendingTests + result.numTodoTests,
    failures: failuresIn(result),
    failed_files,
  };
}

function failuresIn({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter(({ status }) => status === "failed");
    if (failed.length === 0 && message !== "") return [`${file}: ${message}`];
    return failed.map(({ fullName, failureMessages }) =>
      [`${file}: ${fullName}`, ...failureMessages.map((text) => text.slice(0, 2000))].join("\n"),
    );
  });
}

function noTests(count: Partial<Count>): Count {
  return { passed: 0, failed: 0, skipped: 0, failures: [], ...count };
}

/** On a private cluster of the newest installed PostgreSQL that we support, gone afterwards. */
async function runOnMachinesPostgres(): Promise<Count> {
  const installed = newestInstalled();
  if (!installed) {
    console.log("PostgreSQL 15 or newer is not installed: the run on it was skipped.");
    return noTests({ skipped: 1 });
  }
  console.log(`\nOn the machine's PostgreSQL ${installed.version}, what touches a database:`);
  try {
    const data_dir = join(folder, "machine");
    const { bin } = installed;
    const server = await startEmbedded({ data_dir, fsync: false, connections_max: 400, bin });
    try {
      const args = [...databaseTests, "--exclude=server/src/database/embedded-postgres/**"];
      return await runSuite("second", args, { DATABASE_URL: server.url });
    } finally {
      await server.stop();
    }
  } catch (error) {
    console.error(error);
    return noTests({ failed: 1, failures: ["The run on the machine's PostgreSQL."] });
  }
}

/** Where packages put it, and on the PATH, where other systems do. */
function newestInstalled(): { version: number; bin: string } | null {
  const root = "/usr/lib/postgresql";
  const packaged = existsSync(root) ? readdirSync(root).map((each) => join(root, each, "bin")) : [];
  const found = [...packaged, ...searched]
    .filter((bin) => ["initdb", "postgres"].every((program) => existsSync(join(bin, program))))
    .map((bin) => ({ bin, version: versionOf(bin) }))
    .filter(({ version }) => version >= 15);
  return found.sort((one, other) => other.version - one.version)[0] ?? null;
}

/** 0 for a program that does not say it: "postgres (PostgreSQL) 15.6". */
function versionOf(bin: string): number {
  const { stdout } = spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" });
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? "")?.[1] ?? 0);
}

function isInstalled(tool: string): boolean {
  return searched.some((path) => existsSync(join(path, tool)));
}
