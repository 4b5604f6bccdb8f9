import { sql } from "kysely";
import type { Rule } from "./rule.ts";

/** Billing statements: runs of an account's transactions without a gap, and the sums of each run. */

/** For a transaction whose amount has the other sign, the ledger stores the tax without its own. */
const signedTax = sql`CASE WHEN t.subtotal_cents + t.tax_cents = t.amount_cents THEN t.tax_cents ELSE -t.tax_cents END`;

const sumOf = (type: string) =>
  sql`coalesce(sum(t.amount_cents) FILTER (WHERE t.type = ${sql.lit(type)}), 0)::bigint`;

/** The sums of its run of transactions: each is read once, by the index on their sequence. */
const counted = sql`LATERAL (
  SELECT ${sumOf("top_up")} AS top_ups, ${sumOf("label")} AS labels, ${sumOf("ltl")} AS ltl, ${sumOf("refund")} AS refunds,
    ${sumOf("adjustment")} AS adjustments, ${sumOf("fee")} AS fees, coalesce(sum(${signedTax}), 0)::bigint AS taxes,
    s.opening_cents + coalesce(sum(t.amount_cents), 0)::bigint AS closing,
    count(*) FILTER (WHERE t.created_at >= s.ends_at) AS of_later
  FROM ledger_transactions t
  WHERE t.account_id = s.account_id AND t.sequence > s.after_sequence AND t.sequence <= s.through_sequence)`;

const sums = (prefix: string, names: readonly string[]) =>
  sql`concat_ws(', ', ${sql.join(names.map((name) => sql`${sql.lit(name)} || ' ' || ${sql.ref(`${prefix}.${name}`)}`))})`;

const closed = [
  ...["top_ups_cents", "labels_cents", "ltl_cents", "refunds_cents", "adjustments_cents"],
  ...["fees_cents", "taxes_cents", "closing_cents"],
];
const found = [
  ...["top_ups", "labels", "ltl", "refunds", "adjustments", "fees", "taxes", "closing"],
];

export const statementRules: readonly Rule[] = [
  {
    rule: "statement_follows_statement",
    promise:
      "Each statement begins with the transaction, the balance and the month at which the one before it ended, and only the last is open.",
    broken_by: sql`
      SELECT account_id, id AS subject, expected, found
      FROM (
        SELECT account_id, id,
          concat_ws(' ', coalesce(to_char(lag(first_day) OVER months + interval '1 month', 'YYYY-MM'), number),
            CASE WHEN lead(id) OVER months IS NULL THEN 'open' ELSE 'closed' END,
            'behind', coalesce(lag(through_sequence) OVER months, 0), 'at', coalesce(lag(closing_cents) OVER months, 0), 'cents') AS expected,
          concat_ws(' ', number, CASE status WHEN 'open' THEN 'open' ELSE 'closed' END,
            'behind', after_sequence, 'at', opening_cents, 'cents') AS found
        FROM (
          SELECT statements.*, CASE WHEN number ~ '^[0-9]{4}-(0[1-9]|1[0-2])$' THEN to_date(number || '-01', 'YYYY-MM-DD') END AS first_day
          FROM statements) AS dated
        WINDOW months AS (PARTITION BY account_id ORDER BY number, id)) AS run
      WHERE expected <> found`,
  },
  {
    rule: "account_has_statements",
    promise: "An account that has statements has an open one, and no other account has any.",
    broken_by: sql`
      SELECT coalesce(a.account_id, s.account_id) AS account_id, coalesce(a.account_id, s.account_id) AS subject,
        CASE WHEN a.has_statements THEN 'an open statement' ELSE 'no statement' END AS expected,
        coalesce(s.open, 0) || ' open of ' || coalesce(s.count, 0) AS found
      FROM accounts a
      FULL JOIN (
        SELECT account_id, count(*), count(*) FILTER (WHERE status = 'open') AS open FROM statements GROUP BY account_id) AS s
        ON s.account_id = a.account_id
      WHERE (coalesce(s.open, 0), coalesce(s.count, 0) > 0)
        IS DISTINCT FROM (CASE WHEN a.has_statements THEN 1 ELSE 0 END, a.has_statements)`,
  },
  {
    rule: "statement_is_its_transactions",
    promise:
      "A statement's sums and its closing balance are those of its transactions, none of which is of a later month.",
    broken_by: sql`
      SELECT s.account_id, s.id AS subject, ${sums("t", found)} AS expected,
        ${sums("s", closed)} || ', of a later month ' || t.of_later AS found
      FROM statements s CROSS JOIN ${counted} AS t
      WHERE (s.top_ups_cents, s.labels_cents, s.ltl_cents, s.refunds_cents, s.adjustments_cents, s.fees_cents, s.taxes_cents,
          s.closing_cents, 0)
        IS DISTINCT FROM (t.top_ups, t.labels, t.ltl, t.refunds, t.adjustments, t.fees, t.taxes, t.closing, t.of_later)`,
  },
  {
    rule: "statement_has_its_files",
    promise: "The files of a statement are its own, and one that is ready has both.",
    broken_by: sql`
      SELECT account_id, id AS subject, account_id || '/statements/' || id || '/...' AS expected,
        concat_ws(' and ', coalesce(pdf_key, 'no PDF'), coalesce(csv_key, 'no CSV')) AS found
      FROM statements
      WHERE CASE WHEN status = 'ready' OR pdf_key IS NOT NULL OR csv_key IS NOT NULL THEN
        (starts_with(pdf_key, account_id || '/statements/' || id || '/') AND starts_with(csv_key, account_id || '/statements/' || id || '/')
          AND pdf_key LIKE '%.pdf' AND csv_key LIKE '%.csv') IS NOT TRUE
        ELSE false END`,
  },
];
