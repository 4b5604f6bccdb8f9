import { sql } from "kysely";
import { ApiError } from "../../domain/errors/errors.ts";
import { inTransaction, isCancelled } from "../connect.ts";
import { pipelined } from "../driver/sending.ts";
import { asByCriteria } from "../driver/on-behalf-of.ts";
import type { Database, Tx } from "../tables.ts";

/**
 * Runs a read whose conditions a client wrote. Nobody can tell beforehand what such a statement costs, so it has
 * a time limit of its own, and few of the connections that its account may have (`pool.ts`). Throws 422
 * `criteria_too_slow` past the limit.
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
