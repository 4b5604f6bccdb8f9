import { sql } from "kysely";
import type { Rule } from "./rule.ts";

/** What carriers charged for pickups. */

const fees = sql`(
  SELECT account_id, details ->> 'pickup_id' AS pickup_id, details ->> 'carrier' AS carrier, -sum(amount_cents) AS paid_cents
  FROM ledger_transactions WHERE type = 'fee' AND details ? 'pickup_id' GROUP BY 1, 2, 3)`;

const owed = sql`(
  SELECT t.account_id, t.details ->> 'pickup_id' AS pickup_id, t.details ->> 'carrier' AS carrier, sum(e.amount_cents) AS owed_cents
  FROM ledger_transactions t
  JOIN ledger_entries e ON e.account_id = t.account_id AND e.transaction_id = t.id AND e.book = 'carrier_payable'
  WHERE t.type = 'fee' AND t.details ? 'pickup_id' GROUP BY 1, 2, 3)`;

export const pickupRules: readonly Rule[] = [
  {
    rule: "pickup_costs_its_fees",
    promise: "What a pickup shows as paid to each carrier is what its fees in the ledger sum to.",
    broken_by: sql`
      SELECT coalesce(p.account_id, f.account_id) AS account_id, coalesce(p.pickup_id, f.pickup_id) AS subject,
        coalesce(p.paid_cents, 0) || ' cents for ' || coalesce(p.carrier, f.carrier) AS expected,
        coalesce(f.paid_cents, 0) || ' cents' AS found
      FROM (SELECT account_id, pickup_id, carrier, fee_cents + tax_cents AS paid_cents FROM pickup_parts) AS p
      FULL JOIN ${fees} AS f ON f.account_id = p.account_id AND f.pickup_id = p.pickup_id AND f.carrier = p.carrier
      WHERE coalesce(p.paid_cents, 0) <> coalesce(f.paid_cents, 0)`,
  },
  {
    rule: "driver_is_owed_his_fee",
    promise: "Carriers are owed for each pickup what it shows that they charged.",
    broken_by: sql`
      SELECT p.account_id, p.pickup_id AS subject, p.carrier_fee_cents || ' cents for ' || p.carrier AS expected,
        coalesce(f.owed_cents, 0) || ' cents' AS found
      FROM pickup_parts p LEFT JOIN ${owed} AS f ON f.account_id = p.account_id AND f.pickup_id = p.pickup_id AND f.carrier = p.carrier
      WHERE p.carrier_fee_cents <> coalesce(f.owed_cents, 0)`,
  },
];
