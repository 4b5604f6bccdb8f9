import { sql } from "kysely";
import type { Rule } from "./rule.ts";

/** What adds up to what: entries, transactions and the balance that each account shows. */
export const sumRules: readonly Rule[] = [
  {
    rule: "entries_sum_to_zero",
    promise: "The entries of a transaction sum to zero in each currency.",
    broken_by: sql`
      SELECT account_id, transaction_id AS subject, '0 ' || currency AS expected, sum(amount_cents) || ' cents' AS found
      FROM ledger_entries GROUP BY account_id, transaction_id, currency HAVING sum(amount_cents) <> 0`,
  },
  {
    rule: "amount_is_its_credits",
    promise: "A transaction changes the account's credit by what it enters on its credits.",
    broken_by: sql`
      SELECT t.account_id, t.id AS subject, coalesce(sum(e.amount_cents), 0) || ' cents' AS expected,
        t.amount_cents || ' cents' AS found
      FROM ledger_transactions t
      LEFT JOIN ledger_entries e ON e.account_id = t.account_id AND e.transaction_id = t.id AND e.book = 'credits'
      GROUP BY t.account_id, t.id, t.amount_cents HAVING t.amount_cents <> coalesce(sum(e.amount_cents), 0)`,
  },
  {
    rule: "amount_is_subtotal_and_tax",
    promise: "A transaction's amount is the sum of its subtotal and its tax, apart from the sign.",
    broken_by: sql`
      SELECT account_id, id AS subject, abs(subtotal_cents + tax_cents) || ' cents' AS expected,
        abs(amount_cents) || ' cents' AS found
      FROM ledger_transactions WHERE abs(subtotal_cents + tax_cents) <> abs(amount_cents)`,
  },
  {
    rule: "one_currency",
    promise: "A transaction and its entries are in the currency of the account's balance.",
    broken_by: sql`
      SELECT DISTINCT t.account_id, t.id AS subject, b.currency AS expected,
        concat_ws(' and ', t.currency, e.currency) AS found
      FROM ledger_transactions t
      JOIN balances b ON b.account_id = t.account_id
      LEFT JOIN ledger_entries e ON e.account_id = t.account_id AND e.transaction_id = t.id
      WHERE t.currency <> b.currency OR e.currency <> b.currency`,
  },
  {
    rule: "balance_is_sum_of_credits",
    promise: "An account's balance is the sum of all entries on its credits.",
    broken_by: sql`
      SELECT b.account_id, b.account_id AS subject, coalesce(sum(e.amount_cents), 0) || ' cents' AS expected,
        b.balance_cents || ' cents' AS found
      FROM balances b LEFT JOIN ledger_entries e ON e.account_id = b.account_id AND e.book = 'credits'
      GROUP BY b.account_id, b.balance_cents HAVING b.balance_cents <> coalesce(sum(e.amount_cents), 0)`,
  },
  {
    rule: "balance_walks",
    promise: "Each transaction begins with the balance that the one before it left.",
    broken_by: sql`
      SELECT account_id, id AS subject, expected || ' cents' AS expected, balance_after_cents || ' cents' AS found
      FROM (
        SELECT account_id, id, balance_after_cents, coalesce(lag(balance_after_cents) OVER chain, 0) + amount_cents AS expected
        FROM ledger_transactions WINDOW chain AS (PARTITION BY account_id ORDER BY sequence, id)) AS walked
      WHERE balance_after_cents <> expected`,
  },
  {
    rule: "available_is_not_negative",
    promise: "No account has more on hold than it has.",
    broken_by: sql`
      SELECT account_id, account_id AS subject, 'at most ' || balance_cents || ' cents held' AS expected, held_cents || ' cents' AS found
      FROM balances WHERE held_cents < 0 OR held_cents > balance_cents`,
  },
  {
    rule: "account_has_balance",
    promise:
      "Every account has one balance, in its currency, and nothing is booked without an account.",
    broken_by: sql`
      SELECT coalesce(a.account_id, b.account_id) AS account_id, coalesce(a.account_id, b.account_id) AS subject,
        coalesce('a balance in ' || a.currency, 'an account') AS expected,
        CASE WHEN b.account_id IS NULL THEN 'none' WHEN a.account_id IS NULL THEN 'a balance without one' ELSE b.currency END AS found
      FROM accounts a FULL JOIN balances b USING (account_id)
      WHERE a.currency IS DISTINCT FROM b.currency
      UNION ALL
      SELECT booked.account_id, booked.id, 'a balance', 'none'
      FROM (SELECT account_id, id FROM ledger_transactions UNION ALL SELECT account_id, id FROM holds) AS booked
      LEFT JOIN balances b ON b.account_id = booked.account_id WHERE b.account_id IS NULL`,
  },
];
