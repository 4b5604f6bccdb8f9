import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk so small that a test can fill it up. Linux's root may have one; others have none. */
export interface SmallDisk {
  path: string;
  /** Fills it completely. */
  fill(): void;
  free(): void;
  close(): void;
}

/** Null where none can be had. */
export function aSmallDisk(megabytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), "waybill-disk-"));
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path], {
      stdio: "ignore",
    });
  } catch {
    remove();
    return null;
  }
  const filler = join(path, "filler");
  return {
    path,
    fill() {
      for (let size = 2 ** 20; size >= 1; size = Math.floor(size / 16)) fillBy(filler, size);
    },
    free: () => rmSync(filler),
    close() {
      execFileSync("umount", ["--lazy", path]);
      remove();
    },
  };
}

function fillBy(file: string, size: number): void {
  const piece = Buffer.alloc(size, "x");
  for (;;) {
    try {
      appendFileSync(file, piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOSPC") return;
      throw error;
    }
  }
}
