import { sql } from "kysely";
import type { Rule } from "./rule.ts";

/** Card charges and the credit that they bought. */
export const topUpRules: readonly Rule[] = [
  {
    rule: "top_up_has_charge",
    promise:
      "Every top-up is of one settled charge, and every settled charge is credited once, with the requested amount.",
    broken_by: sql`
      SELECT coalesce(a.account_id, t.account_id) AS account_id, coalesce(t.id, a.transaction_id) AS subject,
        CASE WHEN a.reference IS NULL THEN 'a settled charge' ELSE concat(a.reference, ' of ', a.amount_cents, ' ', a.currency) END AS expected,
        CASE WHEN t.id IS NULL THEN 'none' ELSE concat(t.details ->> 'reference', ' of ', t.amount_cents, ' ', t.currency) END AS found
      FROM (
        SELECT account_id, reference, input ->> 'transaction_id' AS transaction_id,
          (input ->> 'amount_cents')::bigint AS amount_cents, input ->> 'currency' AS currency
        FROM attempts WHERE kind = 'top_up' AND status = 'settled') AS a
      FULL JOIN (SELECT * FROM ledger_transactions WHERE type = 'top_up') AS t
        ON t.account_id = a.account_id AND t.id = a.transaction_id
      WHERE (a.reference, a.amount_cents, a.currency) IS DISTINCT FROM (t.details ->> 'reference', t.amount_cents, t.currency)`,
  },
  {
    rule: "charge_is_one_top_ups",
    promise: "Every top-up names the charge that paid for it, and no two name the same.",
    broken_by: sql`
      SELECT account_id, id AS subject, 'a charge of its own' AS expected,
        coalesce(charge_id || ' of ' || top_ups || ' top-ups', 'none') AS found
      FROM (
        SELECT account_id, id, charge_id, count(*) OVER (PARTITION BY charge_id) AS top_ups
        FROM (
          SELECT account_id, id, details ->> 'charge_id' AS charge_id FROM ledger_transactions WHERE type = 'top_up') AS named) AS shared
      WHERE charge_id IS NULL OR top_ups > 1`,
  },
];
