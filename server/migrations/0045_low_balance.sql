-- compatible with 0040
-- `credits.low_balance` is written in the transaction in which a balance falls below the account's threshold, whichever
-- statement moved it. A trigger costs nothing where its condition is false; asking in the purchase would cost it a round
-- trip while the balance is locked.
ALTER TABLE balances ADD COLUMN low_balance_cents bigint;

-- An id as newId("evt") makes it: a UUID of version 7 in base 32.
CREATE FUNCTION new_event_id() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  millis bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
  random text := replace(gen_random_uuid()::text, '-', '');
  bits bit(130);
  digits text := '';
BEGIN
  bits := B'00' || millis::bit(48) || B'0111' || ('x' || substr(random, 1, 3))::bit(12)
    || B'10' || ('x' || substr(random, 4, 4))::bit(14) || ('x' || substr(random, 18, 12))::bit(48);
  FOR place IN 0..25 LOOP
    digits := digits || substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits FROM place * 5 + 1 FOR 5)::int + 1, 1);
  END LOOP;
  RETURN 'evt_' || digits;
END $$;

CREATE FUNCTION record_low_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (account_id, id, type, subject_id, data, actor)
  VALUES (NEW.account_id, new_event_id(), 'credits.low_balance', NEW.account_id,
    jsonb_build_object('balance', NEW.balance_cents / 100.0::double precision,
      'threshold', NEW.low_balance_cents / 100.0::double precision, 'currency', NEW.currency),
    'system:ledger');
  RETURN NULL;
END $$;
CREATE TRIGGER low_balances AFTER UPDATE ON balances FOR EACH ROW
  WHEN (OLD.balance_cents >= NEW.low_balance_cents AND NEW.balance_cents < NEW.low_balance_cents)
  EXECUTE FUNCTION record_low_balance();
