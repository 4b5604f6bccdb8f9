import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** `npm run check`: everything that can be judged without running the product. All steps run. */

const bin = (path: string) => join("node_modules", path);
const steps: { name: string; args: string[] }[] = [
  {
    name: "format",
    args: [bin("prettier/bin/prettier.cjs"), "--check", "--log-level", "warn", "."],
  },
  { name: "types", args: [bin("typescript/bin/tsc"), "--noEmit"] },
  { name: "lint", args: [bin("eslint/bin/eslint.js"), "."] },
  {
    name: "boundaries",
    args: [
      bin("dependency-cruiser/bin/dependency-cruiser.mjs"),
      "--config",
      ".dependency-cruiser.mjs",
      "server/src",
    ],
  },
  { name: "generated files", args: ["scripts/generate.ts", "--check"] },
];

const failed: string[] = [];
for (const { name, args } of steps) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
