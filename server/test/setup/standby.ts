import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { endOrphan } from "../../src/database/embedded-postgres/orphan.ts";
import { findInstallation, chownTo } from "../../src/database/embedded-postgres/installation.ts";
import { startEmbedded } from "../../src/database/embedded-postgres/embedded-postgres.ts";
import { launch, type Running } from "../../src/database/embedded-postgres/server.ts";

/** A PostgreSQL server of a test's own, whose folder can be copied while it is stopped. */
export interface Server {
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** All its processes at once, as when the machine dies. */
  kill(): Promise<void>;
  /** Another server with a copy of its data; this one must be stopped. A standby of it, if asked. */
  copy(options?: { is_standby?: boolean }): Promise<Server>;
  /** Runs one statement. */
  ask(text: string): Promise<unknown[]>;
}

/** Servers that end with the test. */
export async function serversOf(undo: (() => Promise<unknown>)[]): Promise<Server> {
  const data_dir = await folderFor(undo);
  const making = await startEmbedded({ data_dir });
  await making.stop();
  return serverIn(data_dir, undo);
}

async function folderFor(undo: (() => Promise<unknown>)[]): Promise<string> {
  const data_dir = await mkdtemp(join(tmpdir(), "waybill-standby-"));
  await chmod(data_dir, 0o755);
  undo.push(() => rm(data_dir, { recursive: true, force: true }));
  return data_dir;
}

async function serverIn(data_dir: string, undo: (() => Promise<unknown>)[]): Promise<Server> {
  const folder = realpathSync(data_dir);
  const installation = findInstallation(folder);
  const password = readFileSync(join(folder, "postgres-password"), "utf8").trim();
  const setup = {
    folder,
    installation,
    password,
    bin: undefined,
    fsync: true,
    connections_max: 50,
  };
  let running: Running | null = await launch({ ...setup, stale_pid: null });
  const { port, url } = running;
  undo.push(async () => running?.end());
  const stop = async () => {
    await running?.end();
    running = null;
  };
  return {
    url,
    stop,
    async start() {
      const stale_pid = await endOrphan(installation.data, 5000);
      running = await launch({ ...setup, stale_pid, port });
    },
    async kill() {
      process.kill(running!.pid, "SIGQUIT");
      await running!.gone;
      await stop();
    },
    async copy({ is_standby = false } = {}) {
      const other = await folderFor(undo);
      execFileSync("cp", ["-a", installation.data, join(folder, "postgres-password"), other]);
      if (is_standby) {
        const data = join(other, "postgres");
        writeFileSync(join(data, "standby.signal"), "");
        chownTo(installation, join(data, "standby.signal"));
        const info = `host=127.0.0.1 port=${port} user=waybill password=${password} application_name=standby`;
        appendFileSync(
          join(data, "postgresql.auto.conf"),
          `primary_conninfo = '${info}'\nwal_retrieve_retry_interval = 200\n`,
        );
      }
      rmSync(join(other, "postgres", "postmaster.pid"), { force: true });
      return serverIn(other, undo);
    },
    async ask(text) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query(text)).rows as unknown[];
      } finally {
        await client.end();
      }
    },
  };
}
