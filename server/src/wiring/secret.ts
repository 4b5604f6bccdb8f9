import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "../config.ts";

const shortest = 32;

/** Checks the data directory, closes it to others, and returns the platform's secret. Throws as what it calls. */
export function openDataDirectory(config: Config): string {
  refuseForeign(config.data_dir);
  const secret = readSecret(config);
  closeToOthers(config.data_dir);
  return secret;
}

/**
 * The platform's secret, which signs links and seals what the database must return
 * (`domain/accounts/sealer.ts`). On the embedded default it is made once and kept in the data directory; with
 * a database of the operator's own it must be given, because all processes on one database need the same.
 */
export function readSecret(config: Config): string {
  if (config.secret !== "") {
    refuseShort("WAYBILL_SECRET", config.secret);
    return config.secret;
  }
  if (config.database_url !== "") {
    throw new Error(
      "WAYBILL_SECRET is required with DATABASE_URL: 32 characters or more, the same for every process.",
    );
  }
  return keptSecret(config.data_dir);
}

/** Secrets whose links and sealed texts are still accepted while the operator changes the secret. */
export function readPreviousSecrets(config: Config): string[] {
  const previous = config.secret_previous.split(",").filter((secret) => secret !== "");
  for (const secret of previous) refuseShort("WAYBILL_SECRET_PREVIOUS", secret);
  return previous;
}

function refuseShort(setting: string, secret: string): void {
  if (secret.length >= shortest) return;
  throw new Error(`${setting} has ${secret.length} characters; it needs ${shortest} or more.`);
}

/**
 * Throws where the data directory is no directory, or one that all users share: closed to others, as it would be under root,
 * `/tmp` or a device would be lost for every other program.
 */
export function refuseForeign(dataDir: string): void {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isDirectory()) throw new Error(`WAYBILL_DATA_DIR: ${dataDir} is not a directory.`);
  const isShared = (found.mode & stickyBit) !== 0 && (found.mode & 0o002) !== 0;
  if (isShared || resolve(dataDir) === "/")
    throw new Error(
      `WAYBILL_DATA_DIR: ${dataDir} is shared by all users; name a directory that only Waybill uses.`,
    );
}

/** In a folder with it users may delete only what is theirs. */
const stickyBit = 0o1000;

/**
 * Restricts the data directory to its owner, also one that an older release made. Under root, PostgreSQL's
 * own user has to traverse it and may see nothing. A directory of another owner, on shared storage for
 * example, stays as it is.
 */
export function closeToOthers(dataDir: string): void {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  for (const [path, its] of [
    [dataDir, mode],
    [join(dataDir, "files"), 0o700],
    [join(dataDir, "simulator"), 0o700],
  ] as const) {
    try {
      if (existsSync(path)) chmodSync(path, its);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
    }
  }
}

function keptSecret(dataDir: string): string {
  const path = join(dataDir, "secret");
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(path, randomBytes(32).toString("base64url"), { mode: 0o600 });
  }
  chmodSync(path, 0o600);
  return readFileSync(path, "utf8").trim();
}
