import { sql } from "kysely";
import { ApiError } from "../../domain/errors/errors.ts";
import { inTransaction, isCancelled } from "../connect.ts";
import { customPlan, pipelined, type Compilable } from "../driver/sending.ts";
import { asByCriteria } from "../driver/on-behalf-of.ts";
import type { Database, Tx } from "../tables.ts";

/**
 * Runs a read whose conditions a client wrote. The cost of such a statement is not known beforehand, so it
 * has a timeout of its own, and few of the connections that its account may have (`pool.ts`). Throws 422
 * `criteria_too_slow` past the timeout.
 */
export async function byCriteria<T>(
  db: Database,
  timeoutMs: number,
  read: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await asByCriteria(() =>
      inTransaction(db, async (tx) => {
        const limit = String(timeoutMs);
        await pipelined(sql`SELECT set_config('statement_timeout', ${limit}, true)`).execute(tx);
        return read(tx);
      }),
    );
  } catch (error) {
    if (!isCancelled(error)) throw error;
    throw new ApiError("criteria_too_slow", { details: { limit_ms: timeoutMs }, cause: error });
  }
}

/** The rows of a read; with a time limit it has criteria of a client's, and is planned for their values. */
export async function readRows<Row>(
  db: Database,
  read: Compilable<Row>,
  criteria_timeout_ms: number | undefined,
): Promise<Row[]> {
  const { rows } = await (criteria_timeout_ms === undefined
    ? db.executeQuery(read.compile(db))
    : byCriteria(db, criteria_timeout_ms, (tx) => customPlan(read).execute(tx)));
  return rows;
}
