-- compatible with 0050
-- no transaction
-- For the operator's list of all changes, newest first. What an earlier try left, which may not be valid, is dropped.
DROP INDEX CONCURRENTLY IF EXISTS audit_log_by_time;
CREATE INDEX CONCURRENTLY audit_log_by_time ON audit_log (created_at, account_id);
