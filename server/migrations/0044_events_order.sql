-- compatible with 0040
-- no transaction
-- Events from before 0041 have no `made`, and an account may have very many: the index has their whole order, so that
-- each round of placing reads as many as it takes.
DROP INDEX CONCURRENTLY IF EXISTS events_unplaced_in_order;
CREATE INDEX CONCURRENTLY events_unplaced_in_order ON events (account_id, made NULLS FIRST, created_at, id)
  WHERE position IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS events_unplaced;
