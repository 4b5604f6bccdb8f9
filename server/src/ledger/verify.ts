import { sql } from "kysely";
import type { Database } from "../database/tables.ts";

/** One thing that the books contradict themselves in. None is what we promise. */
export interface Contradiction {
  rule: string;
  account_id: string;
  subject: string;
  found: string;
}

/**
 * Proves the books against themselves: what the triggers and checks promise, computed anew from the
 * rows. Reads everything, so it is for the command line and the tests, not for a request.
 */
export async function verifyLedger(db: Database): Promise<Contradiction[]> {
  const { rows } = await sql<Contradiction>`
    SELECT 'entries of a transaction sum to zero' AS rule, account_id, transaction_id AS subject,
      sum(amount_cents)::text AS found
    FROM ledger_entries GROUP BY account_id, transaction_id, currency HAVING sum(amount_cents) <> 0
    UNION ALL
    SELECT 'a transaction changes credit by its credits entries', t.account_id, t.id,
      t.amount_cents || ' against ' || coalesce(sum(e.amount_cents), 0)
    FROM ledger_transactions t
    LEFT JOIN ledger_entries e ON e.account_id = t.account_id AND e.transaction_id = t.id AND e.book = 'credits'
    GROUP BY t.account_id, t.id HAVING t.amount_cents <> coalesce(sum(e.amount_cents), 0)
    UNION ALL
    SELECT 'the balance is the sum of the credits entries', b.account_id, b.account_id,
      b.balance_cents || ' against ' || coalesce(sum(e.amount_cents), 0)
    FROM balances b LEFT JOIN ledger_entries e ON e.account_id = b.account_id AND e.book = 'credits'
    GROUP BY b.account_id HAVING b.balance_cents <> coalesce(sum(e.amount_cents), 0)
    UNION ALL
    SELECT 'what is held is the sum of the open holds', b.account_id, b.account_id,
      b.held_cents || ' against ' || coalesce(sum(h.amount_cents), 0)
    FROM balances b LEFT JOIN holds h ON h.account_id = b.account_id AND h.status = 'held'
    GROUP BY b.account_id HAVING b.held_cents <> coalesce(sum(h.amount_cents), 0)
    UNION ALL
    SELECT 'a labelled shipment is paid exactly once', s.account_id, s.id, count(t.id)::text
    FROM shipments s
    LEFT JOIN ledger_transactions t ON t.account_id = s.account_id AND t.shipment_id = s.id AND t.type IN ('label', 'ltl')
    WHERE s.purchased_at IS NOT NULL GROUP BY s.account_id, s.id HAVING count(t.id) <> 1
    UNION ALL
    SELECT 'an unlabelled shipment is not paid', s.account_id, s.id, count(t.id)::text
    FROM shipments s JOIN ledger_transactions t ON t.account_id = s.account_id AND t.shipment_id = s.id
    WHERE s.purchased_at IS NULL GROUP BY s.account_id, s.id`.execute(db);
  return rows;
}
