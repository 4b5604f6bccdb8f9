import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { digestBytes, measuring } from "./check-file.ts";
import type { Files } from "./files.ts";
import { closeLater, syncFolder } from "./sync-folder.ts";

/**
 * Files in a folder, readable by their owner alone, and links to them signed with the platform's secret. A
 * file is on the disk, under its name, before `write` resolves, so what the database records of it after
 * that survives a power cut.
 */
export function filesOnDisk(options: {
  folder: string;
  secret: string;
  /** Links that these signed work until they expire. */
  previous_secrets?: readonly string[];
  public_url: () => string;
  url_valid_minutes: number;
}): Files {
  const folder = resolve(options.folder);
  const lifeSeconds = options.url_valid_minutes * 60;
  const folders = durableFolders(folder);

  function pathOf(key: string): string {
    const path = resolve(join(folder, key));
    if (!path.startsWith(folder + sep)) throw new Error(`the key ${key} leads out of the folder`);
    return path;
  }

  function sign(path: string, expires: string, secret = options.secret): string {
    const words = `GET\n${path}\n${expires}`;
    return createHmac("sha256", secret).update(words).digest("base64url");
  }

  return {
    async write(key, content) {
      if (Buffer.isBuffer(content)) {
        await writeInto(folders, pathOf(key), content);
        return digestBytes(content);
      }
      const measured = measuring(content);
      await writeInto(folders, pathOf(key), measured.content);
      return measured.digest();
    },

    async startWrite(key, content) {
      const stored = writeNew(folders, pathOf(key), content);
      // The transaction may fail before it waits for the file.
      stored.catch(() => undefined);
      return { ...digestBytes(content), stored };
    },

    async read(key) {
      const file = await openFile(pathOf(key));
      if (!file) return null;
      try {
        return await file.readFile();
      } finally {
        await file.close();
      }
    },

    async open(key) {
      const file = await openFile(pathOf(key));
      return file && streamOf(file);
    },

    link(key, now) {
      const expires = Math.floor(now.getTime() / 1000) + lifeSeconds;
      const signature = sign(`/files/${key}`, String(expires));
      return {
        url: `${options.public_url()}/files/${key}?expires=${expires}&signature=${signature}`,
        expires_at: new Date(expires * 1000),
      };
    },

    served: {
      isSigned({ method, key, expires, signature }, now) {
        if (method !== "GET" && method !== "HEAD") return false;
        if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false;
        // As text: several spellings of base64 decode to the same bytes.
        const given = Buffer.from(signature);
        return [options.secret, ...(options.previous_secrets ?? [])].some((secret) => {
          const right = Buffer.from(sign(`/files/${key}`, expires, secret));
          return given.length === right.length && timingSafeEqual(given, right);
        });
      },
    },
  };
}

/**
 * Writes a file that nothing lists yet under its own name: until the caller has heard that it is stored, half of it
 * is as good as none. Its bytes and its name go to the disk together. Where there is a file, of a process that
 * died or of one that still writes the same, it is replaced.
 */
async function writeNew(folders: Folders, path: string, content: Buffer): Promise<void> {
  let file: FileHandle;
  try {
    file = await createFile(folders, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return writeInto(folders, path, content);
  }
  const opening = open(dirname(path));
  try {
    const [folder] = await Promise.all([opening, file.writeFile(content)]);
    await Promise.all([file.sync(), folder.sync()]);
  } finally {
    closeLater(file);
    // A full disk refuses the bytes perhaps before the folder is open.
    opening.then(closeLater, () => undefined);
  }
}

/**
 * A reader sees the old bytes or the new ones, and neither a crash nor a power cut leaves half of either. The bytes and
 * the name of a new file go to the disk together. Those of a file that replaces another go one after the other,
 * because a name must not change to bytes that a power cut can take away.
 */
async function writeInto(
  folders: Folders,
  path: string,
  content: Buffer | AsyncIterable<Uint8Array>,
): Promise<void> {
  const scratch = `${path}.${randomUUID()}`;
  const file = await createFile(folders, scratch);
  try {
    const [, isReplaced] = await Promise.all([file.writeFile(content), isThere(path)]);
    if (isReplaced) {
      await file.sync();
      await moveInto(scratch, path);
      await syncFolder(dirname(path));
    } else {
      await rename(scratch, path);
      await Promise.all([file.sync(), syncFolder(dirname(path))]);
    }
  } catch (error) {
    await rm(scratch, { force: true });
    throw error;
  } finally {
    closeLater(file);
  }
}

/** Creates a file of mode 0600, and its folder where that is missing. Throws EEXIST for a name that is taken. */
async function createFile(folders: Folders, path: string): Promise<FileHandle> {
  const create = async () => {
    await folders.make(dirname(path));
    return open(path, "wx", 0o600);
  };
  try {
    return await create();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    // Folders were deleted since this process made them.
    folders.forget();
    return create();
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** A folder in the file's place is moved aside, never deleted: Waybill did not create it. */
async function moveInto(scratch: string, path: string): Promise<void> {
  try {
    await rename(scratch, path);
  } catch (error) {
    if (!["EISDIR", "ENOTEMPTY", "EEXIST"].includes(codeOf(error))) throw error;
    await rename(path, `${path}.${randomUUID()}.aside`);
    await rename(scratch, path);
  }
}

async function streamOf(file: FileHandle) {
  try {
    const { size } = await file.stat();
    return { bytes: size, content: file.createReadStream() };
  } catch (error) {
    closeLater(file);
    throw error;
  }
}

/**
 * Opens a regular file; null where there is none. A symbolic link is never followed: it could point to any
 * file. Without O_NONBLOCK a named pipe would block the process.
 */
async function openFile(path: string): Promise<FileHandle | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: FileHandle;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(codeOf(error))) return null;
    throw error;
  }
  let isFile = false;
  try {
    isFile = (await file.stat()).isFile();
  } finally {
    if (!isFile) await file.close();
  }
  return isFile ? file : null;
}

const knownFoldersMax = 10_000;

/** Folders of mode 0700 below a root, each made and synced once by each process. */
interface Folders {
  /** Once it resolves, the folder and those above it are on the disk. */
  make(path: string): Promise<void>;
  forget(): void;
}

function durableFolders(root: string): Folders {
  const known = new Map<string, Promise<void>>();

  function make(path: string): Promise<void> {
    const found = known.get(path);
    if (found) return found;
    if (known.size >= knownFoldersMax) known.clear();
    const made = makeOne(path).catch((error: unknown) => {
      known.delete(path);
      throw error;
    });
    known.set(path, made);
    return made;
  }

  async function makeOne(path: string): Promise<void> {
    const isRoot = path === root;
    if (!isRoot) await make(dirname(path));
    // The data directory above may be missing, too.
    await mkdir(path, { recursive: isRoot, mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
    await syncFolder(dirname(path));
  }

  return { make, forget: () => known.clear() };
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}
