import pg from "pg";

/**
 * All undocumented behaviour of pg that the driver relies on: how a query writes its messages, and that a
 * connection passes it every result up to ReadyForQuery. `pg-internals.test.ts` states the version for which
 * it was verified.
 */

/** A prepared statement: after the first time it is sent by its name. */
export interface Statement {
  text: string;
  values: unknown[];
  name?: string;
  rowMode?: "array";
  types?: { getTypeParser: () => (text: string) => string };
}

/**
 * Sends prepared statements in one write, and one Sync behind them. pg knows one query at a time, so the last
 * of them represents all and receives every result.
 */
export function sendPipelined(
  client: pg.PoolClient,
  statements: readonly Statement[],
): Promise<pg.QueryResult[]> {
  return new Promise((resolve, reject) => {
    const queries = statements.map((statement) => new pg.Query(statement));
    const submitAll = (connection: pg.Connection) => {
      const { stream } = connection;
      const unsynced = Object.create(connection, {
        sync: { value: () => undefined },
      }) as pg.Connection;
      stream.cork();
      try {
        for (const query of queries) pg.Query.prototype.submit.call(query, unsynced);
        connection.sync();
      } catch (error) {
        // A value that cannot be serialized: the statements before and after it must not be executed without
        // it.
        stream.destroy(error as Error);
      } finally {
        stream.uncork();
      }
      return null;
    };
    const all = Object.assign(queries.at(-1)!, {
      submit: submitAll,
      callback: (error: Error | null, results: unknown) =>
        error ? reject(error) : resolve(results as pg.QueryResult[]),
    });
    client.query(all);
  });
}
