import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { startEmbedded } from "../../src/database/embedded-postgres/embedded-postgres.ts";
import { endOrphan } from "../../src/database/embedded-postgres/orphan.ts";
import { findInstallation, chownTo } from "../../src/database/embedded-postgres/installation.ts";
import { launch, type Running } from "../../src/database/embedded-postgres/server.ts";

/**
 * A PostgreSQL of a test's own, to be killed and stopped: of this run's release, with fsync, and
 * without automatic restart.
 */
export interface Cluster {
  url: string;
  /** All its processes at once, as when the machine dies. */
  kill(): Promise<void>;
  /** Resolves when it lets connections in again. */
  start(): Promise<void>;
  /** Suspends all its processes. */
  freeze(): void;
  thaw(): void;
  /** Makes the user that it runs as the owner of a file or folder. */
  give(path: string): void;
  close(): Promise<void>;
}

export async function aCluster(): Promise<Cluster> {
  const data_dir = await mkdtemp(join(tmpdir(), "waybill-cluster-"));
  await chmod(data_dir, 0o755);
  const bin = await programsOfThisRun();
  const making = await startEmbedded({ data_dir, ...(bin ? { bin } : {}) });
  await making.stop();
  const installation = findInstallation(data_dir);
  const setup = {
    folder: data_dir,
    installation,
    password: readFileSync(join(data_dir, "postgres-password"), "utf8").trim(),
    bin,
    fsync: true,
  };
  let running: Running = await launch({ ...setup, stale_pid: null });
  const { port, url } = running;
  const signal = (name: NodeJS.Signals) =>
    [running.pid, ...childrenOf(running.pid)].forEach((pid) => process.kill(pid, name));

  return {
    url,
    async kill() {
      signal("SIGKILL");
      await running.gone;
      await running.end();
    },
    async start() {
      const stale_pid = await endOrphan(installation.data, 5000);
      running = await launch({ ...setup, stale_pid, port });
    },
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    give: (path) => chownTo(installation, path),
    async close() {
      await running.end();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

/** The folder of the programs of DATABASE_URL's server, if it runs on this machine; else those of npm. */
async function programsOfThisRun(): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: inject("postgres").url });
  await client.connect();
  try {
    const { rows } = await client.query<{ setting: string }>(
      "SELECT setting FROM pg_config WHERE name = 'BINDIR'",
    );
    const bin = rows[0]!.setting;
    const isGiven = process.env["DATABASE_URL"] !== undefined;
    return isGiven && existsSync(join(bin, "initdb")) ? bin : undefined;
  } finally {
    await client.end();
  }
}

function childrenOf(parent: number): number[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, ppid]) => ppid === parent)
    .map(([pid]) => pid!);
}
