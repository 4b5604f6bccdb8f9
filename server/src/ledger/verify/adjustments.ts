import { sql } from "kysely";
import type { Rule } from "./rule.ts";

/** Adjustments by operators: the only evidence outside the ledger is the audit log. */
export const adjustmentRules: readonly Rule[] = [
  {
    rule: "adjustment_is_audited",
    promise:
      "Every adjustment has one line in the audit log that says who made it and of how much, and every such line its adjustment.",
    broken_by: sql`
      SELECT coalesce(t.account_id, line.account_id) AS account_id, coalesce(t.id, line.id) AS subject,
        coalesce('one line of ' || t.amount_cents || ' cents for: ' || t.description, 'an adjustment') AS expected,
        coalesce(line.lines || ' of ' || line.amount || ' for: ' || line.description, 'none') AS found
      FROM (SELECT account_id, id, amount_cents, description FROM ledger_transactions WHERE type = 'adjustment') AS t
      FULL JOIN (
        SELECT account_id, details ->> 'transaction_id' AS transaction_id, count(*) AS lines, min(id) AS id,
          min(details ->> 'amount') AS amount, min(details ->> 'description') AS description,
          array_agg(CASE jsonb_typeof(details -> 'amount')
            WHEN 'number' THEN round((details ->> 'amount')::numeric * 100) END) AS amounts
        FROM audit_log WHERE action = 'balance.adjusted' GROUP BY 1, 2) AS line
        ON line.account_id = t.account_id AND line.transaction_id = t.id
      WHERE (line.amounts, line.description)
        IS DISTINCT FROM (ARRAY[t.amount_cents::numeric], t.description)`,
  },
];
