import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isStampOf, stampOf } from "../../server/bin/stamp.js";

/** One thing that is built, with a stamp in it of what it was built from. Paths are relative to the repository's root. */
export interface BuildStep {
  name: string;
  /** Files and folders; a change of any of them makes the output stale. */
  sources: readonly string[];
  /** A folder, which is replaced as a whole. */
  output: string;
  /** Fills the given folder, an absolute path, which does not exist yet. */
  build(folder: string): Promise<void>;
}

/** Builds the output, unless it is up to date. Returns whether it was built. */
export async function runStep(root: string, step: BuildStep): Promise<boolean> {
  const output = join(root, step.output);
  if (isUpToDate(root, step)) return false;
  // Of the sources as they are now: a change during the build makes it stale.
  const stamp = stampOf(root, step.sources);
  const [fresh, former] = [`${output}.new-${process.pid}`, `${output}.old-${process.pid}`];
  try {
    await step.build(fresh);
    writeFileSync(join(fresh, "stamp.txt"), stamp);
    // Two renames, so that a process that starts meanwhile finds a whole build or none.
    if (existsSync(output)) renameSync(output, former);
    renameSync(fresh, output);
  } catch (error) {
    // Another process may have built the same at the same time.
    if (!isUpToDate(root, step)) throw error;
  } finally {
    for (const folder of [fresh, former]) rmSync(folder, { recursive: true, force: true });
  }
  return true;
}

function isUpToDate(root: string, { output, sources }: BuildStep): boolean {
  const stamp = join(root, output, "stamp.txt");
  return existsSync(stamp) && isStampOf(readFileSync(stamp, "utf8"), root, sources);
}
