import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * One process at a time owns a data directory. A pid file could not guarantee that: two starters may both
 * find it stale, and in containers one pid means several processes. The operating system's file lock can, and
 * is released however its holder ends, so that none is ever stale. Node has access to it through SQLite,
 * whose exclusive transaction is that lock; nothing is stored there. The file next to it only names the
 * holder for people.
 */
interface Holder {
  pid: number;
  since: string;
}

/** Locks are referenced from here, too: a garbage-collected one would be released. */
const held = new Set<DatabaseSync>();
const sqliteBusy = 5;

/** Takes the lock or throws an error that names its holder. Returns a function that releases it. */
export function lockDataDirectory(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const holderPath = join(dataDir, "lock.json");
  const lock = new DatabaseSync(join(dataDir, "lock.sqlite"));
  try {
    // Without the first, a killed holder leaves a journal file behind.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error;
    throw new Error(inUse(dataDir, readHolder(holderPath)), { cause: error });
  }
  held.add(lock);
  const holder: Holder = { pid: process.pid, since: new Date().toISOString() };
  writeFileSync(holderPath, JSON.stringify(holder));
  return () => {
    if (!held.delete(lock)) return;
    rmSync(holderPath, { force: true });
    lock.close();
  };
}

function inUse(dataDir: string, holder: Holder | null): string {
  const who = holder ? `process ${holder.pid} since ${holder.since}` : "another process";
  return `${dataDir} is in use by ${who}. Stop that one first, or choose another WAYBILL_DATA_DIR.`;
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Holder;
  } catch {
    // The holder has the lock and has not written its name yet.
    return null;
  }
}
