-- compatible with 0058
-- A card is charged by itself when the balance falls below a threshold (ADR 51). The threshold stands beside the balance,
-- so that a movement of money costs nothing where the account has none, or where the balance is above it.
ALTER TABLE balances ADD COLUMN recharge_below_cents bigint;

CREATE TABLE auto_recharges (
  account_id     id PRIMARY KEY,
  -- Null: the balance is high enough. Infinity: the card was refused so often that the account has to choose again.
  due_at         timestamptz,
  -- The top-up that is under way: there is never a second one.
  transaction_id id,
  failure_count  integer NOT NULL DEFAULT 0
);
CREATE INDEX auto_recharges_due ON auto_recharges (account_id, due_at)
  WHERE transaction_id IS NULL AND due_at < 'infinity';

CREATE FUNCTION make_recharge_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE auto_recharges SET due_at = now() WHERE account_id = NEW.account_id AND due_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER recharges AFTER UPDATE ON balances FOR EACH ROW
  WHEN (NEW.balance_cents < NEW.recharge_below_cents AND NEW.balance_cents < OLD.balance_cents)
  EXECUTE FUNCTION make_recharge_due();
