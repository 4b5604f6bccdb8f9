import { copyFileSync, existsSync, openSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";

/**
 * The output of the embedded PostgreSQL, in `<data dir>/postgres.log`. It writes to the file itself, so that
 * it never waits for this process and an orphan can still log; the file and its one predecessor are kept
 * short.
 */
export interface Log {
  /** Passed to the child, and closed by the caller. */
  descriptor: number;
  /** The last lines since the log was opened. */
  lastLines(): string;
  stopWatching(): void;
}

const bytesMax = 10_000_000;
const checkEveryMs = 60_000;

export function openLog(folder: string): Log {
  const path = join(folder, "postgres.log");
  shorten(path);
  const descriptor = openSync(path, "a", 0o600);
  const from = statSync(path).size;
  const watch = setInterval(() => shorten(path), checkEveryMs).unref();
  return {
    descriptor,
    lastLines: () =>
      readFileSync(path).subarray(from).toString().trim().split("\n").slice(-5).join("\n"),
    stopWatching: () => clearInterval(watch),
  };
}

/** Rotates a long log by copying: the file that PostgreSQL holds open has to stay the same one. */
function shorten(path: string): void {
  if (!existsSync(path) || statSync(path).size <= bytesMax) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}
