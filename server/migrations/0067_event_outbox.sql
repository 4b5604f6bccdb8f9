-- compatible with 0058
-- Events wait in a table of their own for their position: what one statement recorded for an account is one row here, and
-- an event is written into `events` once, with its position. Before, each was inserted there, and updated when it was placed,
-- which cost PostgreSQL three times as much.
CREATE TABLE event_outbox (
  account_id  id NOT NULL,
  -- Orders the events of one subject, whose transactions wait for each other at the subject's row.
  made        bigint NOT NULL DEFAULT nextval('events_made'),
  created_at  timestamptz NOT NULL DEFAULT now(),
  event_count integer NOT NULL CHECK (event_count > 0),
  -- Objects with the columns `id`, `type`, `subject_id`, `data`, `actor` and `request_id` of `events`.
  events      jsonb NOT NULL,
  PRIMARY KEY (account_id, made)
);
-- A row lives for a fraction of a second, which is not worth compressing it.
ALTER TABLE event_outbox ALTER COLUMN events SET STORAGE EXTERNAL;

-- Processes of the release before insert events without a position. They come here, too: the two releases would give the
-- same positions if each placed its own.
CREATE FUNCTION send_event_to_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_outbox (account_id, made, created_at, event_count, events)
  VALUES (NEW.account_id, coalesce(NEW.made, nextval('events_made')), NEW.created_at, 1, jsonb_build_array(jsonb_build_object(
    'id', NEW.id, 'type', NEW.type, 'subject_id', NEW.subject_id, 'data', NEW.data, 'actor', NEW.actor,
    'request_id', NEW.request_id)));
  RETURN NULL;
END $$;
CREATE TRIGGER unplaced_events_go_to_the_outbox BEFORE INSERT ON events
  FOR EACH ROW WHEN (NEW.position IS NULL) EXECUTE FUNCTION send_event_to_outbox();

-- The trigger's lock is held until the commit, so that no event is inserted or placed meanwhile. Those from before 0041 have
-- no `made`, and come first.
INSERT INTO event_outbox (account_id, made, created_at, event_count, events)
SELECT account_id, coalesce(made, row_number() OVER (ORDER BY created_at, id) - (1::bigint << 40)), created_at, 1,
  jsonb_build_array(jsonb_build_object('id', id, 'type', type, 'subject_id', subject_id, 'data', data, 'actor', actor,
    'request_id', request_id))
FROM events WHERE position IS NULL;
DELETE FROM events WHERE position IS NULL;

CREATE OR REPLACE FUNCTION jump_feeds(told_by text) RETURNS void LANGUAGE sql AS $$
  WITH jumped AS (
    UPDATE event_feeds SET last_position = last_position + 4294967296 RETURNING account_id, last_position)
  INSERT INTO event_outbox (account_id, event_count, events)
  SELECT account_id, 1, jsonb_build_array(jsonb_build_object(
    'id', new_event_id(), 'type', 'feed.restored', 'subject_id', account_id, 'actor', told_by,
    'data', jsonb_build_object('from', (last_position - 4294967296)::text, 'to', last_position::text)))
  FROM jumped
$$;

-- All that was recorded: a timeline has an event as soon as the change that it tells of. Both parts have columns of the same
-- types, without which the planner would not look up the rows of a subject by their index.
CREATE VIEW recorded_events AS
  SELECT account_id, id, type, subject_id, data, created_at, actor, request_id, position, sequence FROM events
  UNION ALL
  SELECT outbox.account_id, each.id, each.type, each.subject_id, each.data, outbox.created_at, each.actor,
    each.request_id, NULL::bigint, NULL::integer
  FROM event_outbox AS outbox CROSS JOIN LATERAL jsonb_to_recordset(outbox.events)
    AS each (id id, type text, subject_id id, data jsonb, actor text, request_id text);
