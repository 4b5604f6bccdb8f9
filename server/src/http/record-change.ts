import type { Context } from "../context.ts";
import type { Tx } from "../database/tables.ts";
import { originOf } from "../domain/accounts/principal.ts";
import { recordAudit } from "../events/audit-log.ts";

/** Who asks for a change, and by which request. */
export type Acting = Pick<Context, "account" | "principal" | "request_id" | "operation">;

/** What the audit log is to tell of a change. */
export interface Change {
  /** What was changed; null when nothing was, of which the log says nothing. */
  subject_id: string | null;
  /** The request's operation, unless it is named. */
  action?: string;
  details?: object;
  /** Whose it is, if not the caller's account's. */
  account_id?: string;
}

/**
 * Writes the line of a request's change, in its transaction. Whatever requests change passes here, most of it by way of
 * `recordResponse`, or begins an attempt, which names who asked.
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
