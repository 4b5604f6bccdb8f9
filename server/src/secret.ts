import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";

const shortest = 32;

/**
 * The platform's secret, which signs links. On the embedded default it is made once and kept in the
 * data directory; with a database of the operator's own it must be given, because every process that
 * shares the database must share it.
 */
export function readSecret(config: Config): string {
  if (config.secret !== "") {
    if (config.secret.length < shortest) {
      throw new Error(
        `WAYBILL_SECRET has ${config.secret.length} characters; it needs ${shortest} or more.`,
      );
    }
    return config.secret;
  }
  if (config.database_url !== "") {
    throw new Error(
      "WAYBILL_SECRET is required with DATABASE_URL: 32 characters or more, the same for every process.",
    );
  }
  return keptSecret(config.data_dir);
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
