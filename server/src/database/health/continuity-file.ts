import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Known, Memory } from "./continuity.ts";

/**
 * The known state of the database, in the data directory: so that a start also detects what was lost while no
 * process was running. Where there is no data directory, or it cannot be written, only memory is left.
 */
export function continuityFile(dataDir: string): Memory {
  const folder = resolve(dataDir);
  const path = join(folder, "database.json");
  let latest: Known | null = null;
  let writing: Promise<void> | null = null;

  /** One write after the other, without blocking the event loop: replacing a file may take long. */
  async function writeLatest(): Promise<void> {
    for (let written: Known | null = null; written !== latest;) {
      written = latest;
      if (!existsSync(folder)) return;
      const scratch = `${path}.${process.pid}`;
      try {
        await writeFile(scratch, JSON.stringify(written), { mode: 0o600 });
        await rename(scratch, path);
      } catch {
        // Full or read-only: at worst a loss while no process is running is detected less exactly.
      }
    }
  }

  return {
    read() {
      try {
        const { installation_id, counter } = JSON.parse(readFileSync(path, "utf8")) as Known;
        return typeof installation_id === "string" && Number.isSafeInteger(counter)
          ? { installation_id, counter }
          : null;
      } catch {
        return null;
      }
    },
    write(known) {
      latest = known;
      return (writing ??= writeLatest().finally(() => (writing = null)));
    },
  };
}
