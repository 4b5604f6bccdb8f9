-- compatible with 0058
-- A read that succeeded mostly names one shipment, order or batch, in its path. It stands in the line itself: a row of
-- its own in `request_subjects` cost as much as half a line. Only the calls that a timeline tells have rows there.
ALTER TABLE request_log ADD subject_id id;
CREATE INDEX request_log_by_subject ON request_log (subject_id, account_id, id) WHERE subject_id IS NOT NULL;
