-- Batches: shipments whose labels are bought together, by as many workers as there are. Each item is
-- claimed by a process whose heartbeat (`processes`) is its lease, and remembers the attempt at its
-- purchase, so that whoever takes over a dead process's items learns what became of each.

CREATE TABLE batches (
  account_id         id NOT NULL,
  id                 id NOT NULL,
  name               text NOT NULL,
  status             text NOT NULL DEFAULT 'open' CHECK (status IN (
                       'open', 'processing', 'completed', 'completed_with_errors')),
  -- In the order given. The items say the same; here it is read at once.
  shipment_ids       text[] NOT NULL,
  -- What the last run was asked for: the service of shipments that name none.
  service            text,
  label_format       text,
  -- What the last run came to. While one is under way its items are counted instead, so that no row
  -- is everybody's.
  success_count      integer NOT NULL DEFAULT 0,
  error_count        integer NOT NULL DEFAULT 0,
  total_cost_cents   bigint NOT NULL DEFAULT 0,
  created_at         timestamptz NOT NULL,
  process_started_at timestamptz,
  processed_at       timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX batches_processing ON batches (account_id, id) WHERE status = 'processing';

CREATE TABLE batch_items (
  account_id  id NOT NULL,
  batch_id    id NOT NULL,
  shipment_id id NOT NULL,
  place       integer NOT NULL,
  status      text NOT NULL DEFAULT 'waiting' CHECK (status IN (
                'waiting', 'claimed', 'pending', 'succeeded', 'failed')),
  holder_id   id,
  -- The attempt at its purchase, written in the transaction that writes the attempt.
  attempt_id  id,
  -- Put off: not before this moment, and how often so far.
  not_before  timestamptz,
  tries       integer NOT NULL DEFAULT 0,
  cost_cents  bigint,
  error       jsonb,
  PRIMARY KEY (account_id, batch_id, shipment_id),
  FOREIGN KEY (account_id, batch_id) REFERENCES batches ON DELETE CASCADE,
  CHECK ((status = 'claimed') = (holder_id IS NOT NULL)),
  CHECK (status <> 'pending' OR attempt_id IS NOT NULL),
  CHECK ((status = 'succeeded') = (cost_cents IS NOT NULL)),
  CHECK ((status = 'failed') = (error IS NOT NULL))
) WITH (fillfactor = 60);
CREATE INDEX batch_items_unfinished ON batch_items (account_id, batch_id, status, place)
  WHERE status IN ('waiting', 'claimed', 'pending');
CREATE INDEX batch_items_claimed ON batch_items (holder_id) WHERE status = 'claimed';
CREATE INDEX batch_items_failed ON batch_items (account_id, batch_id, shipment_id) WHERE status = 'failed';
