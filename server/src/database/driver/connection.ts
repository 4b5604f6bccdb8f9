import type { CompiledQuery, DatabaseConnection, QueryResult, TransactionSettings } from "kysely";
import type pg from "pg";
import { DatabaseUnavailable, isBroken, isStalePlan, shouldDiscardConnection } from "../errors.ts";
import { pipelineOf, sendUnnamed } from "./pipeline.ts";
import type { SentQuery } from "./sending.ts";

/** A connection as Kysely uses it: one object for each, always the same. */
export interface PooledConnection extends DatabaseConnection {
  begin(settings: TransactionSettings): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Assigns it to a caller; `leave` is called when that releases it. */
  lease(leave: () => void): PooledConnection;
  release(): void;
}

/** The connection of a client of the pool. A broken one is not reused. */
export function pooledConnection(client: pg.PoolClient): PooledConnection {
  const pipeline = pipelineOf(client);
  let isSpent = false;
  let leave = () => {};
  // A lost connection is also reported between two statements, when no statement waits for it.
  client.on("error", () => (isSpent = true));

  function toThrow(error: unknown): unknown {
    isSpent ||= shouldDiscardConnection(error);
    if (!isBroken(error) || error instanceof DatabaseUnavailable) return error;
    return new DatabaseUnavailable("the connection broke", { may_have_run: true, cause: error });
  }

  async function send(query: SentQuery): Promise<pg.QueryResult> {
    const { sql: text, parameters, as_texts = false } = query;
    const values = parameters as unknown[];
    try {
      return await pipeline.execute(text, values, query);
    } catch (error) {
      const thrown = toThrow(error);
      // Nothing is lost outside a transaction; inside one, the whole of it has to be done again.
      if (isStalePlan(error) && client.getTransactionStatus() === "I")
        return sendUnnamed(client, { text, values, as_texts });
      throw thrown;
    }
  }

  async function ended(end: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    try {
      return await end;
    } catch (error) {
      throw toThrow(error);
    }
  }

  const connection: PooledConnection = {
    async executeQuery<Row>(query: CompiledQuery) {
      try {
        return resultOf<Row>(await send(query));
      } catch (error) {
        throw withCallers(error, new Error());
      }
    },
    streamQuery() {
      throw new Error("streaming of rows is not supported");
    },
    async begin({ isolationLevel, accessMode }) {
      const level = isolationLevel ? ` isolation level ${isolationLevel}` : "";
      await ended(pipeline.begin(accessMode ? `${level} ${accessMode}` : level));
    },
    async commit() {
      // PostgreSQL answers COMMIT with ROLLBACK where a statement had failed and its error was not passed on.
      if ((await ended(pipeline.commit())).command === "ROLLBACK")
        throw new Error("the transaction was rolled back: a statement in it had failed");
    },
    async rollback() {
      try {
        await ended(pipeline.rollback());
      } catch (error) {
        isSpent = true;
        throw error;
      }
    },
    lease(given) {
      leave = given;
      return connection;
    },
    release() {
      // A broken connection must not be used for the next statement.
      client.release(isSpent);
      leave();
    },
  };
  return connection;
}

const countedCommands = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

function resultOf<Row>({ command, rowCount, rows }: pg.QueryResult): QueryResult<Row> {
  const found = { rows: (rows as Row[] | undefined) ?? [] };
  return countedCommands.has(command)
    ? { ...found, numAffectedRows: BigInt(rowCount ?? 0) }
    : found;
}

/** An error of the socket has a stack trace without the caller. */
function withCallers(error: unknown, here: Error): unknown {
  if (error instanceof Error && here.stack)
    error.stack += `\n${here.stack.split("\n").slice(1).join("\n")}`;
  return error;
}
