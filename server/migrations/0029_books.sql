-- What kept the books right only because the code did it is kept, or can be proven, by the database.

-- A shipment is debited once and refunded once: of the types, `label`, `ltl` and `refund` have a shipment. In place
-- of the index on the same columns, so that a purchase maintains no more indexes than before.
DROP INDEX ledger_transactions_by_shipment;
CREATE UNIQUE INDEX ledger_transactions_by_shipment ON ledger_transactions (account_id, shipment_id, (type = 'refund'))
  WHERE shipment_id IS NOT NULL;

-- What the carrier charged for the label: written by another statement than the ledger's, which is held against it.
-- Null for labels from before.
ALTER TABLE shipments ADD COLUMN carrier_cost_cents bigint;

-- The line of the audit log names its adjustment. Those from before are told by amount, reason and order.
UPDATE audit_log AS line SET details = line.details || jsonb_build_object('transaction_id', posted.id)
FROM (
  SELECT account_id, id, details ->> 'description' AS description,
    round((details ->> 'amount')::numeric * 100)::bigint AS amount_cents,
    row_number() OVER (PARTITION BY account_id, details ->> 'description', details ->> 'amount' ORDER BY id) AS place
  FROM audit_log WHERE action = 'balance.adjusted' AND NOT details ? 'transaction_id') AS told
JOIN (
  SELECT account_id, id, description, amount_cents,
    row_number() OVER (PARTITION BY account_id, description, amount_cents ORDER BY sequence) AS place
  FROM ledger_transactions WHERE type = 'adjustment') AS posted USING (account_id, description, amount_cents, place)
WHERE line.account_id = told.account_id AND line.id = told.id;

-- A digest of the answer that a key replays, taken at the moment when it is first stored, whoever stores it. Null for
-- answers from before.
ALTER TABLE idempotency_keys ADD COLUMN digest bytea;

CREATE FUNCTION answer_digest(
  account_id text, key text, fingerprint bytea, status integer, content_type text, location text, body bytea
) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256(convert_to(jsonb_build_array(
  account_id, key, encode(fingerprint, 'hex'), status, content_type, location, encode(sha256(body), 'hex'))::text, 'UTF8'));

CREATE FUNCTION take_answer_digest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.digest := answer_digest(
    NEW.account_id, NEW.key, NEW.fingerprint, NEW.status, NEW.content_type, NEW.location, NEW.body);
  RETURN NEW;
END $$;
CREATE TRIGGER answers_have_a_digest BEFORE UPDATE ON idempotency_keys
  FOR EACH ROW WHEN (OLD.status IS NULL AND NEW.status IS NOT NULL) EXECUTE FUNCTION take_answer_digest();
