-- A hash chain over the books, one for each account, so that accounts never wait for each other. Each
-- transaction has its place in its account's chain, and a hash over the hash before it and all that the
-- transaction and its entries say. How long the chain is and how it ends is in the account's balance,
-- moved by the UPDATE that moves the balance, so that a tail that was cut off is missed, too.

ALTER TABLE balances
  ADD COLUMN chain_length bigint NOT NULL DEFAULT 0,
  ADD COLUMN chain_hash   bytea NOT NULL DEFAULT '';

ALTER TABLE ledger_transactions
  ADD COLUMN sequence bigint,
  ADD COLUMN hash     bytea;

-- The one place that says what a transaction's hash is taken of. Arrays of JSON have one spelling, in
-- which no two different transactions look alike; times are microseconds, because how a timestamp is
-- written depends on the session. `entries` are arrays of line, book, amount and currency, by line.
-- Each argument is used once, so that the planner can put the body in place of the call.
CREATE FUNCTION ledger_hash(
  previous bytea, account_id text, id text, sequence bigint, type text, amount_cents bigint, subtotal_cents bigint,
  tax_cents bigint, currency text, balance_after_cents bigint, description text, shipment_id text, details jsonb,
  created_at timestamptz, entries jsonb
) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
RETURN sha256(convert_to(jsonb_build_array(
  encode(previous, 'hex'), account_id, id, sequence, type, amount_cents, subtotal_cents,
  tax_cents, currency, balance_after_cents, description, shipment_id, details,
  (extract(epoch FROM created_at) * 1000000)::bigint, entries)::text, 'UTF8'));

-- The same of a transaction that is written, with its entries as they are now.
CREATE FUNCTION ledger_hash_of(previous bytea, posted ledger_transactions)
RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
RETURN ledger_hash(
  previous, posted.account_id, posted.id, posted.sequence, posted.type, posted.amount_cents, posted.subtotal_cents,
  posted.tax_cents, posted.currency, posted.balance_after_cents, posted.description, posted.shipment_id, posted.details,
  posted.created_at,
  (SELECT coalesce(jsonb_agg(jsonb_build_array(line, book, entry.amount_cents, entry.currency) ORDER BY line), '[]')
   FROM ledger_entries AS entry
   WHERE entry.account_id = posted.account_id AND entry.transaction_id = posted.id));

-- The transactions that are there already. Their order is the one in which each begins with the balance
-- that the one before it left. Ids do not tell: a top-up's is older than its money, and two purchases of
-- the same moment may have been written either way round. Where a balance was passed more than once,
-- several orders are possible: from each balance the oldest id goes first, and a way that ends too soon
-- is put behind the ways that lead back (Hierholzer's algorithm).

CREATE TEMPORARY TABLE walk ON COMMIT DROP AS
  SELECT account_id, id, balance_after_cents - amount_cents AS from_cents, balance_after_cents AS to_cents
  FROM ledger_transactions;
CREATE INDEX walk_from ON walk (account_id, from_cents, id);
CREATE TEMPORARY TABLE walked (account_id id, id id, steps_to_end bigint) ON COMMIT DROP;
ANALYZE walk;

DO $$
DECLARE
  account    text;
  step       record;
  ids        text[];
  from_cents bigint[];
  depth      integer;
  at_cents   bigint;
  placed     bigint;
BEGIN
  FOR account IN SELECT DISTINCT account_id FROM ledger_transactions LOOP
    ids := '{}';
    from_cents := '{}';
    depth := 0;
    at_cents := 0;
    placed := 0;
    LOOP
      DELETE FROM walk WHERE ctid = (
        SELECT ctid FROM walk AS next WHERE next.account_id = account AND next.from_cents = at_cents
        ORDER BY next.account_id, next.from_cents, next.id LIMIT 1)
      RETURNING walk.id, walk.to_cents INTO step;
      IF FOUND THEN
        depth := depth + 1;
        ids[depth] := step.id;
        from_cents[depth] := at_cents;
        at_cents := step.to_cents;
      ELSIF depth > 0 THEN
        INSERT INTO walked VALUES (account, ids[depth], placed);
        placed := placed + 1;
        at_cents := from_cents[depth];
        depth := depth - 1;
      ELSE
        EXIT;
      END IF;
    END LOOP;
  END LOOP;
END $$;

ALTER TABLE ledger_transactions DISABLE TRIGGER transactions_are_append_only;

-- Transactions that no walk reaches contradict the others: they come last, and `waybill verify-ledger` names them.
UPDATE ledger_transactions AS posted SET sequence = place.sequence
FROM (
  SELECT account_id, id,
    row_number() OVER (PARTITION BY account_id ORDER BY steps_to_end DESC NULLS LAST, id) AS sequence
  FROM ledger_transactions LEFT JOIN walked USING (account_id, id)) AS place
WHERE posted.account_id = place.account_id AND posted.id = place.id;

DO $$
DECLARE
  posted   ledger_transactions;
  previous bytea;
BEGIN
  FOR posted IN SELECT * FROM ledger_transactions ORDER BY account_id, sequence LOOP
    previous := ledger_hash_of(CASE posted.sequence WHEN 1 THEN '' ELSE previous END, posted);
    UPDATE ledger_transactions SET hash = previous WHERE account_id = posted.account_id AND id = posted.id;
  END LOOP;
END $$;

ALTER TABLE ledger_transactions ENABLE TRIGGER transactions_are_append_only;

ALTER TABLE ledger_transactions
  ALTER COLUMN sequence SET NOT NULL,
  ALTER COLUMN hash SET NOT NULL;

UPDATE balances SET chain_length = last.sequence, chain_hash = last.hash
FROM (SELECT DISTINCT ON (account_id) account_id, sequence, hash FROM ledger_transactions ORDER BY account_id, sequence DESC) AS last
WHERE balances.account_id = last.account_id;
