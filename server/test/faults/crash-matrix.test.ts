import { afterAll, describe, expect, test } from "vitest";
import { steps } from "../../src/domain/scheduling/step.ts";
import { allCells, chosenCells, nameOf, runAll, seed } from "./crash-cells.ts";
import { scenarios } from "./crash-scenarios.ts";

/**
 * Crash tests of the promise: whatever is killed, at any point of a purchase, void, top-up or their
 * recovery, within thirty seconds each label that a carrier issued belongs to one paid shipment or is
 * voided, the ledger is consistent, and the client's key has one answer.
 *
 * Each cell has an account and shipment of its own in a platform at rest, and one fault. A run strikes
 * every point with a killed and with a paused process, and a part of the points, chosen by the seed,
 * with every other fault. `WAYBILL_CRASH_MATRIX=full` strikes all of them with all; `WAYBILL_CRASH_SEED`
 * chooses another part, and
 * `WAYBILL_CRASH_CELLS=<part of their names>` those cells alone.
 */

const cells = chosenCells();
const running = runAll(cells);
// The cells under way take as long as the slowest, where another one ended the run.
afterAll(() => running.close(), 180_000);

describe(`with seed ${seed}`, () => {
  // A test each, because `test.each` truncates the names that reports and night runs show.
  for (const cell of cells) {
    test(nameOf(cell), { timeout: 600_000 }, async () => {
      const { told, problems } = await running.ends.get(cell)!;
      expect(problems, problems.join("\n")).toEqual([]);
      expect(told).toBe(scenarios[cell.scenario]!.ends);
    });
  }
});

test("the matrix strikes at every step, but for one that no simulated carrier needs", () => {
  const struck = allCells().map(({ point }) => point.split(" ")[1]);
  // Reviews are for carriers without lookups: see the end-to-end test about them.
  const wanted = steps.filter((step) => step !== "review");
  expect([...new Set(struck)].sort()).toEqual([...wanted].sort());
});
