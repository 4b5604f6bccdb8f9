-- compatible with 0050
-- no transaction
-- Secrets of webhooks whose overlap is over are deleted by the hour.
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_secrets_ending ON webhook_secrets (expires_at) WHERE expires_at IS NOT NULL;
