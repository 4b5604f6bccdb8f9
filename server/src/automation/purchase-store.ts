import { sql, type Selectable } from "kysely";
import type { RulePurchasesTable, Tx } from "../database/tables.ts";

/** The SQL of labels that rules want bought: what they are. Who buys them is `purchasing/queue/`. */

export type NewPurchase = Omit<
  Selectable<RulePurchasesTable>,
  "status" | "holder_id" | "attempt_id" | "tries"
>;

/** Each is due at once; without rows no statement is sent. */
export async function insertPurchases(tx: Tx, rows: readonly NewPurchase[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    INSERT INTO rule_purchases (account_id, shipment_id, run_id, rule_id, rule_name, max_total_cents, not_before,
      actor, request_id)
    SELECT account_id, shipment_id, run_id, rule_id, rule_name, max_total_cents, now(), actor, request_id
    FROM jsonb_populate_recordset(NULL::rule_purchases, ${JSON.stringify(rows)}::jsonb)`.execute(
    tx,
  );
}
