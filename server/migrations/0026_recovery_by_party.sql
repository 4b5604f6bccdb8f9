-- Recovery asks each party by itself, so that one that hangs delays nobody, and looks for what was given up in
-- the same way as for what is unknown.

-- How often undoing an effect at its party failed; counted apart from look-ups, which went well then.
ALTER TABLE attempts ADD COLUMN undo_count integer NOT NULL DEFAULT 0;

-- `look_at` is set as long as an attempt is to be looked up: until it is settled, refused or under review.
CREATE INDEX attempts_due ON attempts (party, look_at) WHERE look_at IS NOT NULL;
DROP INDEX attempts_open;
DROP INDEX attempts_watched;

-- A purchase that was given up frees its shipment (`resolved_at`), and stays so when its label appears late and
-- an operator has to decide about that.
DROP INDEX attempts_one_live_purchase;
CREATE UNIQUE INDEX attempts_one_live_purchase ON attempts (account_id, subject_id)
  WHERE kind = 'label_purchase'
    AND (status IN ('sent', 'unknown', 'settled') OR status = 'review' AND resolved_at IS NULL);

-- The same for refunds that a carrier has yet to grant, and drivers who are to be called off.
CREATE INDEX shipments_by_refund_check_of_carrier ON shipments (carrier, refund_check_at) WHERE refund_status = 'pending';
DROP INDEX shipments_by_refund_check;
ALTER INDEX shipments_by_refund_check_of_carrier RENAME TO shipments_by_refund_check;
CREATE INDEX pickup_parts_to_cancel_of_carrier ON pickup_parts (carrier, cancel_at) WHERE cancel_at IS NOT NULL;
DROP INDEX pickup_parts_to_cancel;
ALTER INDEX pickup_parts_to_cancel_of_carrier RENAME TO pickup_parts_to_cancel;
