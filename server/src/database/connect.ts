import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Database, Tables, Tx } from "./tables.ts";

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
}

// A dead database must turn into a 503 soon, not into a queue.
const connectTimeoutMs = 2000;
const statementTimeoutMs = 10_000;

export function connect({
  url,
  connections_max,
  application_name,
  statement_timeout_ms = statementTimeoutMs,
}: ConnectOptions): Connection {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections_max,
    application_name,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: statement_timeout_ms,
    // The server's own limit is of no use when it is the server that has stopped.
    query_timeout: statement_timeout_ms === 0 ? 0 : statement_timeout_ms + 1000,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  });
  // An idle connection that breaks is replaced by the pool; nobody was using it.
  pool.on("error", () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: namedStatements(pool) }) });
  return { db, close: () => db.destroy() };
}

const inside = new AsyncLocalStorage<{ isOpen: boolean }>();

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

/** Whether the error is that constraint (or any unique one) being violated. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, "23505") && (!constraint || error.constraint === constraint);
}

export function isCheckViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, "23514") && (!constraint || error.constraint === constraint);
}

/** No connection could be had, for whatever reason the server or the network gave. */
class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super("the database cannot be reached", { cause });
    this.name = "DatabaseAway";
  }
}

/** Whether the database is away, starting, stopping, full up or just migrated: try again soon. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseAway || isStalePlan(error)) return true;
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string") {
    // Class 08 is a broken connection, 57P0x a server that stops or starts, 53xxx one that is out of
    // connections, memory or disk, 57014 a statement that took too long.
    if (/^(08...|57P0.|53...|57014)$/.test(code)) return true;
    return ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND"].includes(code);
  }
  return /connection terminated|query read timeout|not queryable|connection error/i.test(
    error.message,
  );
}

/**
 * Whether a prepared statement outlived the columns that it was planned for: a newer release has
 * migrated the database under us. PostgreSQL refuses it before it does anything, and would for as long
 * as the connection lives. Its sentence is in the server's language; the name of its routine is not.
 */
function isStalePlan(error: unknown): boolean {
  return isDatabaseError(error, "0A000") && error.routine === "RevalidateCachedQuery";
}

function isDatabaseError(error: unknown, code: string): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === code;
}

const int8: number = pg.types.builtins.INT8;

/** int8 becomes a number, which holds every amount of cents that we can meet; beyond that it throws. */
function parserOf(oid: number, format?: "text" | "binary"): (text: string) => unknown {
  if (oid === int8) return parseInt8;
  return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
}

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is too large for a number`);
  return value;
}

// The number of texts that are worth remembering. List filters combine into many; the rest go unnamed.
const namedMax = 400;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < namedMax) {
    name = createHash("sha256").update(text).digest("base64url").slice(0, 24);
    names.set(text, name);
  }
  return name;
}

/** What Kysely's dialect sees of the pool: each query named, and none round an open transaction. */
function namedStatements(pool: pg.Pool): pg.Pool {
  const wrapped = new WeakMap<pg.PoolClient, pg.PoolClient>();
  return new Proxy(pool, {
    get(target, property) {
      if (property === "connect") {
        return async () => {
          if (inside.getStore()?.isOpen)
            throw new Error("inside a transaction, use its handle and not the database's");
          const client = await target.connect().catch((error: unknown) => {
            throw new DatabaseAway(error);
          });
          let named = wrapped.get(client);
          if (!named) wrapped.set(client, (named = namedClient(client)));
          return named;
        };
      }
      const value: unknown = Reflect.get(target, property);
      return typeof value === "function"
        ? (value as (...args: unknown[]) => unknown).bind(target)
        : value;
    },
  });
}

function namedClient(client: pg.PoolClient): pg.PoolClient {
  let isBroken = false;
  // A connection that is cut says so between two statements, too, when nobody is waiting for it.
  client.on("error", () => (isBroken = true));

  async function query(text: string, values?: unknown[]) {
    const name = values && values.length > 0 ? nameOf(text) : undefined;
    try {
      return await client.query({ text, values, ...(name ? { name } : {}) });
    } catch (error) {
      isBroken ||= isConnectionLost(error);
      // Nothing is lost outside a transaction; inside one, the whole of it has to be done again.
      if (isStalePlan(error) && client.getTransactionStatus() === "I")
        return client.query(text, values);
      throw error;
    }
  }

  return new Proxy(client, {
    get(target, property) {
      if (property === "query") return query;
      // A broken connection must not be handed to the next statement.
      if (property === "release") return () => target.release(isBroken);
      const value: unknown = Reflect.get(target, property);
      return typeof value === "function"
        ? (value as (...args: unknown[]) => unknown).bind(target)
        : value;
    },
  });
}
