import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { staleEntries } from "./allowed-statements.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder where test files record which exceptions from the rules for statements they needed. */
    statements: { folder: string };
  }
}

/** At the end of a run of all tests, in which none failed, an exception that no statement needed fails the run. */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-statements-"));
  project.provide("statements", { folder });
  return async () => {
    const notes = join(folder, "used");
    const used = existsSync(notes) ? readFileSync(notes, "utf8").split("\n") : [];
    rmSync(folder, { recursive: true, force: true });
    const ran = project.vitest.state.getTestModules();
    const all = await project.vitest.globTestSpecifications();
    // `npm test` chooses projects: what the fault matrices alone need is not stale.
    const isChosen = project.vitest.config.project.length > 0;
    const isWhole =
      !isChosen &&
      ran.length === all.length &&
      ran.every((each) => each.ok()) &&
      !project.vitest.config.testNamePattern;
    const stale = isWhole ? staleEntries(new Set(used)) : [];
    if (stale.length > 0)
      throw new Error(
        `No statement needs these entries of server/test/linter any more:\n${stale.join("\n")}`,
      );
  };
}
