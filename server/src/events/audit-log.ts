import { json, type Tx } from "../database/tables.ts";
import { newId } from "../domain/ids.ts";

/** Who did what to whom. Written in the transaction of the deed, so that none is ever without its line. */
export interface Deed {
  account_id: string;
  /** A token's id, an operator's name, or `shell`. */
  actor: string;
  action: string;
  subject_id: string;
  details: object;
}

export async function recordAudit(tx: Tx, { details, ...deed }: Deed): Promise<void> {
  await tx
    .insertInto("audit_log")
    .values({ ...deed, id: newId("evt"), details: json(details) })
    .execute();
}
