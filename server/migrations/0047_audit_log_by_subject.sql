-- compatible with 0040
-- no transaction
-- For the statements of one subject, and so not begun with the account (ADR 16). What an earlier try left, which may
-- not be valid, is dropped first.
DROP INDEX CONCURRENTLY IF EXISTS audit_log_of_subject;
CREATE INDEX CONCURRENTLY audit_log_of_subject ON audit_log (subject_id, account_id);
