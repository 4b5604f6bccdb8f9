import { spawn } from "node:child_process";
import { join } from "node:path";

/**
 * `npm run check`: everything that can be checked without running the product. All steps run, two at a time,
 * and each prints its findings when it is done; one that fails fails the check.
 *
 * The findings of a file are cached in `node_modules/.cache/check` by the file's content, so that only
 * changed files are checked again. Only the linter can miss something because of that: in an unchanged file,
 * what follows from another one's types. CI begins without `node_modules` and checks everything.
 */

interface Step {
  name: string;
  args: string[];
}

const tool = (path: string) => join("node_modules", path);

/** The cache of a step of that name, for tools that identify files by their content. */
function cache(name: string): string[] {
  const place = tool(join(".cache", "check", name));
  return ["--cache", "--cache-strategy", "content", "--cache-location", place];
}

/** The long form prints each rule's comment: what to import instead. */
function cruiser(rules: string, folders = ["server/src", "sdk/src"]): string[] {
  const program = tool("dependency-cruiser/bin/dependency-cruiser.mjs");
  return [program, "--config", rules, "--output-type", "err-long", ...folders];
}

/** The compiler, with what it knows of unchanged files. */
function types(project: string, name: string): string[] {
  const kept = ["--incremental", "--tsBuildInfoFile", tool(`.cache/check/${name}`)];
  return [tool("typescript/bin/tsc"), "--noEmit", "--project", project, ...kept];
}

// The slow ones first, so that the quick ones run beside them.
const steps: Step[] = [
  { name: "lint", args: [tool("eslint/bin/eslint.js"), ...cache("eslint"), "."] },
  { name: "types", args: types(".", "types") },
  // Once more with the types of browsers and without Node's: it has to run in both.
  { name: "types of the SDK", args: types("sdk", "sdk-types") },
  { name: "types of the dashboard", args: types("dashboard", "dashboard-types") },
  {
    name: "format",
    args: [
      tool("prettier/bin/prettier.cjs"),
      ...["--check", "--log-level", "warn", ...cache("prettier"), "."],
    ],
  },
  { name: "boundaries", args: cruiser(".dependency-cruiser.mjs") },
  {
    name: "boundaries of the dashboard",
    args: cruiser(".dependency-cruiser-dashboard.mjs", ["dashboard/src"]),
  },
  { name: "directions of folders", args: cruiser(".dependency-cruiser-folders.mjs") },
  { name: "generated files", args: ["scripts/generate.ts", "--check"] },
];

const waiting = [...steps];
const failed: string[] = [];
await Promise.all([work(), work()]);
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}

async function work(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const start = performance.now();
    const { code, output } = await run(step);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${code === 0 ? "ok    " : "FAILED"} ${step.name} (${seconds} s)`);
    if (code === 0) continue;
    failed.push(step.name);
    console.log(`\n${output.trim()}\n`);
  }
}

/** A step's output is kept until its end, so that two do not interleave. */
function run({ args }: Step): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
