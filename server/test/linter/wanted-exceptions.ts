import type { Allowed } from "./lint-statement.ts";

/** Statements that have to read all accounts. */

const files = "verify-ledger reads all files, page by page";
const sweep = "deletes expired rows of all accounts";
const afterRestore = "reconciliation after a restore reads all accounts";

export const wanted: readonly Allowed[] = [
  {
    statement:
      'inner join "accounts" on "accounts"."account_id" = "tokens"."account_id" where "tokens"."token_hash" = $1',
    breaks: ["account tokens", "account accounts"],
    reason: "a token is found by its hash before the account is known",
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
      "SELECT count(*) = 0 OR refuse($1) FROM ( SELECT * FROM jsonb_to_recordset($2::jsonb) AS row (account_id text, id text, carrier text, tracking_code text)",
    breaks: ["account shipments"],
    reason: "no two live labels of a carrier have one code, in whichever accounts",
  },
  {
    statement: "DELETE FROM idempotency_keys WHERE ctid = ANY",
    breaks: ["account idempotency_keys", "lock idempotency_keys"],
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
];
