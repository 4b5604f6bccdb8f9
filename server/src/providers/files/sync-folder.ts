import { open } from "node:fs/promises";

/**
 * Writes the folder's list of names to the disk. Without it a power cut may lose the creation or renaming
 * of a file, though the file itself was synced.
 */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
