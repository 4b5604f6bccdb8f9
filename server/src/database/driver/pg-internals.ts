import pg from "pg";

/**
 * All that we know of pg beyond what it documents: how a query writes its messages, and that a connection hands it
 * every answer up to ReadyForQuery. `pg-internals.test.ts` holds the version of which this is true.
 */

/** A statement that is sent under a name once it was prepared under it. */
export interface Statement {
  text: string;
  values: unknown[];
  name?: string;
}

/**
 * Sends prepared statements in one write, and one Sync behind them. pg knows one query at a time, so the
 * last of them stands for all and hears every answer.
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
        // A value that cannot be written: what was to come before or after it must not be done without it.
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
