import { sql } from "kysely";
import type { Origin } from "../domain/accounts/principal.ts";
import { newId } from "../domain/values/ids.ts";
import { pipelined } from "../database/driver/sending.ts";
import { json, type Tx } from "../database/tables.ts";

/** An entry of the audit log: which principal changed what. */
interface AuditEntry {
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
export async function recordAudit(
  tx: Tx,
  { account_id, by, action, subject_id, details }: AuditEntry,
): Promise<void> {
  await pipelined(sql`
    INSERT INTO audit_log (account_id, id, actor, request_id, action, subject_id, details)
    VALUES (${account_id}, ${newId("adt")}, ${by.actor}, ${by.request_id}, ${action}, ${subject_id}, ${json(details)})`).execute(
    tx,
  );
}

/** The `account_id` of entries that concern no account. No account has this id. */
export const operatorsAccountId = "operators";
