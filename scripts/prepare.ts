import { fileURLToPath } from "node:url";
import { dashboardStep } from "./build/dashboard.ts";
import { serverStep } from "./build/server.ts";
import { runStep, type BuildStep } from "./build/step.ts";

/**
 * `npm ci` runs this at its end: it builds what has no build of the present sources. All of it also runs without a
 * build, only slower, so one that fails is reported and fails no installation.
 */
const steps: BuildStep[] = [serverStep, dashboardStep];

const root = fileURLToPath(new URL("..", import.meta.url));
for (const step of steps) {
  const start = performance.now();
  try {
    const isBuilt = await runStep(root, step);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(isBuilt ? `built: ${step.name} (${seconds} s)` : `up to date: ${step.name}`);
  } catch (error) {
    console.error(`not built: ${step.name}, which runs from its sources.`, error);
  }
}
