import { AsyncLocalStorage } from "node:async_hooks";
import { CompiledQuery, Kysely } from "kysely";
import pg from "pg";
import { activityOf } from "../domain/scheduling/activity.ts";
import type { Ask } from "./health/continuity.ts";
import { dialectOf } from "./driver/dialect.ts";
import { openPool } from "./driver/pool.ts";
import type { Database, Tables, Tx } from "./tables.ts";
import { watchDatabase, type WatchLog } from "./health/health-monitor.ts";

/**
 * The connection to PostgreSQL. Every statement is sent as a named prepared statement, because parsing and
 * planning anew costs a third of the throughput; bulk data is sent as one JSON or array parameter, so the
 * texts are few. Inside a transaction the outer handle refuses to work: a statement outside the transaction
 * would be a bug that no test finds.
 */
export interface Connection {
  db: Database;
  close(): Promise<void>;
}

interface ConnectOptions {
  url: string;
  connections_max: number;
  application_name: string;
  /** Longest that a statement may take; 0 is without a limit, for migrations and the command line. */
  statement_timeout_ms?: number;
  /**
   * With a log the database is monitored: once it does not answer for a second, every caller that waits for
   * it gets `DatabaseUnavailable`, and later ones get it at once, until it answers again.
   */
  watch?: WatchLog;
  /** Checks each new connection against the known state of the database, before it is used. */
  check?: (ask: Ask) => Promise<void>;
}

const statementTimeoutMs = 10_000;

/** The database at `url`. Connections are opened when they are needed; `close` ends all of them. */
export function connect({
  watch: log,
  statement_timeout_ms = statementTimeoutMs,
  ...address
}: ConnectOptions): Connection {
  const { check, ...server } = address;
  const pool = openPool({ ...server, statement_timeout_ms, check });
  const db = new Kysely<Tables>({
    dialect: dialectOf({
      ...pool,
      async connect() {
        refuseInsideTransaction();
        return pool.connect();
      },
    }),
  }) as Database;
  const watch =
    log &&
    watchDatabase({
      ...server,
      log,
      onUnavailable: pool.shut,
      onAvailable: pool.reopen,
      activity: activityOf(db),
    });
  return {
    db,
    async close() {
      await watch?.stop();
      await db.destroy();
    },
  };
}

interface Transaction {
  isOpen: boolean;
  after_commit: Set<(db: Database) => void>;
}

const inside = new AsyncLocalStorage<Transaction>();

/**
 * Throws where a transaction is open around the caller: its statement would not be part of the transaction.
 */
export function refuseInsideTransaction(): void {
  if (inside.getStore()?.isOpen)
    throw new Error("inside a transaction, use its handle and not the database's");
}

/** Runs the work in one transaction: all of it commits, or, when it throws, none of it. */
export async function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const transaction: Transaction = { isOpen: true, after_commit: new Set() };
  try {
    const done = await db.transaction().execute((tx) => inside.run(transaction, () => work(tx)));
    for (const tell of transaction.after_commit) tell(db);
    return done;
  } finally {
    // Work started by the transaction may outlive it, and may use the database then.
    transaction.isOpen = false;
  }
}

/**
 * Calls `tell` once the transaction around the caller has committed, and once only, however often it is asked
 * for. It must not throw. What has to happen must not depend on it: the process may die first.
 */
export function afterCommit(tell: (db: Database) => void): void {
  inside.getStore()?.after_commit.add(tell);
}

/** Runs reads in one snapshot, without locks. */
export async function inSnapshot<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const snapshot = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return snapshot.execute(work);
}

/** Runs the work's statements all on one connection, each committing by itself. */
export async function onOneConnection<T>(db: Database, work: (ask: Ask) => Promise<T>): Promise<T> {
  return db
    .connection()
    .execute((connection) =>
      work(
        async (text, values = []) =>
          (await connection.executeQuery(CompiledQuery.raw(text, values))).rows as never,
      ),
    );
}

/** Whether the error is that constraint (or any unique one) being violated. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, "23505") && (!constraint || error.constraint === constraint);
}

/** Whether the error is that constraint (or any foreign key) being violated. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, "23503") && (!constraint || error.constraint === constraint);
}

/** Whether the error is that constraint (or any check) being violated. */
export function isCheckViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, "23514") && (!constraint || error.constraint === constraint);
}

/** Whether PostgreSQL cancelled the statement at its timeout. */
export function isCancelled(error: unknown): boolean {
  return isDatabaseError(error, "57014");
}

function isDatabaseError(error: unknown, code: string): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === code;
}
