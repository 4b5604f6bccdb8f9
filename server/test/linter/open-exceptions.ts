import type { Allowed } from "./lint-statement.ts";

/** Statements that could be rewritten, and are not yet. */

const shared = "a read that many purchases share, of one row each by its whole key";
const clock = "leases and keys expire by the database's clock";
const claim =
  "claims what is due over accounts, oldest first; to become two steps: which accounts have something due, then the claim for one";

const placing =
  "one transaction places the events of many accounts: a commit for each would cost as much as the purchases";

export const open: readonly Allowed[] = [
  {
    statement: "SELECT account_id, last_position FROM event_feeds WHERE account_id = ANY",
    breaks: ["lock event_feeds"],
    reason: placing,
  },
  {
    statement: "SELECT FROM event_feeds WHERE account_id = ANY",
    breaks: ["lock event_feeds"],
    reason: "webhooks of many accounts are left in one commit, behind the locks of their feeds",
  },
  {
    statement: "WITH waiting AS MATERIALIZED ( SELECT feed.account_id, feed.last_position",
    breaks: ["lateral event_outbox", "insert_in_cte placed"],
    reason: placing,
  },
  {
    statement:
      "SELECT jsonb_array_length(packages) AS package_count, EXISTS ( SELECT FROM shipments AS other",
    breaks: ["account shipments"],
    reason: "no two live labels of a carrier have one code: checked before an operator's decision",
  },
  {
    statement: "SELECT place, revision, rates FROM jsonb_to_recordset",
    breaks: ["lateral shipment_quotes"],
    reason: shared,
  },
  {
    statement: 'SELECT place, "shipment"."account_id"',
    breaks: ["lateral shipments", "lateral rule_sets", "lateral shipment_quotes"],
    reason: shared,
  },
  {
    statement: "SELECT place, version FROM jsonb_to_recordset",
    breaks: ["lateral rule_sets"],
    reason: shared,
  },
  {
    statement: "reserved AS ( INSERT INTO holds (account_id, id, amount_cents, status)",
    breaks: ["insert_in_cte reserved"],
    reason: "one round trip reserves a hold; a function with the account first would, too",
  },
  {
    statement:
      "WITH RECURSIVE posting AS MATERIALIZED (SELECT * FROM ( SELECT * FROM jsonb_to_recordset",
    breaks: ["insert_in_cte written", "insert_in_cte entered"],
    reason: "one round trip posts transactions; a function with the account first would, too",
  },
  {
    statement: "written AS ( INSERT INTO attempts (account_id, id, kind, subject_id",
    breaks: ["insert_in_cte written"],
    reason: "writes attempts only if all may begin, in the round trip that checks it",
  },
  {
    statement:
      "WITH claimed AS ( INSERT INTO idempotency_keys AS held (account_id, key, fingerprint, holder_id)",
    breaks: [
      "insert_in_cte claimed",
      "now CASE",
      "insert_sub_select ON CONFLICT",
      "now DO UPDATE SET",
    ],
    reason:
      "claims a key, or reads its holder, in one round trip; keys expire by the database's clock",
  },
  {
    statement: "WITH recorded AS ( UPDATE idempotency_keys SET holder_id = NULL",
    breaks: ["now CASE"],
    reason: clock,
  },
  {
    statement: "WITH ended AS ( UPDATE attempts SET status = each.status",
    breaks: ["now COALESCE", "now CASE"],
    reason: clock,
  },
  {
    statement: "UPDATE pickup_parts SET shipment_ids = array_remove(shipment_ids, $1)",
    breaks: ["now CASE"],
    reason: clock,
  },
  {
    statement:
      'WITH due AS ( SELECT "attempts"."account_id", "attempts"."id", "attempts"."look_at"',
    breaks: ["now COALESCE", "now RETURNING"],
    reason: clock,
  },
  {
    statement: 'WITH due AS ( SELECT "pickup_parts"."account_id", "pickup_parts"."pickup_id"',
    breaks: ["now COALESCE"],
    reason: clock,
  },
  {
    statement: 'WITH due AS ( SELECT "pending_files"."account_id", "pending_files"."shipment_id"',
    breaks: ["now COALESCE"],
    reason: clock,
  },
  {
    statement: 'WITH due AS ( SELECT "shipments"."account_id", "shipments"."id"',
    breaks: ["now COALESCE"],
    reason: clock,
  },
  {
    statement:
      'WITH due AS ( SELECT "trackers"."account_id", "trackers"."id", "trackers"."look_at"',
    breaks: ["now COALESCE", "now RETURNING"],
    reason: clock,
  },
  {
    statement: '"unheard_since" = coalesce(unheard_since, now())',
    breaks: ["now COALESCE"],
    reason: clock,
  },
  {
    statement: "FROM statements WHERE due_at <= $1 AND status = 'open'",
    breaks: ["account statements", "lock statements", "star statements"],
    reason: claim,
  },
  {
    statement: "WITH next AS ( SELECT account_id FROM accounts WHERE NOT has_statements",
    breaks: ["account accounts", "lock accounts"],
    reason: claim,
  },
  {
    statement:
      "SELECT batches.account_id, batches.id AS batch_id, service, label_format, label_size",
    breaks: ["account batches", "account accounts"],
    reason: "reads which batches of all accounts are being processed",
  },
  {
    statement: "SELECT account_id, id AS batch_id FROM batches WHERE status = 'processing'",
    breaks: ["account batches"],
    reason: "reads which batches of all accounts have ended",
  },
];
