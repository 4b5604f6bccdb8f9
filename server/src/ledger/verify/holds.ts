import { sql } from "kysely";
import type { Rule } from "./rule.ts";

/**
 * Held money: each hold belongs to one attempt, and ends as it does. An attempt names its hold in its input;
 * a label purchase always has one.
 */

const spending = sql`(
  SELECT account_id, id, status, resolved_at, input ->> 'hold_id' AS hold_id, (input #>> '{price,total_cents}')::bigint AS amount_cents
  FROM attempts WHERE kind = 'label_purchase' OR input ? 'hold_id')`;

export const holdRules: readonly Rule[] = [
  {
    rule: "held_is_sum_of_holds",
    promise: "What an account's balance shows as held is the sum of its open holds.",
    broken_by: sql`
      SELECT b.account_id, b.account_id AS subject, coalesce(sum(h.amount_cents), 0) || ' cents' AS expected,
        b.held_cents || ' cents' AS found
      FROM balances b LEFT JOIN holds h ON h.account_id = b.account_id AND h.status = 'held'
      GROUP BY b.account_id, b.held_cents HAVING b.held_cents <> coalesce(sum(h.amount_cents), 0)`,
  },
  {
    rule: "hold_has_one_attempt",
    promise: "Every hold belongs to exactly one attempt.",
    broken_by: sql`
      SELECT h.account_id, h.id AS subject, 'one attempt' AS expected,
        coalesce(string_agg(a.id, ' and ' ORDER BY a.id), 'none') AS found
      FROM holds h LEFT JOIN ${spending} AS a ON a.account_id = h.account_id AND a.hold_id = h.id
      GROUP BY h.account_id, h.id HAVING count(a.id) <> 1`,
  },
  {
    rule: "attempt_has_hold",
    promise: "Every attempt that spends has its hold, of the amount that it spends.",
    broken_by: sql`
      SELECT a.account_id, a.id AS subject, concat_ws(' of ', coalesce(a.hold_id, 'a hold'), a.amount_cents || ' cents') AS expected,
        coalesce(h.id || ' of ' || h.amount_cents || ' cents', 'none') AS found
      FROM ${spending} AS a LEFT JOIN holds h ON h.account_id = a.account_id AND h.id = a.hold_id
      WHERE h.amount_cents IS DISTINCT FROM a.amount_cents`,
  },
  {
    rule: "hold_ends_with_attempt",
    promise:
      "A hold is held while its attempt is open, captured when it is settled, released when it is marked not executed.",
    broken_by: sql`
      SELECT account_id, hold_id AS subject, expected || ', because ' || id || ' is ' || attempt_status AS expected, found
      FROM (
        SELECT a.account_id, a.hold_id, a.id, a.status AS attempt_status, h.status AS found,
          CASE WHEN a.status = 'settled' THEN 'captured' WHEN a.resolved_at IS NOT NULL THEN 'released' ELSE 'held' END
            AS expected
        FROM ${spending} AS a JOIN holds h ON h.account_id = a.account_id AND h.id = a.hold_id) AS held
      WHERE found <> expected`,
  },
  {
    rule: "hold_ends_when_attempt_does",
    promise: "A hold has no end while it is held, and ends in the same moment as its attempt.",
    broken_by: sql`
      SELECT account_id, hold_id AS subject, coalesce(expected::text, 'no end') AS expected, coalesce(found::text, 'no end') AS found
      FROM (
        SELECT a.account_id, a.hold_id, h.resolved_at AS found,
          a.resolved_at AS expected
        FROM ${spending} AS a JOIN holds h ON h.account_id = a.account_id AND h.id = a.hold_id) AS ended
      WHERE found IS DISTINCT FROM expected`,
  },
];
