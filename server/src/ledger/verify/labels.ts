import { sql } from "kysely";
import type { Rule } from "./rule.ts";

/**
 * Labels and LTL bookings, and what was paid for them. A void refunds it and removes no debit: see refunds.
 */

const debits = sql`(
  SELECT account_id, id, type, shipment_id, amount_cents, subtotal_cents, tax_cents, currency
  FROM ledger_transactions WHERE type IN ('label', 'ltl'))`;

const purchases = sql`(
  SELECT account_id, id, subject_id AS shipment_id, reference, input ->> 'hold_id' AS hold_id
  FROM attempts WHERE kind = 'label_purchase' AND status = 'settled')`;

export const labelRules: readonly Rule[] = [
  {
    rule: "label_paid_once",
    promise: "A shipment that has or had a label is paid exactly once, and no other is.",
    broken_by: sql`
      SELECT account_id, subject, expected::text, found::text
      FROM (
        SELECT coalesce(s.account_id, d.account_id) AS account_id, coalesce(s.id, d.shipment_id, min(d.id)) AS subject,
          CASE WHEN s.id IS NULL THEN 0 ELSE 1 END AS expected, count(d.id) AS found
        FROM (SELECT account_id, id FROM shipments WHERE purchased_at IS NOT NULL) AS s
        FULL JOIN ${debits} AS d ON d.account_id = s.account_id AND d.shipment_id = s.id
        GROUP BY s.account_id, s.id, d.account_id, d.shipment_id) AS counted
      WHERE found <> expected`,
  },
  {
    rule: "label_costs_its_debit",
    promise: "What a shipment shows as its cost is what was debited for it.",
    broken_by: sql`
      SELECT d.account_id, d.id AS subject,
        concat_ws(' ', s.cost_subtotal_cents, '+', s.cost_tax_cents, '=', s.cost_total_cents, s.cost_currency, 'for', s.id) AS expected,
        concat_ws(' ', d.subtotal_cents, '+', d.tax_cents, '=', -d.amount_cents, d.currency) AS found
      FROM ${debits} AS d JOIN shipments s ON s.account_id = d.account_id AND s.id = d.shipment_id
      WHERE (s.cost_subtotal_cents, s.cost_tax_cents, s.cost_total_cents, s.cost_currency)
        IS DISTINCT FROM (d.subtotal_cents, d.tax_cents, -d.amount_cents, d.currency)`,
  },
  {
    rule: "debit_is_of_its_type",
    promise: "A parcel's label is booked as a label, and an LTL booking as LTL.",
    broken_by: sql`
      SELECT d.account_id, d.id AS subject, CASE s.type WHEN 'ltl' THEN 'ltl' ELSE 'label' END AS expected, d.type AS found
      FROM ${debits} AS d JOIN shipments s ON s.account_id = d.account_id AND s.id = d.shipment_id
      WHERE (s.type = 'ltl') <> (d.type = 'ltl')`,
  },
  {
    rule: "label_has_one_purchase",
    promise:
      "A shipment that has or had a label has exactly one settled purchase, under the reference that it shows.",
    broken_by: sql`
      SELECT coalesce(s.account_id, p.account_id) AS account_id, coalesce(s.id, p.shipment_id) AS subject,
        coalesce(s.purchase_reference, 'no purchase') AS expected,
        coalesce(string_agg(p.reference, ' and ' ORDER BY p.reference), 'none') AS found
      FROM (SELECT account_id, id, purchase_reference FROM shipments WHERE purchased_at IS NOT NULL) AS s
      FULL JOIN ${purchases} AS p ON p.account_id = s.account_id AND p.shipment_id = s.id
      GROUP BY s.account_id, s.id, s.purchase_reference, p.account_id, p.shipment_id
      HAVING count(p.id) <> 1 OR min(p.reference) IS DISTINCT FROM s.purchase_reference`,
  },
  {
    rule: "captured_hold_has_debit",
    promise: "Every captured hold has a debit of no more than was held.",
    broken_by: sql`
      SELECT h.account_id, h.id AS subject, 'a debit of at most ' || h.amount_cents || ' cents' AS expected,
        coalesce(max(-d.amount_cents) || ' cents', 'none') AS found
      FROM holds h
      JOIN ${purchases} AS p ON p.account_id = h.account_id AND p.hold_id = h.id
      LEFT JOIN ${debits} AS d ON d.account_id = p.account_id AND d.shipment_id = p.shipment_id
      WHERE h.status = 'captured'
      GROUP BY h.account_id, h.id, h.amount_cents HAVING (max(-d.amount_cents) <= h.amount_cents) IS NOT TRUE`,
  },
  {
    rule: "label_is_one_shipments",
    promise: "No two shipments share a live label.",
    broken_by: sql`
      SELECT account_id, id AS subject, 'a label of its own' AS expected,
        shared || ' with ' || carrier || ' ' || tracking_code AS found
      FROM (
        SELECT account_id, id, carrier, tracking_code, count(*) OVER (PARTITION BY tracking_code, carrier) AS shared
        FROM shipments
        WHERE status IN ('purchased', 'booked', 'void_pending', 'in_transit', 'exception', 'returned')
          AND tracking_code IS NOT NULL) AS live
      WHERE shared > 1`,
  },
];
