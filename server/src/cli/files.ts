import { accessSync, constants, statSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Readable } from "node:stream";

/** The files that commands are given: refused before a database is opened, when they cannot be read or written. */

export interface Input {
  bytes: number;
  /** Its content, once. */
  read(): Readable;
}

/** Opens a file for the work, and closes it afterwards. Throws when it cannot be read or is a folder. */
export async function withInput<T>(path: string, work: (input: Input) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await work(await inputOf(file, path));
  } finally {
    await file.close();
  }
}

async function inputOf(file: FileHandle, path: string): Promise<Input> {
  const found = await file.stat();
  if (found.isDirectory()) throw aFolder(path);
  return { bytes: found.size, read: () => file.createReadStream({ autoClose: false }) };
}

/** Throws when a file of this name cannot be written. */
export function refuseUnwritable(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw aFolder(path);
  accessSync(dirname(resolve(path)), constants.W_OK | constants.X_OK);
}

function aFolder(path: string): Error {
  return new Error(`${path} is a folder, not a file`);
}
