-- compatible with 0040
-- Which request a rule acted in. Null in rows from before, and in those of processes of the release before.
ALTER TABLE rule_runs ADD COLUMN request_id text;

-- When a migration was applied: nothing was logged before this one. A restored database has the moment of its restore,
-- and nothing of what was logged between the backup and then. Null for those that were applied before.
ALTER TABLE migration_checksums ADD COLUMN applied_at timestamptz;
ALTER TABLE migration_checksums ALTER COLUMN applied_at SET DEFAULT now();

-- The subjects of one request. The table is new, so that this takes no time.
CREATE INDEX request_subjects_of_request ON request_subjects (request_log_id, account_id);
