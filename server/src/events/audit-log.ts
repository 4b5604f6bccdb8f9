import { sql } from "kysely";
import type { Origin } from "../domain/accounts/principal.ts";
import { newId } from "../domain/values/ids.ts";
import { pipelined } from "../database/driver/sending.ts";
import { json, type Tx } from "../database/tables.ts";

/** An entry of the audit log: which principal changed what. */
export interface AuditEntry {
  /** The account it belongs to, or `operators` for a change of the platform's own. */
  account_id: string;
  by: Origin;
  action: string;
  subject_id: string;
  details: object;
}

/**
 * Written in the transaction of the change, so that every change has its entry, and sent with the statement
 * after it, so that it costs no round trip.
 */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await recordAudits(tx, [entry]);
}

/** Any number of them, by one statement with a constant text. */
export async function recordAudits(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  const rows = entries.map(({ by: { actor, request_id }, ...entry }) => ({
    ...entry,
    id: newId("adt"),
    actor,
    request_id,
  }));
  await pipelined(sql`
    INSERT INTO audit_log (account_id, id, actor, request_id, action, subject_id, details)
    SELECT account_id, id, actor, request_id, action, subject_id, details
    FROM jsonb_populate_recordset(NULL::audit_log, ${json(rows)}::jsonb)`).execute(tx);
}

/** The `account_id` of entries that concern no account. No account has this id. */
export const operatorsAccountId = "operators";
