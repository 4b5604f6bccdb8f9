import { sql } from "kysely";
import type { Rule } from "./rule.ts";

/**
 * The hash chain of each account: no transaction or entry was changed, removed, inserted or moved since it
 * was written. Each transaction is checked against the hash stored before it, so that only the changed one is
 * named, and not all that follow.
 */
export const chainRules: readonly Rule[] = [
  {
    rule: "chain_hash",
    promise:
      "A transaction's hash is that of the hash before it and of all columns of it and its entries.",
    // Where only the hash before was changed, the correct one explains this one.
    broken_by: sql`
      SELECT account_id, id AS subject, encode(computed, 'hex') AS expected, encode(hash, 'hex') AS found
      FROM (
        SELECT account_id, id, hash, computed, posted,
          lag(hash) OVER chain AS previous, lag(computed) OVER chain AS previous_computed
        FROM (
          SELECT account_id, id, sequence, hash, posted, ledger_hash_of(coalesce(lag(hash) OVER chain, ''), posted) AS computed
          FROM ledger_transactions AS posted
          WINDOW chain AS (PARTITION BY account_id ORDER BY sequence, id)) AS computed
        WINDOW chain AS (PARTITION BY account_id ORDER BY sequence, id)) AS linked
      WHERE hash <> computed
        AND ((previous = previous_computed) IS NOT FALSE OR hash <> ledger_hash_of(previous_computed, posted))`,
  },
  {
    rule: "chain_sequence",
    promise: "An account's transactions are numbered from 1 on without a gap.",
    broken_by: sql`
      SELECT account_id, id AS subject, expected::text, sequence::text AS found
      FROM (
        SELECT account_id, id, sequence, coalesce(lag(sequence) OVER chain, 0) + 1 AS expected
        FROM ledger_transactions WINDOW chain AS (PARTITION BY account_id ORDER BY sequence, id)) AS numbered
      WHERE sequence <> expected`,
  },
  {
    rule: "chain_end",
    promise:
      "An account's last transaction is the one that its balance names, so none was cut off.",
    broken_by: sql`
      SELECT b.account_id, coalesce(last.id, b.account_id) AS subject,
        'an end at ' || b.chain_length || ' with ' || encode(b.chain_hash, 'hex') AS expected,
        coalesce(last.sequence, 0) || ' with ' || encode(coalesce(last.hash, ''), 'hex') AS found
      FROM balances b
      LEFT JOIN (
        SELECT DISTINCT ON (account_id) account_id, id, sequence, hash
        FROM ledger_transactions ORDER BY account_id, sequence DESC, id DESC) AS last USING (account_id)
      WHERE b.chain_length <> coalesce(last.sequence, 0) OR b.chain_hash <> coalesce(last.hash, '')`,
  },
  {
    rule: "entry_has_transaction",
    promise: "Every entry belongs to a transaction.",
    broken_by: sql`
      SELECT e.account_id, e.transaction_id AS subject, 'a transaction' AS expected,
        'none for line ' || e.line AS found
      FROM ledger_entries e
      LEFT JOIN ledger_transactions t ON t.account_id = e.account_id AND t.id = e.transaction_id
      WHERE t.id IS NULL`,
  },
];
