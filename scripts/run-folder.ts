import { chmodSync, existsSync, mkdtempSync, readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The files of a whole run, beside the memory of its processes. */
const room_bytes = 8 * 1024 ** 3;

/** A folder for all temporary files of a run of tests, in memory where it can be; the caller removes it. */
export function makeRunFolder(prefix: string): string {
  const folder = mkdtempSync(join(inMemory() ?? tmpdir(), prefix));
  // PostgreSQL runs as another user where this one is root.
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * The machine's file system in memory, where it has room. Each test file has a database of four hundred small files,
 * and on a disk ext4 spends half a second on making them shortly after others were deleted.
 */
function inMemory(): string | null {
  const shared = "/dev/shm";
  // Containers may forbid to run programs there, and some tests install the product and start it.
  if (
    !existsSync(shared) ||
    /^\S+ \/dev\/shm .*\bnoexec\b/m.test(readFileSync("/proc/mounts", "utf8"))
  )
    return null;
  const { bavail, bsize } = statfsSync(shared);
  return Math.min(bavail * bsize, process.availableMemory()) > room_bytes ? shared : null;
}
