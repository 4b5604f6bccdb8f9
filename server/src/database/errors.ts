import pg from "pg";

/**
 * Faults of the database itself, as opposed to errors of a statement. A request that meets one is answered 503: the
 * same request may succeed soon.
 */

/** There is no connection to the database, or there was one until a moment ago. */
export class DatabaseUnavailable extends Error {
  /** Whether PostgreSQL may have carried the statement out all the same, a COMMIT for example. */
  readonly may_have_run: boolean;

  constructor(message: string, options: { may_have_run: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = "DatabaseUnavailable";
    this.may_have_run = options.may_have_run;
  }
}

// 25006: read-only, as the former primary after a failover. 40001, 40P01, 55P03: conflicts with other
// transactions. 53xxx: out of connections, memory or disk. 57014: statement timeout. 58030: the disk fails.
const passingCodes = /^(25006|40001|40P01|53...|55P03|57014|58030)$/;

// Class 08 is a broken connection, 57P0x a server that stops, has crashed, or starts. 25P03: the
// idle-in-transaction timeout closed the connection.
const brokenCodes = /^(08...|25P03|57P0.)$/;

const connectionLostPattern =
  /connection terminated|query read timeout|not queryable|connection error/i;

const socketCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Whether the database is unreachable, starting, stopping, out of a resource or just changed: a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  return (
    isBroken(error) ||
    isStalePlan(error) ||
    isOfOtherPartition(error) ||
    passingCodes.test(codeOf(error))
  );
}

/**
 * Whether a row was on its way to the default partition when its day got one of its own: inserted once more, it goes
 * there. The code is that of any CHECK; the name of its routine is not.
 */
function isOfOtherPartition(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === "23514" &&
    error.routine === "ExecPartitionCheckEmitError"
  );
}

// Of a Unix socket: no server has it, or too many clients wait to connect.
const unixSocketCodes = new Set(["ENOENT", "EAGAIN"]);

/** Whether the connection is not usable any more. */
export function isBroken(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const code = codeOf(error);
  if (unixSocketCodes.has(code)) return (error as NodeJS.ErrnoException).syscall === "connect";
  if (code !== "") return brokenCodes.test(code) || socketCodes.has(code);
  return error instanceof Error && connectionLostPattern.test(error.message);
}

/** Whether the server is up and has no room for another connection. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === "53300";
}

/** Whether a new connection may succeed, because it is planned afresh or leads to another server. */
export function shouldDiscardConnection(error: unknown): boolean {
  return isBroken(error) || isStalePlan(error) || codeOf(error) === "25006";
}

/**
 * Whether a prepared statement is older than the columns that it was planned for: a newer release has
 * migrated the database in the meantime. PostgreSQL refuses it before it does anything, and would for as long
 * as the connection exists. Its message is in the server's language; the name of its routine is not.
 */
export function isStalePlan(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === "0A000" &&
    error.routine === "RevalidateCachedQuery"
  );
}

/** Of PostgreSQL or of the socket; empty when there is none. */
function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return error instanceof Error && typeof code === "string" ? code : "";
}
