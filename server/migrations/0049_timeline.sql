-- compatible with 0040
-- Which request a rule acted in. Null in rows from before, and in those of processes of the release before.
ALTER TABLE rule_runs ADD COLUMN request_id text;

-- Nothing was logged until now: a timeline says that its logs are complete since the last of these.
INSERT INTO request_log_gaps (process_id, at, line_count) VALUES ('migration', now(), NULL);

-- The subjects of one request. The table is new, so that this takes no time.
CREATE INDEX request_subjects_of_request ON request_subjects (request_log_id, account_id);
