import { sql } from "kysely";
import type { Rule } from "./rule.ts";

/** Voids and their refunds. */

const refunds = sql`(
  SELECT account_id, id, shipment_id, amount_cents FROM ledger_transactions WHERE type = 'refund')`;

export const refundRules: readonly Rule[] = [
  {
    rule: "refund_credited_once",
    promise:
      "An approved refund is credited once, in full but for the fee of a cancelled booking, and no other is credited.",
    broken_by: sql`
      SELECT account_id, subject,
        CASE WHEN is_due THEN concat('one credit of ', due_cents, ' cents') ELSE 'no credit' END AS expected,
        count || ' of ' || found_cents || ' cents' AS found
      FROM (
        SELECT coalesce(s.account_id, r.account_id) AS account_id, coalesce(s.id, r.shipment_id, min(r.id)) AS subject,
          s.id IS NOT NULL AS is_due, s.due_cents, s.refund_cents,
          count(r.id) AS count, coalesce(sum(r.amount_cents), 0) AS found_cents
        FROM (SELECT account_id, id, refund_cents,
            cost_total_cents - least(coalesce((cancellation ->> 'fee_cents')::bigint, 0), cost_total_cents) AS due_cents
          FROM shipments WHERE refund_status = 'approved') AS s
        FULL JOIN ${refunds} AS r ON r.account_id = s.account_id AND r.shipment_id = s.id
        GROUP BY s.account_id, s.id, s.due_cents, s.refund_cents, r.account_id, r.shipment_id) AS counted
      WHERE CASE WHEN is_due THEN count <> 1 OR (found_cents, refund_cents) IS DISTINCT FROM (due_cents, due_cents) ELSE true END`,
  },
  {
    rule: "void_has_refund",
    promise: "A label that is void is being refunded or was, and only such a label is.",
    broken_by: sql`
      SELECT account_id, id AS subject,
        CASE WHEN is_void THEN 'a refund' ELSE 'no refund, because its label is not void' END AS expected,
        coalesce(refund_status, 'none') AS found
      FROM (
        SELECT account_id, id, refund_status, purchased_at IS NOT NULL AND voided_at IS NOT NULL AS is_void
        FROM shipments) AS refunded
      WHERE is_void <> ((refund_status IN ('pending', 'approved')) IS TRUE)`,
  },
  {
    rule: "refund_has_void",
    promise: "A refund is of a void that the carrier accepted, and every such void has its refund.",
    broken_by: sql`
      SELECT coalesce(s.account_id, v.account_id) AS account_id, coalesce(s.id, v.subject_id) AS subject,
        CASE WHEN s.id IS NULL THEN 'a refund' ELSE 'a void' END AS expected, 'none' AS found
      FROM (SELECT account_id, id FROM shipments WHERE refund_status IS NOT NULL) AS s
      FULL JOIN (
        SELECT DISTINCT account_id, subject_id FROM attempts
        WHERE kind IN ('label_void', 'ltl_cancel') AND status = 'settled') AS v
        ON v.account_id = s.account_id AND v.subject_id = s.id
      WHERE s.id IS NULL OR v.subject_id IS NULL`,
  },
  {
    rule: "cancelled_booking_has_fee",
    promise:
      "For each LTL booking that is being or was refunded, and for no other shipment, the amount that its carrier keeps is known.",
    broken_by: sql`
      SELECT account_id, id AS subject, CASE WHEN is_cancelled THEN 'a fee' ELSE 'no fee' END AS expected,
        coalesce(cancellation ->> 'fee_cents', 'none') AS found
      FROM (
        SELECT account_id, id, cancellation, type = 'ltl' AND refund_status IS NOT NULL AS is_cancelled
        FROM shipments) AS cancelled
      WHERE is_cancelled <> (cancellation IS NOT NULL)`,
  },
];
