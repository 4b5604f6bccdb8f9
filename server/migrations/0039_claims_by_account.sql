-- compatible with 0037
-- no transaction
-- A claim first asks which accounts have work, then takes of one account (ADR 23): an index on the account, or on the
-- party and the account, and the moment for each kind of work. Those that the
-- release before claims by stay. What an earlier try left, which may not be valid, is dropped first.
DROP INDEX CONCURRENTLY IF EXISTS rule_purchases_of_accounts;
CREATE INDEX CONCURRENTLY rule_purchases_of_accounts
  ON rule_purchases (account_id, not_before NULLS FIRST) WHERE status = 'waiting';
DROP INDEX CONCURRENTLY IF EXISTS statements_of_accounts_to_make;
CREATE INDEX CONCURRENTLY statements_of_accounts_to_make
  ON statements (account_id, due_at NULLS FIRST) WHERE status = 'generating';
DROP INDEX CONCURRENTLY IF EXISTS imports_of_accounts;
CREATE INDEX CONCURRENTLY imports_of_accounts
  ON imports (account_id, taken_at NULLS FIRST) WHERE status = 'processing';
DROP INDEX CONCURRENTLY IF EXISTS batches_of_accounts_to_combine;
CREATE INDEX CONCURRENTLY batches_of_accounts_to_combine
  ON batches (account_id, combine_at NULLS FIRST) WHERE combine_at IS NOT NULL;
-- Not of what is `sent`: that is written by every purchase, and is unknown once somebody has looked it up.
DROP INDEX CONCURRENTLY IF EXISTS attempts_of_accounts_due;
CREATE INDEX CONCURRENTLY attempts_of_accounts_due
  ON attempts (party, account_id, look_at NULLS FIRST) WHERE look_at IS NOT NULL AND status IN ('unknown', 'absent');
DROP INDEX CONCURRENTLY IF EXISTS shipments_of_accounts_by_refund_check;
CREATE INDEX CONCURRENTLY shipments_of_accounts_by_refund_check
  ON shipments (carrier, account_id, refund_check_at NULLS FIRST) WHERE refund_status = 'pending';
DROP INDEX CONCURRENTLY IF EXISTS pickup_parts_of_accounts_to_cancel;
CREATE INDEX CONCURRENTLY pickup_parts_of_accounts_to_cancel
  ON pickup_parts (carrier, account_id, cancel_at NULLS FIRST) WHERE cancel_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS trackers_of_accounts_due;
CREATE INDEX CONCURRENTLY trackers_of_accounts_due
  ON trackers (carrier, account_id, look_at NULLS FIRST) WHERE look_at IS NOT NULL;
