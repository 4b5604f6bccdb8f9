import { sql } from "kysely";
import type { Rule } from "./rule.ts";

/**
 * Which ledger book each part of a transaction goes to: entries that sum to zero may still be on wrong ones.
 */

/** The entries of each transaction, by ledger book. */
const entered = sql`(
  SELECT account_id, transaction_id,
    coalesce(sum(amount_cents) FILTER (WHERE book = 'postage_revenue'), 0) AS revenue,
    coalesce(sum(amount_cents) FILTER (WHERE book = 'tax_payable'), 0) AS tax,
    coalesce(sum(amount_cents) FILTER (WHERE book = 'cash'), 0) AS cash,
    coalesce(sum(amount_cents) FILTER (WHERE book = 'adjustments'), 0) AS corrected,
    coalesce(sum(amount_cents) FILTER (WHERE book = 'carrier_payable'), 0) AS payable,
    coalesce(sum(amount_cents) FILTER (WHERE book IN ('carrier_costs', 'losses')), 0) AS costs
  FROM ledger_entries GROUP BY account_id, transaction_id)`;

export const entryRules: readonly Rule[] = [
  {
    rule: "entries_are_of_their_type",
    promise:
      "Revenue is the subtotal and tax payable the tax of the label, cash is the top-up, adjustments are the correction, and carriers are owed what they charge.",
    broken_by: sql`
      SELECT account_id, id AS subject,
        format('%s revenue, %s tax, %s cash, %s adjustments, %s payable', due_revenue, due_tax, due_cash, due_correction,
          due_payable) AS expected,
        format('%s revenue, %s tax, %s cash, %s adjustments, %s payable', revenue, tax, cash, corrected, payable) AS found
      FROM (
        SELECT way.account_id, way.id, way * subtotal_cents AS due_revenue, way * tax_cents AS due_tax,
          CASE type WHEN 'top_up' THEN -amount_cents ELSE 0 END AS due_cash,
          CASE type WHEN 'adjustment' THEN -amount_cents ELSE 0 END AS due_correction,
          CASE way WHEN 0 THEN 0 ELSE -costs END AS due_payable,
          revenue, tax, cash, corrected, payable
        FROM (
          SELECT account_id, id, type, amount_cents, subtotal_cents, tax_cents,
            CASE WHEN type IN ('label', 'ltl') OR type = 'fee' AND amount_cents < 0 THEN 1
              WHEN type IN ('refund', 'fee') THEN -1 ELSE 0 END AS way
          FROM ledger_transactions) AS way
        JOIN ${entered} AS e ON e.account_id = way.account_id AND e.transaction_id = way.id) AS booked
      WHERE (revenue, tax, cash, corrected, payable)
        <> (due_revenue, due_tax, due_cash, due_correction, due_payable)`,
  },
];
