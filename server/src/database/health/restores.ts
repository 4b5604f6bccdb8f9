import { sql, type SqlBool } from "kysely";
import { byShell } from "../../domain/accounts/principal.ts";
import { newId } from "../../domain/values/ids.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import type { Database, Tx } from "../tables.ts";

/**
 * Whether this database was set back, by a restore or otherwise, and has not been reconciled since. Until
 * then the carriers and the card processor may hold labels and charges that it lacks, so nothing new is asked
 * of them: a client's retry would buy again what its first call had bought.
 */

/** The restores that are to be reconciled, oldest backup first. */
export async function listOpenRestores(
  db: Database | Tx,
): Promise<{ id: string; taken_at: Date; restored_at: Date }[]> {
  return db
    .selectFrom("restores")
    .select(["id", "taken_at", "restored_at"])
    .where("reconciled_at", "is", null)
    .orderBy("taken_at")
    .execute();
}

/** Closes the gate by hand: data since that moment may be missing here. The feeds jump, as after a restore. */
export async function markSetBack(db: Database, taken_at: Date): Promise<void> {
  await sql`
    INSERT INTO restores (id, taken_at, cause)
    SELECT ${newId("rst")}, ${taken_at}::timestamptz, 'operator'
    FROM (SELECT jump_feeds(${byShell.actor})) AS jumped`.execute(db);
}

/** From now on outside effects are allowed again. */
export async function markReconciled(db: Database, ids: readonly string[]): Promise<void> {
  await db
    .updateTable("restores")
    .set({ reconciled_at: sql<Date>`now()` })
    .where("id", "in", ids)
    .execute();
}

/**
 * Throws 503 `unavailable` while there is one: for a caller that would otherwise write something only to be
 * refused later.
 */
export async function refuseUnlessReconciled(db: Database): Promise<void> {
  if ((await listOpenRestores(db)).length > 0) throw notReconciled();
}

/** For what causes an outside effect without a request, as a condition of the statement that takes it up. */
export const isReconciled = sql<SqlBool>`NOT EXISTS (SELECT FROM restores WHERE reconciled_at IS NULL)`;

/** 503 that names what the operator has to do. */
export function notReconciled(): ApiError {
  return new ApiError("unavailable", {
    message:
      "This installation was restored from a backup, or its database was set back. Nothing is bought, voided or charged until its operator has run `waybill reconcile`.",
    retry_after: 60,
  });
}
