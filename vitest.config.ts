import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// One file takes as long as all the others of its worker: begun last, it would run alone.
const longest = "crash-matrix.test.ts";

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith(longest);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  test: {
    include: ["server/**/*.test.ts"],
    // The first is torn down last: it may fail the run, which must not keep the others from ending.
    globalSetup: [
      "server/test/linter/whole-run.ts",
      "server/test/setup/compile-cache.ts",
      "server/test/setup/postgres.ts",
    ],
    setupFiles: ["server/test/linter/setup.ts"],
    environment: "node",
    pool: "forks",
    // Much of the suite waits: for leases, for carriers that hang, for processes that start.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
