import { Socket } from "node:net";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import { journeysOf } from "./journeys.ts";
import { DatabaseAway, isBroken, isStalePlan, isWornOut } from "./trouble.ts";

/**
 * The connections of this process. A broken one is never handed on; and when the database is away, nobody
 * waits for it: the pool is shut, whoever holds or awaits a connection hears so at once, and so does
 * whoever comes.
 */
export interface Pool extends PostgresPool {
  /** Destroys every connection and refuses new ones until `reopen`. */
  shut(cause: unknown): void;
  reopen(): void;
}

export interface PoolOptions {
  url: string;
  connections_max: number;
  application_name: string;
  statement_timeout_ms: number;
}

// With every connection taken, a refusal has to come within two seconds of the request (docs/reliability.md).
const acquireTimeoutMs = 1500;

// A process that falls asleep inside a transaction keeps its locks from everybody: PostgreSQL ends it
// before those who wait for them give up, and long before a recovery has to be done.
const idleInTransactionMs = 5000;

export function openPool(options: PoolOptions): Pool {
  const sockets = new Set<Socket>();
  const pool = createPool(options, sockets);
  const named = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  // Before anybody has it: a server may end a connection in the very breath that opens it, and an error
  // that nobody listens for would end our process.
  pool.on("connect", (client) => named.set(client, namedClient(client)));
  const waiting = new Set<(error: DatabaseAway) => void>();
  let away: { cause: unknown } | null = null;
  // Each hears an error of his own, because errors are added to on their way up.
  const refusal = () => new DatabaseAway("the database is away", { may_have_run: false, ...away });

  function acquire(): Promise<PostgresPoolClient> {
    return new Promise((resolve, reject) => {
      if (away) return reject(refusal());
      waiting.add(reject);
      pool.connect().then(
        (client) => {
          // Whoever waited has been told that the database is away.
          if (!waiting.delete(reject)) return client.release();
          resolve(named.get(client)!);
        },
        (cause: unknown) => {
          waiting.delete(reject);
          reject(new DatabaseAway("no connection could be had", { may_have_run: false, cause }));
        },
      );
    });
  }

  return {
    options: pool.options,
    connect: acquire,
    end: () => pool.end(),
    shut(cause) {
      away = { cause };
      for (const reject of waiting) reject(refusal());
      waiting.clear();
      const message = "the database stopped answering";
      for (const socket of sockets)
        socket.destroy(new DatabaseAway(message, { may_have_run: true, cause }));
    },
    reopen() {
      away = null;
    },
  };
}

/** `sockets` holds those that are open, also before they are of use, so that they can be destroyed. */
function createPool(options: PoolOptions, sockets: Set<Socket>): pg.Pool {
  const { statement_timeout_ms } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections_max,
    application_name: options.application_name,
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: statement_timeout_ms,
    idle_in_transaction_session_timeout: statement_timeout_ms === 0 ? 0 : idleInTransactionMs,
    // The server's own limit is of no use when it is the server that has stopped.
    query_timeout: statement_timeout_ms === 0 ? 0 : statement_timeout_ms + 1000,
    keepAlive: true,
    types: { getTypeParser: parserOf },
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once("close", () => sockets.delete(socket));
    },
  });
  // An idle connection that breaks is replaced by the pool; nobody was using it.
  pool.on("error", () => undefined);
  return pool;
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

/** What Kysely sees of a connection. */
function namedClient(client: pg.PoolClient): PostgresPoolClient {
  const send = journeysOf(client);
  let isSpent = false;
  // A connection that is cut says so between two statements, too, when nobody is waiting for it.
  client.on("error", () => (isSpent = true));

  async function query(text: string, values: unknown[]) {
    try {
      return await send(text, values);
    } catch (error) {
      isSpent ||= isWornOut(error);
      // Nothing is lost outside a transaction; inside one, the whole of it has to be done again.
      if (isStalePlan(error) && client.getTransactionStatus() === "I")
        return client.query(text, values);
      if (!isBroken(error) || error instanceof DatabaseAway) throw error;
      throw new DatabaseAway("the connection broke", { may_have_run: true, cause: error });
    }
  }

  return {
    query: query as unknown as PostgresPoolClient["query"],
    // A broken connection must not be handed to the next statement.
    release: (isDiscarded) => client.release(isDiscarded || isSpent),
  };
}
