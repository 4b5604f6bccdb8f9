import type { Allowed } from "./lint-statement.ts";

/** Statements that have to read all accounts. */

const files = "verify-ledger reads all files, page by page";
const sweep = "sweeps what is old, of all accounts";
const whoHasWork = "the first step of a claim: which accounts have something due";
const deadHolders = "which accounts have rows that a dead process had claimed";
const afterRestore = "reconciliation after a restore looks at all accounts";

export const wanted: readonly Allowed[] = [
  {
    statement:
      "SELECT DISTINCT ON (kind, party, is_connected) kind, party, is_connected, reference",
    breaks: ["account attempts"],
    reason: afterRestore,
  },
  {
    statement:
      "SELECT account_id, party, COALESCE(input ->> 'reference', input ->> 'charge_reference')",
    breaks: ["account attempts"],
    reason: afterRestore,
  },
  {
    statement: 'select distinct "carrier" from "carrier_connections"',
    breaks: ["account carrier_connections"],
    reason: afterRestore,
  },
  {
    statement:
      'inner join "accounts" on "accounts"."account_id" = "tokens"."account_id" where "tokens"."token_hash" = $1',
    breaks: ["account tokens", "account accounts"],
    reason: "a token is found by its hash before the account is known",
  },
  {
    statement: "FROM sessions JOIN users ON users.id = sessions.user_id LEFT JOIN memberships",
    breaks: ["account accounts"],
    reason:
      "a session is found by its hash, and with it the accounts of its person's organizations",
  },
  {
    statement: "FROM memberships JOIN users ON users.id = user_id JOIN accounts",
    breaks: ["account accounts"],
    reason: "the account that a member approved a program for, by organization and environment",
  },
  {
    statement: "SELECT account_id FROM accounts WHERE organization_id = $1",
    breaks: ["account accounts"],
    reason: "an organization's accounts, for its audit log",
  },
  {
    statement: 'from "trackers" where "tracking_code" = $1 order by',
    breaks: ["account trackers"],
    reason: "the page for recipients has only a tracking code",
  },
  {
    statement:
      'from "attempts" inner join "balances" on "balances"."account_id" = "attempts"."account_id" left join "holds"',
    breaks: ["account attempts", "account balances", "account holds"],
    reason: "an operator's list of what is under review, of all accounts",
  },
  {
    statement: 'select "kind", "party", count(*) as "count" from "attempts" where "status" = $1',
    breaks: ["account attempts"],
    reason: "an operator's numbers, of all accounts",
  },
  {
    statement:
      "SELECT kind, party, status, count(*)::int AS count, min(sent_at) AS oldest_sent_at FROM attempts",
    breaks: ["account attempts"],
    reason: "the metrics of all accounts",
  },
  {
    statement:
      "SELECT (SELECT count(*)::int FROM attempts WHERE status IN ('sent', 'unknown', 'review') AND coalesce(input",
    breaks: [
      "account attempts",
      "account shipments",
      "account pending_files",
      "account pickup_parts",
      "account pickups",
    ],
    reason: "what is open on the platform's own connection, which serves every account",
  },
  {
    statement: "SELECT account_id, subject, expected, found FROM (",
    breaks: [
      "account accounts",
      "account attempts",
      "account audit_log",
      "account balances",
      "account holds",
      "account idempotency_keys",
      "account ledger_entries",
      "account ledger_transactions",
      "account pickup_parts",
      "account shipments",
      "account statements",
    ],
    reason: "verify-ledger checks the rules of all ledgers",
  },
  {
    statement:
      'SELECT account_id, id FROM ( SELECT * FROM "batches" WHERE (account_id, id) > ($1, $2)',
    breaks: ["account batches"],
    reason: files,
  },
  {
    statement: 'WITH rows_of_page AS ( SELECT * FROM "batches" WHERE (account_id, id) > ($1, $2)',
    breaks: ["account batches"],
    reason: files,
  },
  {
    statement:
      'SELECT account_id, id FROM ( SELECT * FROM "shipments" WHERE (account_id, id) > ($1, $2)',
    breaks: ["account shipments"],
    reason: files,
  },
  {
    statement: 'WITH rows_of_page AS ( SELECT * FROM "shipments" WHERE (account_id, id) > ($1, $2)',
    breaks: ["account shipments"],
    reason: files,
  },
  {
    statement:
      'SELECT account_id, id FROM ( SELECT * FROM "statements" WHERE (account_id, id) > ($1, $2)',
    breaks: ["account statements"],
    reason: files,
  },
  {
    statement:
      'WITH rows_of_page AS ( SELECT * FROM "statements" WHERE (account_id, id) > ($1, $2)',
    breaks: ["account statements"],
    reason: files,
  },
  {
    statement:
      "SELECT count(*) = 0 OR refuse($1, $2) FROM ( SELECT * FROM jsonb_to_recordset($3::jsonb) AS row (account_id text, id text, carrier text, tracking_code text)",
    breaks: ["account shipments"],
    reason: "no two live labels of a carrier have one code, in whichever accounts",
  },
  {
    statement: "SELECT account_id FROM accounts WHERE account_id > $1 ORDER BY account_id LIMIT",
    breaks: ["account accounts"],
    reason: "which accounts there are, a page at a time, to delete what is old of each",
  },
  {
    statement: "DELETE FROM idempotency_keys WHERE ctid = ANY",
    breaks: ["account idempotency_keys", "lock idempotency_keys"],
    reason: sweep,
  },
  {
    statement: "SELECT feed.account_id FROM event_feeds AS feed CROSS JOIN LATERAL",
    breaks: ["account event_feeds"],
    reason: sweep,
  },
  {
    statement: "DELETE FROM deliveries WHERE ctid = ANY",
    breaks: ["account deliveries", "lock deliveries"],
    reason: sweep,
  },
  {
    statement: "DELETE FROM webhook_secrets WHERE expires_at <=",
    breaks: ["account webhook_secrets"],
    reason: sweep,
  },
  {
    statement: "DELETE FROM quotes WHERE ctid = ANY",
    breaks: ["account quotes", "lock quotes"],
    reason: sweep,
  },
  {
    statement:
      'select "account_id", "kind", "party", "reference", "subject_id" from "attempts" where "status" in',
    breaks: ["account attempts"],
    reason: afterRestore,
  },
  {
    statement: 'update "attempts" set "look_at" = now() where "status" = $1 and "look_at" > now()',
    breaks: ["account attempts"],
    reason: afterRestore,
  },
  {
    statement: 'SELECT account_id FROM ( WITH RECURSIVE ahead AS ( ( SELECT "batches"."account_id"',
    breaks: ["account batches", "lateral batches"],
    reason: whoHasWork,
  },
  {
    statement:
      'SELECT account_id FROM ( WITH RECURSIVE ahead AS ( ( SELECT "event_outbox"."account_id"',
    breaks: ["account event_outbox", "lateral event_outbox"],
    reason: whoHasWork,
  },
  {
    statement:
      'SELECT account_id FROM ( WITH RECURSIVE ahead AS ( ( SELECT "auto_recharges"."account_id"',
    breaks: ["account auto_recharges", "lateral auto_recharges"],
    reason: whoHasWork,
  },
  {
    statement: "FROM ( SELECT event_count FROM event_outbox LIMIT",
    breaks: ["account event_outbox"],
    reason: "the metrics of all accounts",
  },
  {
    statement:
      'SELECT account_id FROM ( WITH RECURSIVE ahead AS ( ( SELECT "webhooks"."account_id"',
    breaks: ["account webhooks", "lateral webhooks"],
    reason: whoHasWork,
  },
  {
    statement: 'SELECT account_id FROM ( WITH RECURSIVE ahead AS ( ( SELECT "imports"."account_id"',
    breaks: ["account imports", "lateral imports"],
    reason: whoHasWork,
  },
  {
    statement:
      'SELECT account_id FROM ( WITH RECURSIVE ahead AS ( ( SELECT "statements"."account_id"',
    breaks: ["account statements", "lateral statements"],
    reason: whoHasWork,
  },
  {
    statement: 'one.* FROM ( WITH RECURSIVE ahead AS ( ( SELECT "attempts"."account_id"',
    breaks: ["account attempts", "lateral attempts"],
    reason: whoHasWork,
  },
  {
    statement:
      'WITH next AS (SELECT account_id FROM ( WITH RECURSIVE ahead AS ( ( SELECT "rule_purchases"."account_id"',
    breaks: ["account rule_purchases", "lateral accounts", "lateral rule_purchases"],
    reason: whoHasWork,
  },
  {
    statement: 'WITH RECURSIVE parties (party) AS ( (SELECT "attempts"."party" FROM "attempts"',
    breaks: ["account attempts", "lateral attempts"],
    reason: whoHasWork,
  },
  {
    statement:
      'WITH RECURSIVE parties (party) AS ( (SELECT "pickup_parts"."carrier" FROM "pickup_parts"',
    breaks: ["account pickup_parts", "lateral pickup_parts"],
    reason: whoHasWork,
  },
  {
    statement: 'WITH RECURSIVE parties (party) AS ( (SELECT "shipments"."carrier" FROM "shipments"',
    breaks: ["account shipments", "lateral shipments"],
    reason: whoHasWork,
  },
  {
    statement:
      'WITH RECURSIVE parties (party) AS ( (SELECT "pending_files"."carrier" FROM "pending_files"',
    breaks: ["account pending_files", "lateral pending_files"],
    reason: whoHasWork,
  },
  {
    statement: 'SELECT "trackers"."carrier" AS party',
    breaks: ["account trackers", "lateral trackers"],
    reason: whoHasWork,
  },
  {
    statement: "SELECT DISTINCT account_id FROM \"batch_items\" WHERE status = 'claimed'",
    breaks: ["account batch_items"],
    reason: deadHolders,
  },
  {
    statement: "SELECT DISTINCT account_id FROM \"rule_purchases\" WHERE status = 'claimed'",
    breaks: ["account rule_purchases"],
    reason: deadHolders,
  },
  {
    statement: "SELECT DISTINCT batches.account_id FROM batches JOIN batch_items AS item",
    breaks: ["account batches", "account batch_items", "account attempts"],
    reason: "which accounts have purchases whose attempts have ended",
  },
  {
    statement:
      "FROM rule_purchases AS purchase JOIN attempts AS attempt ON attempt.account_id = purchase.account_id",
    breaks: ["account rule_purchases", "account attempts"],
    reason: "which accounts have purchases whose attempts have ended",
  },
  {
    statement: 'one.* FROM ( WITH RECURSIVE ahead AS ( ( SELECT "shipments"."account_id"',
    breaks: ["account shipments", "lateral shipments"],
    reason: whoHasWork,
  },
  {
    statement: 'one.* FROM ( WITH RECURSIVE ahead AS ( ( SELECT "pickup_parts"."account_id"',
    breaks: ["account pickup_parts", "lateral pickup_parts"],
    reason: whoHasWork,
  },
  {
    statement: 'one.* FROM ( WITH RECURSIVE ahead AS ( ( SELECT "pending_files"."account_id"',
    breaks: ["account pending_files", "lateral pending_files"],
    reason: whoHasWork,
  },
  {
    statement: "SELECT FROM pickup_parts WHERE shared AND confirmation_number =",
    breaks: ["account pickup_parts"],
    reason: "a carrier has one pickup for an address, whoever of us asked for it",
  },
  {
    statement: "SELECT FROM shipments WHERE connection_id = $1 AND account_id <> $2",
    breaks: ["account shipments"],
    reason: "a carrier that ends the day of a contract does so for all accounts that share it",
  },
  {
    statement: 'UPDATE "batch_items" SET status = CASE WHEN attempt_id IS NULL',
    breaks: ["account batch_items"],
    reason: "frees what this process had claimed without its knowledge, of all accounts",
  },
  {
    statement: 'UPDATE "rule_purchases" SET status = CASE WHEN attempt_id IS NULL',
    breaks: ["account rule_purchases"],
    reason: "frees what this process had claimed without its knowledge, of all accounts",
  },
  {
    statement:
      'from "accounts" inner join "organizations" on "organizations"."id" = "accounts"."organization_id"',
    breaks: ["account accounts", "account balances"],
    reason: "an operator's search, of all accounts",
  },
  {
    statement: "SELECT account_id FROM trackers WHERE tracking_code = $1 UNION",
    breaks: [
      "account trackers",
      "account request_log",
      "account accounts",
      "account shipments",
      "account orders",
    ],
    reason: "an operator's search has a tracking code, an id or an e-mail, and no account",
  },
  {
    statement:
      'select "account_id" as "id", "organization_id", "environment", "suspended_at" from "accounts"',
    breaks: ["account accounts"],
    reason: "the accounts of the organizations that an operator lists",
  },
  {
    statement:
      'select "account_id", "id", "actor", "action", "subject_id", "details", "created_at" from "audit_log"',
    breaks: ["account audit_log"],
    reason: "an operator's list of what was changed, of all accounts",
  },
];
