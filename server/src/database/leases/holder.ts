import { sql, type RawBuilder, type SqlBool } from "kysely";

/**
 * Which process holds a row: `holder` names it, and its heartbeat is the lease (`health/heartbeat.ts`). Only
 * this file defines when a process counts as dead.
 */

/** Whether the process that holds the row is dead. True, too, of a row without a holder. */
export function holderIsDead(holder: string, lease_seconds: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`NOT EXISTS (
    SELECT FROM processes
    WHERE processes.id = ${sql.ref(holder)}
      AND heartbeat_at > now() - make_interval(secs => ${lease_seconds}))`;
}

/**
 * Whether a process without a job under way may take the row. A row of its own counts: the response to that
 * claim was lost.
 */
export function isFreeFor(
  holder: string,
  { process_id, lease_seconds }: { process_id: string; lease_seconds: number },
): RawBuilder<SqlBool> {
  const column = sql.ref(holder);
  return sql<SqlBool>`(${column} IS NULL OR ${column} = ${process_id} OR ${holderIsDead(holder, lease_seconds)})`;
}
