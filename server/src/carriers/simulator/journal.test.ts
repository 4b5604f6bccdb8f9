import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { frozenTracking } from "../../../test/frozen-tracking.ts";
import { startSimulator } from "./simulator.ts";

test("the journal and its folder are readable by their owner alone, also one that was open to others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const journal_path = join(folder, "simulator", "journal.jsonl");
  const modes = () =>
    [dirname(journal_path), journal_path].map((path) => (statSync(path).mode & 0o777).toString(8));
  const startAndStop = async () => {
    const options = { host: "127.0.0.1", port: 0, journal_path, pace: frozenTracking };
    await (await startSimulator(options)).close();
  };
  await startAndStop();
  expect(modes()).toEqual(["700", "600"]);
  chmodSync(journal_path, 0o644);
  await startAndStop();
  expect(modes()).toEqual(["700", "600"]);
});
