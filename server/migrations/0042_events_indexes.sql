-- compatible with 0040
-- no transaction
-- What an earlier try left, which may not be valid, is dropped first. Those for the statements of
-- one subject do not begin with the account, so that the planner takes none of them for a whole account (ADR 16).
DROP INDEX CONCURRENTLY IF EXISTS events_unplaced;
CREATE INDEX CONCURRENTLY events_unplaced ON events (account_id, made NULLS FIRST) WHERE position IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS events_feed;
CREATE UNIQUE INDEX CONCURRENTLY events_feed ON events (account_id, position) WHERE position IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS events_of_subject;
CREATE INDEX CONCURRENTLY events_of_subject ON events (subject_id, account_id, sequence);
DROP INDEX CONCURRENTLY IF EXISTS attempts_of_subject;
CREATE INDEX CONCURRENTLY attempts_of_subject ON attempts (subject_id, account_id);
