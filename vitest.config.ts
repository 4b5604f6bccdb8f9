import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Crashes, timeouts, wrong responses and duplicates: `npm run test:faults`. */
const faults = "{server/test/faults,sdk/test/slow}/*.test.ts";

/**
 * Files that measure their process: its memory, how long it blocked the event loop, its first actions, the statements that
 * it prepares, of which it names a bounded number.
 */
const alone = [
  "server/test/loop/*.test.ts",
  "server/src/database/{connect,shared-read-plans}.test.ts",
  "server/src/database/criteria/criteria-plans.test.ts",
  "server/src/database/driver/*.test.ts",
  "server/src/database/health/pooler.test.ts",
  "server/src/domain/scheduling/active-accounts.test.ts",
  "server/src/domain/text/{csv-records,parse-json}.test.ts",
  "server/src/http/{blocked-loop,own-work}.test.ts",
  "server/src/resources/files/open-file.test.ts",
  "server/src/resources/imports/sources/read-source.test.ts",
  "server/src/resources/rules/many-rules.test.ts",
  "server/src/threads/threads.test.ts",
];

/**
 * Nothing may take the processors from these: the carriers' calls there have ten seconds each, a batch three, each of
 * many purchases at once a second and a half to get a connection, and so long a database that is back to be used.
 */
export const faultsAlone = [
  "server/test/faults/{carrier-faults,rate-faults,concurrent-batches,overdraw}.test.ts",
  "server/test/faults/{database-unavailable,dead-carrier}.test.ts",
  "server/test/loop/many-packages.test.ts",
];

/** One server and one Chromium a file: much of it is waiting, so that two at a time take half of the time. */
const browser = ["dashboard/test/*.test.ts"];

/**
 * The longest files, those of each group in turn: begun last, they would run when all the others are done. Two at a time
 * of those that mostly wait: four would leave the processors idle.
 */
const longest = [
  "e2e/connected-outcomes",
  "e2e/unheard-purchases",
  "criteria/criteria",
  "labels/labels",
  "acceptance/hostile-input",
  "e2e/auto-recharge",
  "acceptance/labels-scan",
  "acceptance/examples",
  "e2e/reviews",
  "ups/ups",
  "loop/idle-memory",
  "usps/usps",
  "e2e/tracking",
  "seed/first-start",
  "e2e/late-files",
  "leases/fair-claims",
  "faults/crash-matrix",
  "faults/reconcile-manifests",
  "faults/reconcile-journal",
  "faults/database-set-back",
  "faults/races",
  "faults/reviews",
  "test/axe.browser",
  "test/settings.browser",
  "test/bulk.browser",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place === -1 ? longest.length : place;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

interface Terms {
  include: string[];
  exclude?: string[];
  isolate: boolean;
  /** Groups run one after the other. */
  group: number;
  /** Much of the suite waits: for leases, for carriers that hang, for processes that start. */
  workers?: number;
  timeout_ms?: number;
}

/**
 * Files run one after the other in a process that they share, and so the product's modules, which keep
 * nothing but caches: loading them anew for each file was half of the suite's processor time.
 */
function project(name: string, { group, workers = 4, timeout_ms = 60_000, ...terms }: Terms) {
  const exclude = [...configDefaults.exclude, ...(terms.exclude ?? [])];
  return {
    test: {
      ...terms,
      name,
      exclude,
      maxWorkers: workers,
      sequence: { groupOrder: group },
      environment: "node",
      setupFiles: ["server/test/linter/setup.ts"],
      pool: "forks" as const,
      testTimeout: timeout_ms,
      hookTimeout: timeout_ms,
      // The default of one second is no promise of Waybill, and a busy machine exceeds it.
      expect: { poll: { timeout: 20_000 } },
    },
  };
}

export default defineConfig({
  test: {
    // Of the whole run: a project's own is not asked.
    sequence: { sequencer: LongestFirst },
    // The first is torn down last: it may fail the run, which must not keep the others from ending.
    globalSetup: [
      "server/test/linter/whole-run.ts",
      "server/test/setup/build.ts",
      "server/test/setup/compile-cache.ts",
      "server/test/setup/postgres.ts",
    ],
    projects: [
      project("quick", {
        include: ["server/**/*.test.ts", "sdk/**/*.test.ts", "dashboard/src/**/*.test.ts"],
        exclude: [faults, ...alone],
        isolate: false,
        group: 0,
      }),
      project("quick alone", { include: alone, exclude: faultsAlone, isolate: true, group: 0 }),
      // Each file has processes of its own, whose leases are short: more files at a time than the processors carry made
      // a slow machine miss them. The longest tests take forty seconds of a free one.
      project("faults", {
        include: [faults],
        exclude: faultsAlone,
        isolate: false,
        group: 1,
        workers: 3,
        timeout_ms: 180_000,
      }),
      project("faults alone", { include: faultsAlone, isolate: true, group: 2, workers: 1 }),
      project("browser", { include: browser, isolate: true, group: 3, workers: 2 }),
    ],
  },
});
