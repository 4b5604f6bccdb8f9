-- compatible with 0040
-- After its commit an event gets its position in the account's feed and its place among its subject's events (ADR 26).
-- `made` orders the events of one subject, whose transactions wait for each other at the subject's row; ids do not,
-- because they come from the clocks of several processes. Events from before have none, and come first.
CREATE SEQUENCE events_made;
ALTER TABLE events
  ADD COLUMN made     bigint,
  ADD COLUMN position bigint,
  ADD COLUMN sequence integer;
ALTER TABLE events ALTER COLUMN made SET DEFAULT nextval('events_made');

-- The end of each account's feed. Positions up to and including `pruned_position` are gone (0: none is).
CREATE TABLE event_feeds (
  account_id      id PRIMARY KEY,
  last_position   bigint NOT NULL DEFAULT 0,
  pruned_position bigint NOT NULL DEFAULT 0,
  CHECK (pruned_position <= last_position)
);

-- How many events of each subject were placed: the numbers go on when the events themselves are pruned.
CREATE TABLE event_subjects (
  account_id    id NOT NULL,
  subject_id    id NOT NULL,
  last_sequence integer NOT NULL,
  PRIMARY KEY (account_id, subject_id)
);

CREATE TABLE webhooks (
  account_id      id NOT NULL,
  id              id NOT NULL,
  url             text NOT NULL,
  description     text,
  types           text[] NOT NULL,
  status          text NOT NULL CHECK (status IN ('enabled', 'disabled')),
  disabled_reason text,
  -- Events placed up to here are not for it.
  since_position  bigint NOT NULL,
  max_in_flight   integer NOT NULL DEFAULT 8 CHECK (max_in_flight BETWEEN 1 AND 32),
  -- When its next delivery is due, as long as it has any that is pending.
  due_at          timestamptz,
  -- The process that sends its deliveries.
  holder_id       id,
  fence           bigint NOT NULL DEFAULT 0,
  -- Of the failures since the last success: since when, how many, and whether the account was told of it.
  failing_since   timestamptz,
  failure_count   integer NOT NULL DEFAULT 0,
  is_failing_told boolean NOT NULL DEFAULT false,
  last_success_at timestamptz,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
) WITH (fillfactor = 50);
CREATE INDEX webhooks_of_accounts_due ON webhooks (account_id, due_at NULLS FIRST) WHERE due_at IS NOT NULL;

-- The newest signs; one with `expires_at` is being replaced and signs beside it until then.
CREATE TABLE webhook_secrets (
  account_id id NOT NULL,
  webhook_id id NOT NULL,
  id         id NOT NULL,
  sealed     bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  PRIMARY KEY (account_id, webhook_id, id)
);

-- No foreign key to the event, which is pruned by itself. A test's event stands in no feed: it is `sample`.
CREATE TABLE deliveries (
  account_id    id NOT NULL,
  id            id NOT NULL,
  webhook_id    id NOT NULL,
  event_id      id NOT NULL,
  event_type    text NOT NULL,
  trigger       text NOT NULL CHECK (trigger IN ('event', 'replay', 'test')),
  status        text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
  sample        jsonb,
  attempt_count integer NOT NULL DEFAULT 0,
  due_at        timestamptz,
  last_status   integer,
  last_error    text,
  last_ms       integer,
  ended_at      timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, webhook_id, event_id),
  CHECK ((status = 'pending') = (ended_at IS NULL)),
  CHECK (status <> 'pending' OR due_at IS NOT NULL)
);
CREATE INDEX deliveries_due ON deliveries (account_id, webhook_id, due_at, id) WHERE status = 'pending';
CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id, account_id, id DESC);
CREATE INDEX deliveries_of_event ON deliveries (event_id, account_id);
CREATE INDEX deliveries_ended ON deliveries (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE delivery_attempts (
  account_id       id NOT NULL,
  at               timestamptz NOT NULL,
  delivery_id      id NOT NULL,
  number           integer NOT NULL,
  ms               integer NOT NULL,
  status           integer,
  error            text,
  response_excerpt text,
  PRIMARY KEY (account_id, delivery_id, number, at)
) PARTITION BY RANGE (at);
CREATE TABLE delivery_attempts_default PARTITION OF delivery_attempts DEFAULT;
