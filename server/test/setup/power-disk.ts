import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A disk whose power can be cut: a file system in a file, mounted through a loop device. Unsynced data is in
 * memory and not in the file; a copy of the file is the disk after the cut.
 */
export interface PowerDisk {
  path: string;
  /** The disk as it is when the power returns; the first one continues unchanged. */
  cutPower(): PowerDisk;
  close(): void;
}

/** Null where none can be had: it needs Linux's root and loop devices. */
export function aPowerDisk(): PowerDisk | null {
  const folder = mkdtempSync(join(tmpdir(), "waybill-power-"));
  const image = join(folder, "image");
  try {
    run("truncate", "--size=48M", image);
    run("mkfs.ext4", "-q", "-F", image);
    return mounted(folder, image);
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
}

function mounted(folder: string, image: string): PowerDisk {
  const path = join(folder, "disk");
  mkdirSync(path);
  // Nothing is written back by itself for as long as a test lasts: only synced data reaches the image.
  run("mount", "-t", "ext4", "-o", "loop,commit=600,noatime", image, path);
  return {
    path,
    cutPower() {
      const after = mkdtempSync(join(tmpdir(), "waybill-power-"));
      copyFileSync(image, join(after, "image"));
      return mounted(after, join(after, "image"));
    },
    close() {
      run("umount", "--lazy", path);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function run(program: string, ...words: string[]): void {
  execFileSync(program, words, { stdio: "ignore" });
}
