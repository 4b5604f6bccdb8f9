import { open, readdir, readFile, mkdir, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { closeLater, syncFolder } from "./sync-folder.ts";

/**
 * Files that only grow, beside the store of files: names are paths of two parts, a folder and a file. What was
 * appended stays readable when the process dies in the middle of the next part: of that, a beginning may be there.
 */
export interface AppendedFiles {
  /** Throws where there is a file of that name. */
  begin(name: string): Promise<AppendedFile>;
  /** The folders, and the names in one of them: in the order of their letters. */
  folders(): Promise<string[]>;
  names(folder: string): Promise<string[]>;
  read(name: string): Promise<Buffer>;
  /** Removes a folder with its files; nothing where there is none. */
  remove(folder: string): Promise<void>;
}

export interface AppendedFile {
  /** Resolves once the bytes are on stable storage. After an error the file may end anywhere. */
  append(bytes: Buffer): Promise<void>;
  close(): void;
}

/** In a folder, readable by its owner alone. */
export function appendedOnDisk(path: string): AppendedFiles {
  const root = resolve(path);
  return {
    async begin(name) {
      const folder = join(root, dirname(name));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(join(root, name), "ax", 0o600);
      try {
        await syncFolder(folder);
        await syncFolder(root);
        await syncFolder(dirname(root));
      } catch (error) {
        closeLater(file);
        throw error;
      }
      return {
        async append(bytes) {
          await file.appendFile(bytes);
          await file.datasync();
        },
        close: () => closeLater(file),
      };
    },
    folders: () => sorted(root),
    names: async (folder) => (await sorted(join(root, folder))).map((name) => `${folder}/${name}`),
    read: (name) => readFile(join(root, name)),
    async remove(folder) {
      for (const name of await sorted(join(root, folder))) await rm(join(root, folder, name));
      await rmdir(join(root, folder)).catch(unlessMissing);
    },
  };
}

async function sorted(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(unlessMissing);
  return (names ?? []).sort();
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
