-- Pickups: carriers that come to fetch parcels. A pickup has a part for each of its carriers, with a life
-- of its own; shipments.pickup_id says which pickup a shipment is in, and only while it is.

CREATE TABLE pickups (
  account_id   id NOT NULL,
  id           id NOT NULL,
  -- Follows from the parts, and is kept so that lists can ask for it.
  status       text NOT NULL CHECK (status IN ('scheduled', 'confirmed', 'picked_up', 'failed', 'cancelled')),
  -- In the order in which they were given. A voided shipment is taken out.
  shipment_ids text[] NOT NULL,
  -- Day and times are those of the address, and no moments.
  date         text NOT NULL CHECK (date ~ '^\d{4}-\d\d-\d\d$'),
  ready_time   text NOT NULL CHECK (ready_time ~ '^\d\d:\d\d$'),
  close_time   text NOT NULL CHECK (close_time ~ '^\d\d:\d\d$'),
  address      jsonb NOT NULL,
  contact      jsonb NOT NULL,
  instructions text,
  currency     text NOT NULL,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  cancelled_at timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX pickups_by_status ON pickups (account_id, status, id);

CREATE TABLE pickup_parts (
  account_id          id NOT NULL,
  pickup_id           id NOT NULL,
  carrier             text NOT NULL,
  status              text NOT NULL CHECK (status IN (
                        'scheduled', 'confirmed', 'cancelling', 'picked_up', 'failed', 'cancelled')),
  shipment_ids        text[] NOT NULL,
  package_count       integer NOT NULL CHECK (package_count >= 0),
  weight_grams        bigint NOT NULL CHECK (weight_grams >= 0),
  -- What the carrier knows it by: our reference, its own id, and what its driver asks for.
  reference           text,
  carrier_pickup_id   text,
  confirmation_number text,
  -- What the account has paid for it and not got back, and what of that the carrier charges us.
  fee_cents           bigint NOT NULL DEFAULT 0,
  tax_cents           bigint NOT NULL DEFAULT 0,
  carrier_fee_cents   bigint NOT NULL DEFAULT 0,
  error               jsonb,
  -- When the carrier is to be called off, because all of the part's shipments were voided.
  cancel_at           timestamptz,
  PRIMARY KEY (account_id, pickup_id, carrier),
  FOREIGN KEY (account_id, pickup_id) REFERENCES pickups
);
CREATE INDEX pickup_parts_to_cancel ON pickup_parts (cancel_at) WHERE cancel_at IS NOT NULL;
