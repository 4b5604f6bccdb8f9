-- compatible with 0040
-- What was asked of the API and of carriers. These are logs: a line may be lost, and no request waits for one. A
-- partition holds a day and is dropped whole; the loop that makes them is `database/partitions.ts`, and the default
-- one takes lines for which there is none yet.
CREATE TABLE request_log (
  account_id      id NOT NULL,
  -- The arrival of the request.
  at              timestamptz NOT NULL,
  id              id NOT NULL,
  request_id      text NOT NULL,
  method          text NOT NULL,
  route           text NOT NULL,
  path            text NOT NULL,
  status          integer NOT NULL,
  ms              integer NOT NULL,
  actor           text NOT NULL,
  idempotency_key text,
  is_replay       boolean NOT NULL,
  error_code      text,
  ip              text,
  PRIMARY KEY (account_id, id, at)
) PARTITION BY RANGE (at);
CREATE INDEX request_log_by_request_id ON request_log (request_id, account_id);
CREATE TABLE request_log_default PARTITION OF request_log DEFAULT;

-- Of mutations and refusals, redacted; kept for fewer days than the line.
CREATE TABLE request_bodies (
  account_id    id NOT NULL,
  at            timestamptz NOT NULL,
  id            id NOT NULL,
  request_body  text,
  response_body text,
  PRIMARY KEY (account_id, id, at)
) PARTITION BY RANGE (at);
CREATE TABLE request_bodies_default PARTITION OF request_bodies DEFAULT;

-- The shipments, orders and batches that a request was about.
CREATE TABLE request_subjects (
  account_id     id NOT NULL,
  at             timestamptz NOT NULL,
  subject_id     id NOT NULL,
  request_log_id id NOT NULL,
  PRIMARY KEY (account_id, subject_id, request_log_id, at)
) PARTITION BY RANGE (at);
CREATE TABLE request_subjects_default PARTITION OF request_subjects DEFAULT;

CREATE TABLE carrier_calls (
  account_id    id NOT NULL,
  at            timestamptz NOT NULL,
  id            id NOT NULL,
  request_id    text,
  attempt_id    id,
  shipment_id   id,
  carrier       text NOT NULL,
  operation     text NOT NULL,
  ms            integer NOT NULL,
  outcome       text NOT NULL,
  request_body  text,
  response_body text,
  PRIMARY KEY (account_id, id, at)
) PARTITION BY RANGE (at);
CREATE INDEX carrier_calls_of_shipment ON carrier_calls (shipment_id, account_id, at);
CREATE INDEX carrier_calls_of_request ON carrier_calls (request_id, account_id, at);
CREATE TABLE carrier_calls_default PARTITION OF carrier_calls DEFAULT;

-- Moments at which a process lost lines, because the log could not keep up or the process was killed: what is shown of
-- the logs is complete since the last of them.
CREATE TABLE request_log_gaps (
  process_id id NOT NULL,
  at         timestamptz NOT NULL,
  line_count integer,
  PRIMARY KEY (process_id, at)
);
CREATE INDEX request_log_gaps_by_time ON request_log_gaps (at);
