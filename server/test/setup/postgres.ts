import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { readConfig } from "../../src/config.ts";
import { connect } from "../../src/database/connect.ts";
import { startEmbedded } from "../../src/database/embedded-postgres/embedded-postgres.ts";
import { migrate } from "../../src/database/migrate.ts";
import type { Database } from "../../src/database/tables.ts";
import { systemClock } from "../../src/domain/time/clock.ts";
import { keepLogPartitions } from "../../src/wiring/log-upkeep.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this run's databases, and the templates that they are copied from. */
    postgres: TestPostgres;
  }
}

interface TestPostgres {
  url: string;
  template: string;
  /** The same with the partitions of the logs of these days, which each platform would make at its start. */
  platform_template: string;
}

/** Of several runs that share a server and its template: both, as JSON. The first one's caller stops it. */
export const sharedPostgres = "WAYBILL_TEST_POSTGRES";

/** One PostgreSQL for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = process.env[sharedPostgres];
  const { stop, ...postgres } = shared
    ? { ...(JSON.parse(shared) as TestPostgres), stop: async () => {} }
    : await startTestPostgres();
  project.provide("postgres", postgres);
  return stop;
}

/**
 * The server of DATABASE_URL, or an embedded one in a folder of its own, without fsync, because a test's rows
 * are not needed after a power cut. The migrations run once, into a template that each test file copies.
 */
export async function startTestPostgres(): Promise<TestPostgres & { stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-test-"));
  chmodSync(folder, 0o755);
  const given = process.env["DATABASE_URL"];
  // Concurrent test files have several processes each, and each a pool.
  const options = { data_dir: folder, fsync: false, connections_max: 400 };
  const embedded = given ? null : await startEmbedded(options);
  const url = given ?? embedded!.url;
  // Runs that share a server must not collide, not even those of two machines.
  const template = `waybill_template_${randomBytes(6).toString("hex")}`;

  const platform_template = `${template}_platform`;

  async function stop(): Promise<void> {
    await withServer(url, async (server) => {
      for (const each of [template, platform_template])
        await server.query(`DROP DATABASE IF EXISTS ${each} WITH (FORCE)`);
    });
    await embedded?.stop();
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    if (embedded) await cheapenLogins(url);
    await withServer(url, (server) => server.query(`CREATE DATABASE ${template}`));
    await inDatabase(named(url, template), migrate);
    await withServer(url, (server) =>
      server.query(`CREATE DATABASE ${platform_template} TEMPLATE ${template} STRATEGY file_copy`),
    );
    await inDatabase(named(url, platform_template), (db) =>
      keepLogPartitions({ db, config: readConfig({}), clock: systemClock }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, template, platform_template, stop };
}

/** Tests make thousands of connections, and each computes as often what 4096 rounds make of the password. */
function cheapenLogins(url: string): Promise<void> {
  const { username, password } = new URL(url);
  return withServer(url, async (server) => {
    await server.query("SET scram_iterations = 1");
    await server.query(`ALTER ROLE ${username} PASSWORD '${password}'`);
  });
}

async function inDatabase(url: string, work: (db: Database) => Promise<unknown>): Promise<void> {
  const { db, close } = connect({ url, connections_max: 2, application_name: "template" });
  try {
    await work(db);
  } finally {
    await close();
  }
}

async function withServer(
  url: string,
  work: (server: pg.Client) => Promise<unknown>,
): Promise<void> {
  const server = new pg.Client({ connectionString: url });
  await server.connect();
  try {
    await work(server);
  } finally {
    await server.end();
  }
}

/** The same server's address for another of its databases. */
function named(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
