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
 * Kysely's dialect of PostgreSQL with a driver of Waybill's own: Kysely's passes on text and values alone,
 * while a statement may have options (`sending.ts`). `selectAll()` is compiled to the known columns
 * (`known-columns.ts`).
 */
export function dialectOf(pool: Pick<Pool, "connect" | "end">): Dialect {
  // Kysely releases only connections that this driver returned.
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
