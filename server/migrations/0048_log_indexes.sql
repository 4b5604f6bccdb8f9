-- compatible with 0040
-- no transaction
-- Lines of the audit log no longer sort by their id, which began with `evt_` in earlier releases.
DROP INDEX CONCURRENTLY IF EXISTS audit_log_by_time;
CREATE INDEX CONCURRENTLY audit_log_by_time ON audit_log (account_id, created_at, id);
-- A partitioned table takes no index CONCURRENTLY; it is as new as 0043. Keys are searched for one by one.
DROP INDEX IF EXISTS request_log_by_key;
CREATE INDEX request_log_by_key ON request_log (idempotency_key, account_id) WHERE idempotency_key IS NOT NULL;
