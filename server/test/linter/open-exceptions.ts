import type { Allowed } from "./lint-statement.ts";

/** Statements that could be rewritten, and are not yet. */

const shared = "a read that many purchases share, of one row each by its whole key";
const clock = "leases and keys expire by the database's clock";
const claim =
  "claims due rows of all accounts, oldest first; to become two steps: the accounts with due rows, then the claim for one";
const takeOver = "takes over the rows that a dead process had claimed, of all accounts";
const giveBack = "releases the rows that this process had claimed, of all accounts";

export const open: readonly Allowed[] = [
  {
    statement: "SELECT place, package_count, EXISTS ( SELECT FROM shipments AS other",
    breaks: ["account shipments", "lateral shipments"],
    reason: "the same, checked before; and a read that many purchases share (`batched-read.ts`)",
  },
  {
    statement: "SELECT place, rates FROM jsonb_to_recordset",
    breaks: ["lateral shipment_quotes"],
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
    statement: 'WITH RECURSIVE parties (party) AS ( (SELECT "attempts"."party" FROM "attempts"',
    breaks: [
      "account attempts",
      "lateral attempts",
      "lock attempts",
      "now RETURNING",
      "star attempts",
    ],
    reason: claim,
  },
  {
    statement:
      'WITH RECURSIVE parties (party) AS ( (SELECT "pickup_parts"."carrier" FROM "pickup_parts"',
    breaks: ["account pickup_parts", "lateral pickup_parts", "lock pickup_parts"],
    reason: claim,
  },
  {
    statement: 'WITH RECURSIVE parties (party) AS ( (SELECT "shipments"."carrier" FROM "shipments"',
    breaks: ["account shipments", "lateral shipments", "lock shipments", "star shipments"],
    reason: claim,
  },
  {
    statement: "WITH due AS ( SELECT account_id, id, look_at FROM trackers WHERE carrier = $1",
    breaks: ["account trackers", "lock trackers", "now RETURNING", "star trackers"],
    reason: claim,
  },
  {
    statement: "WITH due AS ( SELECT account_id, id FROM batches WHERE combine_at <= now()",
    breaks: ["account batches", "lock batches"],
    reason: claim,
  },
  {
    statement: "WITH due AS ( SELECT account_id, id FROM imports WHERE status = 'processing'",
    breaks: ["account imports", "lock imports"],
    reason: claim,
  },
  {
    statement:
      "WITH due AS ( SELECT account_id, id FROM statements WHERE due_at <= $1 AND status = 'generating'",
    breaks: ["account statements", "lock statements", "star statements"],
    reason: claim,
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
      "WITH next AS ( SELECT purchase.account_id, shipment_id FROM rule_purchases AS purchase",
    breaks: [
      "account rule_purchases",
      "account accounts",
      "lock rule_purchases",
      "star rule_purchases",
    ],
    reason: claim,
  },
  {
    statement:
      "FROM rule_purchases AS purchase JOIN attempts AS attempt ON attempt.account_id = purchase.account_id",
    breaks: [
      "account rule_purchases",
      "account attempts",
      "lock rule_purchases",
      "star rule_purchases",
    ],
    reason: claim,
  },
  {
    statement:
      "FROM batches JOIN batch_items AS item ON item.account_id = batches.account_id AND item.batch_id = batches.id AND item.status = 'pending' JOIN attempts",
    breaks: ["account batches", "account batch_items", "account attempts", "lock batch_items"],
    reason: claim,
  },
  {
    statement:
      "WITH orphaned AS ( SELECT account_id, batch_id, shipment_id FROM batch_items AS item",
    breaks: ["account batch_items", "lock batch_items"],
    reason: takeOver,
  },
  {
    statement: "WITH orphaned AS ( SELECT account_id, shipment_id FROM rule_purchases AS purchase",
    breaks: ["account rule_purchases", "lock rule_purchases"],
    reason: takeOver,
  },
  {
    statement:
      "UPDATE batch_items SET status = CASE WHEN attempt_id IS NULL THEN 'waiting' ELSE 'pending' END, holder_id = NULL WHERE status = 'claimed' AND holder_id = $1",
    breaks: ["account batch_items"],
    reason: giveBack,
  },
  {
    statement: "UPDATE batches SET combine_holder_id = NULL WHERE combine_holder_id = $1",
    breaks: ["account batches"],
    reason: giveBack,
  },
  {
    statement:
      "UPDATE statements SET holder_id = NULL WHERE status = 'generating' AND holder_id = $1",
    breaks: ["account statements"],
    reason: giveBack,
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
