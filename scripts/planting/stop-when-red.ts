import type { Reporter, TestCase, Vitest } from "vitest/node";

/** The environment variable with the names of the tests, as JSON. */
export const requiredTests = "WAYBILL_REQUIRED_TESTS";

/**
 * A reporter that ends the run as soon as a required test has failed: the bug is detected, and what the others
 * would still wait for decides nothing.
 */
export default function stopWhenRed(): Reporter {
  const required = new Set(JSON.parse(process.env[requiredTests] ?? "[]") as string[]);
  let vitest: Vitest;
  let isEnding = false;
  return {
    onInit: (instance) => {
      vitest = instance;
    },
    onTestCaseResult(test) {
      if (isEnding || test.result().state !== "failed" || !required.has(nameOf(test))) return;
      // Once only: a second call ends the worker at once, which leaves all behind that its tests started.
      isEnding = true;
      // Not awaited: it resolves when the run has ended, which waits for its reporters.
      void vitest.cancelCurrentRun("test-failure");
    },
  };
}

/** As the report has it: the names of its groups and its own, with a space between them. */
function nameOf(test: TestCase): string {
  const names = [test.name];
  for (let group = test.parent; group.type === "suite"; group = group.parent)
    names.unshift(group.name);
  return names.join(" ");
}
