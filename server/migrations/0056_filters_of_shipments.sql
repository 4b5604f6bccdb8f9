-- compatible with 0050
-- no transaction
-- Filters of GET /shipments that no index served: a rare value was looked for in all of an account's shipments. A draft
-- has neither of the two, and of all types freight is the rare one.
CREATE INDEX CONCURRENTLY IF NOT EXISTS shipments_by_service ON shipments (account_id, service, id) WHERE service IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS shipments_by_tracking_status ON shipments (account_id, tracking_status, id)
  WHERE tracking_status IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS shipments_of_freight ON shipments (account_id, id) WHERE type = 'ltl';
