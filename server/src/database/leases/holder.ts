import { sql, type RawBuilder, type SqlBool } from "kysely";

/**
 * Who has a row: `holder` names a process, whose heartbeat is the lease (`health/heartbeat.ts`). Nobody else knows
 * what a dead one is.
 */

/** Whether the process that has the row is dead. True, too, of a row that nobody has. */
export function holderIsDead(holder: string, lease_seconds: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`NOT EXISTS (
    SELECT FROM processes
    WHERE processes.id = ${sql.ref(holder)}
      AND heartbeat_at > now() - make_interval(secs => ${lease_seconds}))`;
}

/** Whether a process that has nothing under way may take the row: what it has itself, it took by an answer that was lost. */
export function isFreeFor(
  holder: string,
  { process_id, lease_seconds }: { process_id: string; lease_seconds: number },
): RawBuilder<SqlBool> {
  const column = sql.ref(holder);
  return sql<SqlBool>`(${column} IS NULL OR ${column} = ${process_id} OR ${holderIsDead(holder, lease_seconds)})`;
}
