import { sql } from "kysely";
import type { Rule } from "./rule.ts";

/** What shipments show, compared with what was purchased, paid and refunded for them. */

/** What is being purchased or voided at the moment. */
const openAttempts = sql`(
  SELECT DISTINCT account_id, subject_id, kind = 'label_purchase' AS buys FROM attempts
  WHERE kind IN ('label_purchase', 'label_void', 'ltl_cancel') AND status IN ('sent', 'unknown', 'review'))`;

export const shipmentRules: readonly Rule[] = [
  {
    rule: "status_is_its_money",
    promise:
      "A shipment that is paid shows that it has a label, one whose label was voided that it is void, and every other that it has none.",
    broken_by: sql`
      SELECT account_id, id AS subject, array_to_string(allowed, ' or ') AS expected, coalesce(status, 'none') AS found
      FROM (
        SELECT account_id, id, status, CASE
          WHEN purchased_at IS NULL THEN ARRAY['draft', 'purchasing', 'purchase_pending', 'cancelled']
          WHEN voided_at IS NOT NULL THEN ARRAY[CASE type WHEN 'ltl' THEN 'cancelled' ELSE 'voided' END]
          ELSE ARRAY[CASE type WHEN 'ltl' THEN 'booked' ELSE 'purchased' END,
            'void_pending', 'in_transit', 'exception', 'returned', 'delivered'] END AS allowed
        FROM shipments) AS shown
      WHERE (status = ANY (allowed)) IS NOT TRUE`,
  },
  {
    rule: "pending_status_has_attempt",
    promise: "A shipment that is being purchased or voided has the attempt that will end it.",
    broken_by: sql`
      SELECT s.account_id, s.id AS subject, 'an open attempt, because it is ' || s.status AS expected, 'none' AS found
      FROM shipments s
      LEFT JOIN ${openAttempts} AS open
        ON open.account_id = s.account_id AND open.subject_id = s.id AND open.buys = (s.status <> 'void_pending')
      WHERE s.status IN ('purchasing', 'purchase_pending', 'void_pending') AND open.subject_id IS NULL`,
  },
  {
    rule: "label_is_what_was_paid",
    promise:
      "A shipment shows the label, the carrier, the service and the moment that its debit was booked for.",
    broken_by: sql`
      SELECT d.account_id, d.shipment_id AS subject,
        concat_ws(' ', d.details ->> 'carrier', d.details ->> 'service', d.details ->> 'tracking_code', d.details ->> 'carrier_label_id',
          'at', d.created_at) AS expected,
        concat_ws(' ', s.carrier, s.service, s.tracking_code, s.carrier_label_id, 'at', s.purchased_at) AS found
      FROM ledger_transactions d JOIN shipments s ON s.account_id = d.account_id AND s.id = d.shipment_id
      WHERE d.type IN ('label', 'ltl') AND (
        s.purchased_at IS DISTINCT FROM d.created_at
        OR NOT jsonb_strip_nulls(jsonb_build_object('carrier', s.carrier, 'service', s.service, 'tracking_code', s.tracking_code,
          'carrier_label_id', s.carrier_label_id)) @> d.details)`,
  },
  {
    rule: "refund_is_of_its_moment",
    promise: "A shipment's refund was resolved when it was booked.",
    broken_by: sql`
      SELECT r.account_id, r.shipment_id AS subject, r.created_at::text AS expected,
        coalesce(s.refund_resolved_at::text, 'never') AS found
      FROM ledger_transactions r JOIN shipments s ON s.account_id = r.account_id AND s.id = r.shipment_id
      WHERE r.type = 'refund' AND s.refund_resolved_at IS DISTINCT FROM r.created_at`,
  },
  {
    rule: "carrier_is_owed_its_price",
    promise:
      "Carriers are owed for each label what they charged for it, and after a void only what they keep.",
    broken_by: sql`
      SELECT s.account_id, s.id AS subject, s.owed || ' cents, ' || s.back || ' of them taken back' AS expected,
        coalesce(e.owed, 0) || ' cents, ' || coalesce(e.back, 0) || ' of them taken back' AS found
      FROM (
        SELECT account_id, id, carrier_cost_cents AS owed, CASE refund_status
          WHEN 'approved' THEN carrier_cost_cents - coalesce((cancellation ->> 'fee_cents')::bigint, 0) ELSE 0 END AS back
        FROM shipments WHERE carrier_cost_cents IS NOT NULL) AS s
      LEFT JOIN (
        SELECT t.account_id, t.shipment_id, sum(e.amount_cents) FILTER (WHERE t.type <> 'refund') AS owed,
          -sum(e.amount_cents) FILTER (WHERE t.type = 'refund') AS back
        FROM ledger_transactions t
        JOIN ledger_entries e ON e.account_id = t.account_id AND e.transaction_id = t.id AND e.book = 'carrier_payable'
        WHERE t.shipment_id IS NOT NULL GROUP BY t.account_id, t.shipment_id) AS e
        ON e.account_id = s.account_id AND e.shipment_id = s.id
      WHERE (coalesce(e.owed, 0), coalesce(e.back, 0)) <> (s.owed, s.back)`,
  },
  {
    rule: "document_is_its_shipments",
    promise: "The files of a shipment are those of its own purchase.",
    broken_by: sql`
      SELECT s.account_id, s.id AS subject,
        format('a file of %s for %s', coalesce(s.purchase_reference, 'no purchase'), document ->> 'type') AS expected,
        coalesce(document ->> 'file_key', 'none') AS found
      FROM shipments s CROSS JOIN LATERAL jsonb_array_elements(s.documents) AS document
      WHERE (starts_with(document ->> 'file_key', s.account_id || '/')
        AND document ->> 'file_key' ~ ('/' || s.id || '[/-]' || s.purchase_reference || '-')) IS NOT TRUE`,
  },
];
