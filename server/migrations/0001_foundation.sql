-- The foundation: who calls (organizations, accounts, tokens), what they ship (shipments and their
-- quotes), what we did outside (attempts), and the books (balances, holds, transactions, entries).
--
-- Every tenant row carries account_id first in its primary key and in every unique index, and no
-- foreign key crosses accounts, so that the schema distributes by account_id unchanged.
-- Ids are TypeIDs: in the "C" collation their order is the order in which they were made.

CREATE DOMAIN id AS text COLLATE "C";

-- Global tables: not a tenant's.

CREATE TABLE organizations (
  id          id PRIMARY KEY,
  name        text NOT NULL,
  owner_email text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE users (
  id              id PRIMARY KEY,
  organization_id id NOT NULL REFERENCES organizations,
  email           text NOT NULL UNIQUE,
  password_hash   text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE operator_tokens (
  token_hash bytea PRIMARY KEY,
  name       text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- One row for each running process. A row whose heartbeat is older than the lease (15 s) is dead,
-- and what it held may be taken over: one update renews every lease of a process at once.
CREATE TABLE processes (
  id           id PRIMARY KEY,
  role         text NOT NULL,
  started_at   timestamptz NOT NULL DEFAULT now(),
  heartbeat_at timestamptz NOT NULL DEFAULT now()
);

-- Tenant tables.

CREATE TABLE accounts (
  account_id           id PRIMARY KEY,
  organization_id      id NOT NULL,
  environment          text NOT NULL CHECK (environment IN ('live', 'test')),
  currency             text NOT NULL DEFAULT 'CAD',
  time_zone            text NOT NULL DEFAULT 'America/Toronto',
  default_from_address jsonb,
  settings             jsonb NOT NULL DEFAULT '{}',
  suspended_at         timestamptz,
  created_at           timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE tokens (
  account_id   id NOT NULL,
  id           id NOT NULL,
  name         text NOT NULL,
  scopes       text[] NOT NULL,
  token_hash   bytea NOT NULL,
  last_four    text NOT NULL,
  created_by   text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  PRIMARY KEY (account_id, id)
);
-- The look-up of every request. Not unique, because a unique index would have to start with
-- account_id, which nobody knows yet; 238 bits of randomness make a second row impossible.
CREATE INDEX tokens_by_hash ON tokens (token_hash);

CREATE TABLE idempotency_keys (
  account_id   id NOT NULL,
  key          text NOT NULL,
  fingerprint  bytea NOT NULL,
  holder_id    id,
  created_at   timestamptz NOT NULL,
  status       integer,
  content_type text,
  location     text,
  body         bytea,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

CREATE TABLE audit_log (
  account_id id NOT NULL,
  id         id NOT NULL,
  actor      text NOT NULL,
  action     text NOT NULL,
  subject_id text NOT NULL,
  details    jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, id)
);

CREATE TABLE shipments (
  account_id             id NOT NULL,
  id                     id NOT NULL,
  type                   text NOT NULL CHECK (type IN ('courier', 'ltl')),
  status                 text NOT NULL CHECK (status IN (
                           'draft', 'purchasing', 'purchase_pending', 'purchased', 'void_pending', 'voided',
                           'cancelled', 'in_transit', 'delivered', 'exception', 'returned', 'booked')),
  tracking_status        text,
  ship_code              text NOT NULL,
  -- Counts the changes of what a carrier prices: a quote of an older revision cannot be bought.
  revision               integer NOT NULL DEFAULT 1,
  from_address           jsonb NOT NULL,
  to_address             jsonb NOT NULL,
  return_address         jsonb NOT NULL,
  is_return              boolean NOT NULL DEFAULT false,
  packages               jsonb NOT NULL,
  items                  jsonb NOT NULL DEFAULT '[]',
  handling_units         jsonb NOT NULL DEFAULT '[]',
  pickup                 jsonb,
  delivery               jsonb,
  service                text,
  carrier                text,
  service_name           text,
  add_ons                text[] NOT NULL DEFAULT '{}',
  selected_rate          jsonb,
  label_format           text,
  documents              jsonb NOT NULL DEFAULT '[]',
  tracking_code          text,
  confirmation_number    text,
  bol_number             text,
  pro_number             text,
  order_id               id,
  batch_id               id,
  pickup_id              id,
  reference              text,
  metadata               jsonb NOT NULL DEFAULT '{}',
  tags                   text[] NOT NULL DEFAULT '{}',
  contents_type          text,
  incoterm               text,
  signature_confirmation text,
  insured_value_cents    bigint,
  -- The live purchase: our reference at the carrier, and the carrier's own id of the label.
  purchase_reference     text,
  carrier_label_id       text,
  cost_subtotal_cents    bigint,
  cost_tax_cents         bigint,
  cost_total_cents       bigint,
  cost_currency          text,
  refund_status          text CHECK (refund_status IN ('pending', 'approved', 'rejected')),
  refund_cents           bigint,
  refund_requested_at    timestamptz,
  refund_resolved_at     timestamptz,
  refund_reason          text,
  refund_check_at        timestamptz,
  messages               jsonb NOT NULL DEFAULT '[]',
  last_error             jsonb,
  created_at             timestamptz NOT NULL,
  updated_at             timestamptz NOT NULL,
  purchased_at           timestamptz,
  voided_at              timestamptz,
  delivered_at           timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX shipments_by_status ON shipments (account_id, status, id);
CREATE INDEX shipments_by_ship_code ON shipments (account_id, ship_code text_pattern_ops);
CREATE INDEX shipments_by_tracking_code ON shipments (account_id, tracking_code text_pattern_ops)
  WHERE tracking_code IS NOT NULL;
CREATE INDEX shipments_by_reference ON shipments (account_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX shipments_by_order ON shipments (account_id, order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX shipments_by_batch ON shipments (account_id, batch_id, id) WHERE batch_id IS NOT NULL;
CREATE INDEX shipments_by_recipient
  ON shipments (account_id, lower(to_address ->> 'name') text_pattern_ops);
CREATE INDEX shipments_by_refund_check ON shipments (refund_check_at) WHERE refund_status = 'pending';

-- The last rates that a shipment was shown: what it may be bought at until they expire.
CREATE TABLE shipment_quotes (
  account_id  id NOT NULL,
  shipment_id id NOT NULL,
  revision    integer NOT NULL,
  rates       jsonb NOT NULL,
  quoted_at   timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (account_id, shipment_id),
  FOREIGN KEY (account_id, shipment_id) REFERENCES shipments ON DELETE CASCADE
);

-- One row for each effect that we asked an outside party for. It is written before the call, with our
-- reference, so that whatever dies, somebody can ask the outside party what became of it.
CREATE TABLE attempts (
  account_id      id NOT NULL,
  id              id NOT NULL,
  kind            text NOT NULL,
  subject_id      id NOT NULL,
  reference       text NOT NULL,
  party           text NOT NULL,
  status          text NOT NULL CHECK (status IN ('sent', 'unknown', 'settled', 'refused', 'absent', 'review')),
  -- Raised at every take-over: a holder that lost its lease cannot settle.
  fence           integer NOT NULL DEFAULT 1,
  holder_id       id,
  input           jsonb NOT NULL,
  idempotency_key text,
  failure         jsonb,
  look_count      integer NOT NULL DEFAULT 0,
  look_at         timestamptz,
  sent_at         timestamptz NOT NULL,
  resolved_at     timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX attempts_reference ON attempts (account_id, reference);
-- One shipment has at most one purchase that is running, unresolved or done.
CREATE UNIQUE INDEX attempts_one_live_purchase ON attempts (account_id, subject_id)
  WHERE kind = 'label_purchase' AND status IN ('sent', 'unknown', 'review', 'settled');
-- A retry of a key whose first request died finds the attempt that it made.
CREATE INDEX attempts_by_key ON attempts (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX attempts_open ON attempts (look_at) WHERE status IN ('sent', 'unknown');
-- Purchases that a look-up did not find are looked for again: a label that appears late is voided.
CREATE INDEX attempts_watched ON attempts (look_at) WHERE status = 'absent' AND look_at IS NOT NULL;

CREATE TABLE payment_methods (
  account_id id NOT NULL,
  id         id NOT NULL,
  brand      text NOT NULL,
  last4      text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX payment_methods_one_default ON payment_methods (account_id) WHERE is_default;

-- The books.

CREATE TABLE balances (
  account_id    id PRIMARY KEY,
  currency      text NOT NULL,
  balance_cents bigint NOT NULL DEFAULT 0,
  held_cents    bigint NOT NULL DEFAULT 0 CHECK (held_cents >= 0),
  updated_at    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT available_is_never_negative CHECK (balance_cents - held_cents >= 0)
);

CREATE TABLE holds (
  account_id   id NOT NULL,
  id           id NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
  status       text NOT NULL CHECK (status IN ('held', 'captured', 'released')),
  created_at   timestamptz NOT NULL DEFAULT now(),
  resolved_at  timestamptz,
  PRIMARY KEY (account_id, id)
);

CREATE TABLE ledger_transactions (
  account_id          id NOT NULL,
  id                  id NOT NULL,
  type                text NOT NULL CHECK (type IN ('top_up', 'label', 'ltl', 'refund', 'adjustment', 'fee')),
  -- What the transaction did to the account's credit, and the credit after it.
  amount_cents        bigint NOT NULL,
  subtotal_cents      bigint NOT NULL,
  tax_cents           bigint NOT NULL,
  currency            text NOT NULL,
  balance_after_cents bigint NOT NULL,
  description         text NOT NULL,
  shipment_id         id,
  details             jsonb NOT NULL DEFAULT '{}',
  created_at          timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX ledger_transactions_by_shipment ON ledger_transactions (account_id, shipment_id)
  WHERE shipment_id IS NOT NULL;

-- Signed amounts on named books. `credits` is the account's own money with us; the others are the
-- platform's, and have no row that every purchase would have to queue for.
CREATE TABLE ledger_entries (
  account_id     id NOT NULL,
  transaction_id id NOT NULL,
  line           smallint NOT NULL,
  book           text NOT NULL CHECK (book IN (
                   'credits', 'cash', 'postage_revenue', 'tax_payable', 'carrier_costs', 'carrier_payable', 'adjustments')),
  amount_cents   bigint NOT NULL,
  currency       text NOT NULL,
  PRIMARY KEY (account_id, transaction_id, line),
  FOREIGN KEY (account_id, transaction_id) REFERENCES ledger_transactions
);

-- All entries of a transaction are inserted by one statement, so the rows that one statement adds
-- must sum to zero for each transaction and currency.
CREATE FUNCTION refuse_unbalanced_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added GROUP BY account_id, transaction_id, currency HAVING sum(amount_cents) <> 0) THEN
    RAISE EXCEPTION 'ledger entries do not sum to zero' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER entries_sum_to_zero AFTER INSERT ON ledger_entries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_unbalanced_entries();

CREATE FUNCTION refuse_change_of_the_books() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER entries_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_the_books();
CREATE TRIGGER transactions_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_the_books();

-- What happened, for whoever wants to know: written in the commit of the fact itself.
CREATE TABLE events (
  account_id id NOT NULL,
  id         id NOT NULL,
  type       text NOT NULL,
  subject_id id NOT NULL,
  data       jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, id)
);
