import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Known, Memory } from "./continuity.ts";

/**
 * What is known of the database, in the data directory: so that a start notices, too, what was lost while no
 * process was running. Where there is no data directory, or it cannot be written, only memory is left.
 */
export function continuityFile(dataDir: string): Memory {
  const folder = resolve(dataDir);
  const path = join(folder, "database.json");
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
      if (!existsSync(folder)) return;
      const scratch = `${path}.${process.pid}`;
      try {
        writeFileSync(scratch, JSON.stringify(known), { mode: 0o600 });
        renameSync(scratch, path);
      } catch {
        // Full or read-only: the worst is that a loss while we are not running is noticed less exactly.
      }
    },
  };
}
