import { open, type FileHandle } from "node:fs/promises";

/**
 * Writes the folder's list of names to the disk. Without it a power cut may lose the creation or renaming
 * of a file, though the file itself was synced.
 */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    closeLater(folder);
  }
}

/** Closes what was synced, without a wait: an error of it says nothing about what is on the disk. */
export function closeLater(file: FileHandle): void {
  file.close().catch(() => undefined);
}
