import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * One process at a time owns a data directory. The lock is a file that names its holder; it is stale
 * when that process is gone, or when another program has been given its number since.
 */

interface Holder {
  pid: number;
  /** When the kernel started that process: a number alone may belong to somebody else by now. */
  started: string | null;
  since: string;
}

/** Takes the lock or throws an error that says who has it. Returns how to give it back. */
export function lockDataDirectory(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, "lock");
  for (let attempt = 0; attempt < 3; attempt++) {
    const holder: Holder = {
      pid: process.pid,
      started: startOf(process.pid),
      since: new Date().toISOString(),
    };
    try {
      writeFileSync(path, JSON.stringify(holder), { flag: "wx", mode: 0o600 });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      refuseIfAlive(dataDir, readHolder(path));
      rmSync(path, { force: true });
    }
  }
  throw new Error(`another process is starting on ${dataDir} at this moment`);
}

function refuseIfAlive(dataDir: string, holder: Holder | null): void {
  if (!holder || !isAlive(holder.pid) || startOf(holder.pid) !== holder.started) return;
  throw new Error(
    `${dataDir} is in use by process ${holder.pid} since ${holder.since}. Stop that one first, or choose another WAYBILL_DATA_DIR.`,
  );
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Holder;
  } catch {
    // Gone since, or half written by a process that died: nobody's.
    return null;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The kernel's start time of a process, where /proc tells it; null elsewhere. */
function startOf(pid: number): string | null {
  try {
    // The name in parentheses may hold spaces; field 22 counts from behind it.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
