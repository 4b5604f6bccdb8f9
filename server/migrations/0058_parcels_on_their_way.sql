-- compatible with 0050
-- no transaction
-- Delayed parcels are looked for among those on their way, of which there are as many as an account ships in a few weeks.
CREATE INDEX CONCURRENTLY IF NOT EXISTS trackers_on_their_way ON trackers (account_id, id)
  WHERE status IN ('pre_transit', 'accepted', 'in_transit', 'out_for_delivery', 'attempted_delivery', 'exception');
