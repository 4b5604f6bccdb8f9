import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { requiredTests } from "./stop-when-red.ts";

/** The part of vitest's report that is read here. */
interface Report {
  testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[];
}

/** The tests of one file that passed and that failed. */
export interface Results {
  file: string;
  green: string[];
  red: string[];
}

export interface Run {
  /** The copy that the tests run in. */
  folder: string;
  files: readonly string[];
  /** Of the names of the tests that run. */
  pattern: string;
  environment: Record<string, string>;
  /** How many files run at once, each in a process of its own. */
  workers: number;
  /** The run ends as soon as one of these has failed. */
  required?: readonly string[];
}

/** Throws when vitest leaves no report: tests that do not even run have detected nothing. */
export async function runTests(run: Run): Promise<Results[]> {
  const { folder, files, pattern, environment, workers, required } = run;
  const report = join(folder, "report.json");
  // An earlier run's report must not be taken for this one's.
  rmSync(report, { force: true });
  const reporters = ["--reporter=json", `--outputFile.json=${report}`];
  if (required) reporters.push("--reporter=./scripts/planting/stop-when-red.ts");
  const args = [...reporters, "--isolate", `--maxWorkers=${workers}`, "-t", pattern, ...files];
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const said = await outputOf([vitest, "run", ...args], {
    cwd: folder,
    env: {
      ...process.env,
      ...environment,
      ...(required ? { [requiredTests]: JSON.stringify(required) } : {}),
    },
  });
  if (!existsSync(report)) throw new Error(`the tests did not run: ${said}`);
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  return testResults.map(({ name, assertionResults }) => {
    const named = (status: string) =>
      assertionResults.filter((each) => each.status === status).map(({ fullName }) => fullName);
    return { file: relative(folder, name), green: named("passed"), red: named("failed") };
  });
}

/**
 * What a program of Node wrote, when it has ended. Then what it started ends too: where a red test ended the run early,
 * its worker may have left programs behind.
 */
function outputOf(
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(process.execPath, args, {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const endGroup = () => endAll(child.pid!);
  process.once("exit", endGroup);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (said = (said + chunk.toString("utf8")).slice(-20_000)));
  child.once("error", reject);
  child.once("exit", () => {
    process.off("exit", endGroup);
    endGroup();
  });
  child.once("close", () => resolve(said));
  return promise;
}

/** Ends all processes of a group, where there are any left. */
function endAll(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
