-- compatible with 0040
-- A database that was set back has lost positions that readers of the feeds, and webhooks, were told: by a restore, by a
-- failover, or as an operator says. Each feed jumps over them and says so in an event, in the transaction that closes the
-- gate, so that no position is used twice. 2^32 is more events than an account has between two backups.
CREATE FUNCTION jump_feeds(told_by text) RETURNS void LANGUAGE sql AS $$
  WITH jumped AS (
    UPDATE event_feeds SET last_position = last_position + 4294967296 RETURNING account_id, last_position)
  INSERT INTO events (account_id, id, type, subject_id, data, actor)
  SELECT account_id, new_event_id(), 'feed.restored', account_id,
    jsonb_build_object('from', (last_position - 4294967296)::text, 'to', last_position::text), told_by
  FROM jumped
$$;
