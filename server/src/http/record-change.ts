import type { Context } from "../context.ts";
import type { Tx } from "../database/tables.ts";
import { originOf } from "../domain/accounts/principal.ts";
import { recordAudit } from "../events/audit-log.ts";

/** The principal that requests a change, and the request. */
export type Acting = Pick<Context, "account" | "principal" | "request_id" | "operation">;

/** The audit log's entry of a change. */
export interface Change {
  /** The id of what was changed; null when nothing was: then there is no entry. */
  subject_id: string | null;
  /** The action; without it the request's operation. */
  action?: string;
  details?: object;
  /** The account it belongs to, if not the caller's. */
  account_id?: string;
}

/**
 * Writes the audit log entry of a request's change, in its transaction. Every change of a request calls this,
 * mostly through `recordResponse`, or begins an attempt, which stores the origin.
 */
export async function recordChange(
  tx: Tx,
  acting: Acting,
  { subject_id, action = acting.operation, details = {}, account_id }: Change,
): Promise<void> {
  if (subject_id === null) return;
  const whose = account_id ?? acting.account.account_id;
  const by = originOf(acting);
  await recordAudit(tx, { account_id: whose, by, action, subject_id, details });
}
