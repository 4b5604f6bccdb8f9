-- Automation rules (decision 16): what they are, every run with what it changed, and the labels that they buy.

CREATE TABLE rules (
  account_id      id NOT NULL,
  id              id NOT NULL,
  name            text NOT NULL,
  enabled         boolean NOT NULL,
  priority        integer NOT NULL,
  trigger         text NOT NULL CHECK (trigger IN (
                    'order.created', 'shipment.created', 'shipment.before_purchase', 'batch.before_process')),
  -- Either, or neither for a rule that always acts.
  filter_id       id,
  criteria        jsonb,
  actions         jsonb NOT NULL,
  stop_processing boolean NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (account_id, id),
  CONSTRAINT rules_filter FOREIGN KEY (account_id, filter_id) REFERENCES filters,
  CHECK (filter_id IS NULL OR criteria IS NULL)
);
CREATE INDEX rules_by_filter ON rules (account_id, filter_id) WHERE filter_id IS NOT NULL;

-- What an account's rules are now, as one text that is new after every change of a rule or of a filter that
-- one uses: whoever has compiled them asks for it in his own transaction, and so never acts by old ones.
CREATE TABLE rule_sets (
  account_id id NOT NULL,
  version    text NOT NULL,
  PRIMARY KEY (account_id)
);

-- How often each rule ran, in parts: whoever counts adds to one of them, so that no row is everybody's.
CREATE TABLE rule_run_counts (
  account_id  id NOT NULL,
  rule_id     id NOT NULL,
  part        smallint NOT NULL,
  run_count   bigint NOT NULL,
  last_run_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, rule_id, part)
) WITH (fillfactor = 60);

-- A run outlives its rule and its subject.
CREATE TABLE rule_runs (
  account_id   id NOT NULL,
  id           id NOT NULL,
  rule_id      id NOT NULL,
  rule_name    text NOT NULL,
  trigger      text NOT NULL,
  subject_type text NOT NULL CHECK (subject_type IN ('order', 'shipment')),
  subject_id   id NOT NULL,
  status       text NOT NULL CHECK (status IN ('applied', 'failed', 'rejected')),
  changes      jsonb NOT NULL,
  error        jsonb,
  -- What became of the label that it asked for.
  purchase     jsonb,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX rule_runs_by_rule ON rule_runs (account_id, rule_id, id);
CREATE INDEX rule_runs_by_subject ON rule_runs (account_id, subject_id, id);

-- Labels that rules want bought, until they are or cannot be. Claims and attempts are as those of batch items.
CREATE TABLE rule_purchases (
  account_id      id NOT NULL,
  shipment_id     id NOT NULL,
  run_id          id NOT NULL,
  rule_id         id NOT NULL,
  rule_name       text NOT NULL,
  max_total_cents bigint NOT NULL,
  status          text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'claimed', 'pending')),
  holder_id       id,
  attempt_id      id,
  not_before      timestamptz NOT NULL,
  tries           integer NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, shipment_id),
  CHECK ((status = 'claimed') = (holder_id IS NOT NULL)),
  CHECK (status <> 'pending' OR attempt_id IS NOT NULL)
) WITH (fillfactor = 60);
CREATE INDEX rule_purchases_due ON rule_purchases (not_before) WHERE status = 'waiting';
CREATE INDEX rule_purchases_pending ON rule_purchases (not_before) WHERE status = 'pending';
CREATE INDEX rule_purchases_claimed ON rule_purchases (holder_id) WHERE status = 'claimed';

-- What rules said of a shipment, and of the shipments that an order will have.
ALTER TABLE shipments ADD COLUMN on_hold boolean NOT NULL DEFAULT false, ADD COLUMN rule_terms jsonb;
ALTER TABLE orders ADD COLUMN shipment_actions jsonb NOT NULL DEFAULT '[]';

-- A rule adds to the open batch of a name.
CREATE INDEX batches_open ON batches (account_id, name, id) WHERE status = 'open';
