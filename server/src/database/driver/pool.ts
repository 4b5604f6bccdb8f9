import { Socket } from "node:net";
import pg from "pg";
import { aBound, bulkhead, type Seeker } from "../../domain/scheduling/bulkhead.ts";
import type { Ask } from "../health/continuity.ts";
import { pooledConnection, type PooledConnection } from "./connection.ts";
import { currentBehalf } from "./on-behalf-of.ts";
import { DatabaseUnavailable } from "../errors.ts";

/**
 * The connections of this process. A broken one is never reused; and while the database is unavailable, no
 * caller waits for it: the pool is shut, and every caller that holds, awaits or asks for a connection fails
 * at once.
 *
 * Accounts share them fairly, and never have all of them: the platform's own work, such as heartbeat,
 * recovery, and authentication, always gets one.
 */
export interface Pool {
  connect(): Promise<PooledConnection>;
  end(): Promise<void>;
  /** Destroys every connection and refuses new ones until `reopen`. */
  shut(cause: unknown): void;
  reopen(): void;
}

interface PoolOptions {
  url: string;
  connections_max: number;
  application_name: string;
  statement_timeout_ms: number;
  /** Runs on each new connection before it is used; if it throws, the connection is discarded. */
  check?: ((ask: Ask) => Promise<void>) | undefined;
}

// With every connection taken, a refusal has to come within two seconds of the request (docs/reliability.md).
const acquireTimeoutMs = 1500;

// A process that is suspended inside a transaction keeps its locks: PostgreSQL ends the transaction before
// those that wait for them time out, and long before a recovery is due.
const idleInTransactionMs = 5000;

export function openPool(options: PoolOptions): Pool {
  const sockets = new Set<Socket>();
  const pool = createPool(options, sockets);
  const places = bulkhead();
  const seekerFor = seekers(options.connections_max);
  const connections = new WeakMap<pg.PoolClient, PooledConnection>();
  // Before any caller has it: a server may end a connection as soon as it is open, and an error without a
  // listener would end this process.
  pool.on("connect", (client) => connections.set(client, pooledConnection(client)));
  const waiting = new Set<(error: DatabaseUnavailable) => void>();
  let unavailable: { cause: unknown } | null = null;
  // Each caller gets an error object of its own, because callers add properties to it.
  const refusal = () =>
    new DatabaseUnavailable("the database is unavailable", { may_have_run: false, ...unavailable });

  function acquire(): Promise<PooledConnection> {
    return new Promise((resolve, reject) => {
      if (unavailable) return reject(refusal());
      waiting.add(reject);
      const fail = (cause: unknown) => {
        waiting.delete(reject);
        reject(
          new DatabaseUnavailable("no connection could be had", { may_have_run: false, cause }),
        );
      };
      const connected = (client: pg.PoolClient, leave: () => void) => {
        if (waiting.delete(reject)) return resolve(connections.get(client)!.lease(leave));
        // The caller has already got the error that the database is unavailable.
        client.release();
        leave();
      };
      const connect = (leave: () => void) => {
        if (!waiting.has(reject)) return leave();
        pool.connect().then(
          (client) => connected(client, leave),
          (cause: unknown) => {
            leave();
            fail(cause);
          },
        );
      };
      const seeker = seekerFor();
      const leave = places.enterNow(seeker);
      if (leave) connect(leave);
      else places.enter(seeker, { wait_ms: acquireTimeoutMs }).then(connect, fail);
    });
  }

  return {
    connect: acquire,
    end: () => pool.end(),
    shut(cause) {
      unavailable = { cause };
      for (const reject of waiting) reject(refusal());
      waiting.clear();
      const message = "the database stopped answering";
      for (const socket of sockets)
        socket.destroy(new DatabaseUnavailable(message, { may_have_run: true, cause }));
    },
    reopen() {
      unavailable = null;
    },
  };
}

/**
 * The account that asks for a connection. Of 20, four are the platform's alone; of the others one account has
 * eight at most (`domain/scheduling/bulkhead.ts`: no more than are left). For statements by criteria, which
 * may keep a processor busy for seconds, one account has one and all together have four.
 */
function seekers(connections: number): () => Seeker {
  const ofAccounts = connections - Math.floor(connections / 5);
  const all = aBound("all", connections);
  const accounts = aBound("accounts", ofAccounts);
  const criteria = aBound("criteria", Math.max(1, Math.floor(ofAccounts / 4)), { each: () => 1 });
  return () => {
    const behalf = currentBehalf();
    if (!behalf) return { owner: null, rank: 0, bounds: [all] };
    const bounds = behalf.is_by_criteria ? [all, accounts, criteria] : [all, accounts];
    return { owner: behalf.account_id, rank: 1, bounds };
  };
}

/** `sockets` holds the open ones, also before they are usable, so that they can be destroyed. */
function createPool(options: PoolOptions, sockets: Set<Socket>): pg.Pool {
  const { statement_timeout_ms, check } = options;
  const verify = (client: pg.ClientBase, done: (error?: Error) => void) => {
    const ask: Ask = async (text, values) => (await client.query(text, values)).rows as never;
    check!(ask).then(() => done(), done);
  };
  const pool = new pg.Pool({
    ...(check ? { verify } : {}),
    connectionString: options.url,
    max: options.connections_max,
    application_name: options.application_name,
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: statement_timeout_ms,
    idle_in_transaction_session_timeout: statement_timeout_ms === 0 ? 0 : idleInTransactionMs,
    // The server's own timeout does not work when the server itself has stopped.
    query_timeout: statement_timeout_ms === 0 ? 0 : statement_timeout_ms + 1000,
    keepAlive: true,
    types: { getTypeParser: parserOf },
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once("close", () => sockets.delete(socket));
    },
  });
  // An idle connection that breaks is replaced by the pool; nothing was using it.
  pool.on("error", () => undefined);
  return pool;
}

const int8: number = pg.types.builtins.INT8;

/** int8 becomes a number, which holds every realistic amount of cents; beyond the safe range it throws. */
function parserOf(oid: number, format?: "text" | "binary"): (text: string) => unknown {
  if (oid === int8) return parseInt8;
  return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
}

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is too large for a number`);
  return value;
}
