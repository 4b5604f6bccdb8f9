import type { Context } from "../context.ts";
import type { Tx } from "../database/tables.ts";
import { originOf } from "../domain/accounts/principal.ts";
import { recordAudit, recordAudits, type AuditEntry } from "../events/audit-log.ts";

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
export async function recordChange(tx: Tx, acting: Acting, change: Change): Promise<void> {
  for (const entry of entriesOf(acting, change)) await recordAudit(tx, entry);
}

/** The same for the changes of several requests, by one statement. */
export async function recordChanges(
  tx: Tx,
  changes: readonly { acting: Acting; change: Change }[],
): Promise<void> {
  await recordAudits(
    tx,
    changes.flatMap(({ acting, change }) => entriesOf(acting, change)),
  );
}

function entriesOf(
  acting: Acting,
  { subject_id, action = acting.operation, details = {}, account_id }: Change,
): AuditEntry[] {
  if (subject_id === null) return [];
  const whose = account_id ?? acting.account.account_id;
  return [{ account_id: whose, by: originOf(acting), action, subject_id, details }];
}
