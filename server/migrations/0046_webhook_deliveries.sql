-- compatible with 0040
-- A sealed secret is a text, as the sealer makes it and `waybill rekey` reads it.
ALTER TABLE webhook_secrets ALTER COLUMN sealed TYPE text USING convert_from(sealed, 'UTF8');
-- Attempts before the present schedule: an ended delivery that is sent again begins its schedule anew, and its
-- attempts are numbered on.
ALTER TABLE deliveries ADD COLUMN attempts_before integer NOT NULL DEFAULT 0;
