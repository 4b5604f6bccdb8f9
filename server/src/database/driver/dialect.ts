import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
} from "kysely";
import type { PooledConnection } from "./connection.ts";
import { withKnownColumns } from "./known-columns.ts";
import type { Pool } from "./pool.ts";

/**
 * PostgreSQL as Kysely speaks to it, by a driver of our own: Kysely's hands on text and values alone, and a statement
 * may say more (`sending.ts`); and with all columns of a table read as those that are known (`known-columns.ts`).
 */
export function dialectOf(pool: Pick<Pool, "connect" | "end">): Dialect {
  // The driver is given back what it handed out.
  const ours = (connection: DatabaseConnection) => connection as PooledConnection;
  return {
    createDriver: () => ({
      init: async () => undefined,
      acquireConnection: () => pool.connect(),
      beginTransaction: (connection, settings) => ours(connection).begin(settings),
      commitTransaction: (connection) => ours(connection).commit(),
      rollbackTransaction: (connection) => ours(connection).rollback(),
      releaseConnection: async (connection) => ours(connection).release(),
      destroy: () => pool.end(),
    }),
    createQueryCompiler() {
      const compiler = new PostgresQueryCompiler();
      return {
        compileQuery: (node, id) => compiler.compileQuery(withKnownColumns(node), id),
      };
    },
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}
