-- Answers that carry a secret, such as a new token, are stored sealed under a key that is not in the database,
-- and no backup has them. They were stored as plain text until this release: those are taken out here, so
-- that their keys answer that the answer can no longer be repeated.
ALTER TABLE idempotency_keys ADD COLUMN sealed_body text;

UPDATE idempotency_keys SET body = NULL WHERE status = 201 AND position('"token":"wb_'::bytea IN body) > 0;
