import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { keepRunning } from "./keeper.ts";
import { lockDataDirectory } from "./lock.ts";
import { endOrphan } from "./orphan.ts";
import { findInstallation, chownTo } from "./installation.ts";
import { environment, launch, stopTimeoutMs, user, type Setup } from "./server.ts";
import type { WatchLog } from "../health/health-monitor.ts";

/**
 * The PostgreSQL that comes with Waybill: real binaries from npm, started as a child with its data in the
 * data directory, reached by a Unix socket there, and over TCP on 127.0.0.1. When the child dies, it is started again at the same
 * address. It survives a killed parent; the next start finds it by its pid file, shuts it down cleanly and
 * starts a new one on the same data.
 */
export interface Embedded {
  url: string;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  data_dir: string;
  /** Off for tests only: a power failure may then lose commits. */
  fsync?: boolean;
  /** More than a platform's processes need, for tests that start many platforms on one server. */
  connections_max?: number;
  /** Other programs than npm's: the machine's own PostgreSQL, for a test on an older release. */
  bin?: string;
  /** Logs when it dies by itself and is started again. */
  log?: WatchLog;
}

/**
 * Throws when another process holds the directory, naming it, or when PostgreSQL does not start, with its
 * last output. `stop` ends it with a fast shutdown and may be called again.
 */
export async function startEmbedded({
  data_dir,
  fsync = true,
  connections_max,
  bin,
  log,
}: EmbeddedOptions): Promise<Embedded> {
  const locks = [lockDataDirectory(resolve(data_dir))];
  const unlock = () => locks.forEach((release) => release());
  try {
    const folder = realpathSync(data_dir);
    const installation = findInstallation(folder);
    // Two copies of one data directory may link to the same cluster.
    if (dirname(installation.data) !== folder)
      locks.push(lockDataDirectory(dirname(installation.data)));
    const password = keepPassword(folder);
    await initialise({ folder, installation, password, bin });
    const start = async (port?: number) => {
      const stale_pid = await endOrphan(installation.data, stopTimeoutMs);
      return launch({
        folder,
        installation,
        password,
        bin,
        fsync,
        connections_max,
        stale_pid,
        port,
      });
    };
    const first = await start();
    const kept = keepRunning(first, { start: () => start(first.port), log });
    let stopping: Promise<void> | null = null;
    return {
      url: first.url,
      stop: () => (stopping ??= kept.stop().finally(unlock)),
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Written to a temporary file and renamed, so that a crash leaves all of it or nothing. */
function keepPassword(folder: string): string {
  const path = join(folder, "postgres-password");
  if (!existsSync(path)) {
    writeFileSync(`${path}.new`, randomBytes(24).toString("hex"), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return readFileSync(path, "utf8").trim();
}

/** Creates the cluster in a temporary folder and renames it, so that a crash leaves all of it or nothing. */
async function initialise({ folder, installation, password, bin }: Setup): Promise<void> {
  if (existsSync(join(installation.data, "PG_VERSION"))) return;
  const scratch = `${installation.data}.new`;
  const passwordFile = `${installation.data}.password`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  chownTo(installation, scratch);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  chownTo(installation, passwordFile);
  // The bundled PostgreSQL has a built-in collation, the same on every machine; releases before 17 have none.
  const locale = bin
    ? ["--locale=C.UTF-8"]
    : ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const login = [`--username=${user}`, "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  try {
    await promisify(execFile)(
      join(bin ?? installation.bin, "initdb"),
      [`--pgdata=${scratch}`, "--encoding=UTF8", ...locale, ...login],
      { ...installation.identity, env: environment, cwd: scratch },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(scratch, installation.data);
  const path = join(folder, "postgres");
  if (installation.data !== path) symlinkSync(installation.data, path);
}
