import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { connect, type Connection } from "../../src/database/connect.ts";

export interface TestDatabase extends Connection {
  url: string;
}

/** An empty database with the whole schema, of the caller's own. `close` drops it. */
export function testDatabase(): Promise<TestDatabase> {
  // The files are copied: page by page through the log, the default, takes three times as long.
  return createDatabase(`TEMPLATE ${inject("postgres").template} STRATEGY file_copy`);
}

/** The same for a platform: with what its start would make, the partitions of the logs. */
export function platformDatabase(): Promise<TestDatabase> {
  return createDatabase(`TEMPLATE ${inject("postgres").platform_template} STRATEGY file_copy`);
}

/** A database without any table. */
export function bareDatabase(): Promise<TestDatabase> {
  return createDatabase("");
}

/** The same database through a port of this machine where a proxy or a pooler listens, not by the server's Unix socket. */
export function throughPort(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  url.searchParams.delete("host");
  return url.href;
}

async function createDatabase(terms: string): Promise<TestDatabase> {
  const { url } = inject("postgres");
  const name = `waybill_${randomBytes(6).toString("hex")}`;
  await onServer(url, `CREATE DATABASE ${name} ${terms}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  const connection = connect({ url: address.href, connections_max: 20, application_name: "test" });
  return {
    url: address.href,
    db: connection.db,
    async close() {
      await connection.close();
      await onServer(url, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const server = new pg.Client({ connectionString: url });
  await server.connect();
  try {
    await server.query(statement);
  } finally {
    await server.end();
  }
}
