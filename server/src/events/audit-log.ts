import { json, type Tx } from "../database/tables.ts";
import { newId } from "../domain/values/ids.ts";

/** Who changed what. Written in the transaction of the change, so that no change is without its entry. */
interface AuditEntry {
  account_id: string;
  /** A token's id, an operator's name, or `shell`. */
  actor: string;
  action: string;
  subject_id: string;
  details: object;
}

export async function recordAudit(tx: Tx, { details, ...entry }: AuditEntry): Promise<void> {
  await tx
    .insertInto("audit_log")
    .values({ ...entry, id: newId("evt"), details: json(details) })
    .execute();
}
