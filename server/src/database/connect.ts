import { AsyncLocalStorage } from "node:async_hooks";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { openPool } from "./pool.ts";
import type { Database, Tables, Tx } from "./tables.ts";
import { watchDatabase, type WatchLog } from "./watch.ts";

/**
 * The connection to PostgreSQL. Every statement travels as a named prepared statement, because parsing
 * and planning anew costs a third of the throughput; bulk data goes in as one JSON or array parameter,
 * so the texts are few. Inside a transaction the outer handle refuses to work: a statement that went
 * round the transaction would be a bug that no test sees.
 */
export interface Connection {
  db: Database;
  close(): Promise<void>;
}

export interface ConnectOptions {
  url: string;
  connections_max: number;
  application_name: string;
  /** Longest that a statement may take; 0 is for ever, for migrations and the command line. */
  statement_timeout_ms?: number;
  /**
   * With a log the database is watched: once it says nothing for a second, whoever waits for it hears
   * `DatabaseAway`, and so does at once whoever comes, until it answers again.
   */
  watch?: WatchLog;
}

const statementTimeoutMs = 10_000;

export function connect({
  watch: log,
  statement_timeout_ms = statementTimeoutMs,
  ...address
}: ConnectOptions): Connection {
  const pool = openPool({ ...address, statement_timeout_ms });
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        ...pool,
        async connect() {
          refuseInsideTransaction();
          return pool.connect();
        },
      },
    }),
  }) as Database;
  const watch = log && watchDatabase({ ...address, log, away: pool.shut, back: pool.reopen });
  return {
    db,
    async close() {
      await watch?.stop();
      await db.destroy();
    },
  };
}

const inside = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Throws where a transaction is open around the caller: what he asked of the database would go round it. */
export function refuseInsideTransaction(): void {
  if (inside.getStore()?.isOpen)
    throw new Error("inside a transaction, use its handle and not the database's");
}

/** Runs the work in one transaction: all of it commits, or, when it throws, none of it. */
export async function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const transaction = { isOpen: true };
  try {
    return await db.transaction().execute((tx) => inside.run(transaction, () => work(tx)));
  } finally {
    // What the work set going may outlive the transaction, and is free to use the database then.
    transaction.isOpen = false;
  }
}

/** Runs reads that all see the database as it was at the first of them, and disturb nobody. */
export async function inSnapshot<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const snapshot = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return snapshot.execute(work);
}

/** Whether the error is that constraint (or any unique one) being violated. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, "23505") && (!constraint || error.constraint === constraint);
}

export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, "23503") && (!constraint || error.constraint === constraint);
}

export function isCheckViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, "23514") && (!constraint || error.constraint === constraint);
}

function isDatabaseError(error: unknown, code: string): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === code;
}
