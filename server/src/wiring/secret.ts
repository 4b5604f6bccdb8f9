import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "../config.ts";
import { listPreviousSecrets } from "../domain/settings/setting-texts.ts";
import { makeDirectory } from "./make-directory.ts";

/** Checks the data directory, closes it to others, and returns the platform's secret. Throws as what it calls. */
export function openDataDirectory(
  config: Config,
  options: { must_exist?: boolean | undefined } = {},
): string {
  prepareDataDirectory(config, options);
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
  if (config.secret !== "") return config.secret;
  if (config.database_url !== "") {
    throw new Error(
      "WAYBILL_SECRET is required with DATABASE_URL: 32 characters or more, the same for every process.",
    );
  }
  return keptSecret(config.data_dir);
}

/** Secrets whose links and sealed texts are still accepted while the operator changes the secret. */
export function readPreviousSecrets(config: Config): string[] {
  return listPreviousSecrets(config.secret_previous);
}

/**
 * Makes the data directory, or throws why it is none that can be used. With `must_exist` it throws where the embedded
 * database would be a new one, and makes nothing: a command that reads or changes what is there was started in the
 * wrong folder, or without DATABASE_URL.
 */
export function prepareDataDirectory(
  { data_dir, database_url }: Config,
  { must_exist = false }: { must_exist?: boolean | undefined } = {},
): void {
  refuseForeign(data_dir);
  const folder = resolve(data_dir);
  if (must_exist && database_url === "" && !hasDatabase(folder))
    throw new Error(`there is no database in ${folder}; set WAYBILL_DATA_DIR or DATABASE_URL`);
  for (const [step, refusal] of [
    [() => makeDirectory(folder), "cannot be made"],
    [() => accessSync(folder, constants.W_OK | constants.X_OK), "cannot be written"],
  ] as const) {
    try {
      step();
    } catch (cause) {
      throw new Error(`WAYBILL_DATA_DIR: ${folder} ${refusal}`, { cause });
    }
  }
}

/** Also where the link to the database leads nowhere, which has a refusal of its own. */
function hasDatabase(folder: string): boolean {
  return lstatSync(join(folder, "postgres"), { throwIfNoEntry: false }) !== undefined;
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
    makeDirectory(dataDir);
    writeFileSync(path, randomBytes(32).toString("base64url"), { mode: 0o600 });
  }
  chmodSync(path, 0o600);
  return readFileSync(path, "utf8").trim();
}
