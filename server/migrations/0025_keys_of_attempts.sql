-- An Idempotency-Key knows what its request made or began: a shipment, a pickup, a top-up's transaction. An
-- attempt that names the key is linked to it by that subject. No clock has to be compared for it.

ALTER TABLE idempotency_keys ADD COLUMN subject_id id;
ALTER TABLE idempotency_keys ALTER COLUMN created_at SET DEFAULT now();

UPDATE idempotency_keys AS held SET subject_id = attempt.subject_id
FROM attempts AS attempt
WHERE held.status IS NULL
  AND attempt.account_id = held.account_id AND attempt.idempotency_key = held.key
  AND attempt.status IN ('sent', 'unknown', 'review', 'settled') AND attempt.sent_at >= held.created_at;

-- Keys whose outcome was open could expire before; what came of them is nobody's answer any more.
UPDATE attempts SET idempotency_key = NULL
WHERE status IN ('sent', 'unknown', 'review') AND idempotency_key IS NOT NULL AND NOT EXISTS (
  SELECT FROM idempotency_keys AS held
  WHERE held.account_id = attempts.account_id AND held.key = attempts.idempotency_key
    AND held.subject_id = attempts.subject_id AND held.status IS NULL);

-- A refusal has a code, by which the program tells it from others, and a detail for people.
CREATE FUNCTION refuse(code text, detail text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'WB001', MESSAGE = code, DETAIL = detail;
END $$;
