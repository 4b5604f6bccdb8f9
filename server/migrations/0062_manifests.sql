-- Manifests (decision 27): labels that were handed over to a carrier together. One is made by a call for each
-- connection that the labels were bought on, and each place that they start from; none is undone. Of the three
-- tables the last decides that a shipment is on one manifest at most.
-- compatible with 0058
-- no transaction

CREATE TABLE IF NOT EXISTS manifests (
  account_id id NOT NULL,
  id         id NOT NULL,
  carrier    text NOT NULL,
  -- `creating` until every part has an outcome; it follows from theirs.
  status     text NOT NULL CHECK (status IN ('creating', 'created', 'failed')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);

CREATE TABLE IF NOT EXISTS manifest_parts (
  account_id          id NOT NULL,
  manifest_id         id NOT NULL,
  part                integer NOT NULL,
  status              text NOT NULL CHECK (status IN ('creating', 'created', 'failed')),
  shipment_ids        text[] NOT NULL,
  connection_id       id,
  from_address        jsonb NOT NULL,
  -- The day on which they are handed over, at that address.
  ship_date           date NOT NULL,
  -- The rest is of its carrier's answer.
  reference           id,
  carrier_manifest_id text,
  carrier_data        jsonb,
  documents           jsonb NOT NULL DEFAULT '[]',
  error               jsonb,
  PRIMARY KEY (account_id, manifest_id, part)
);

-- The shipments of parts that were made, or whose outcome is open.
CREATE TABLE IF NOT EXISTS manifest_shipments (
  account_id  id NOT NULL,
  shipment_id id NOT NULL,
  manifest_id id NOT NULL,
  part        integer NOT NULL,
  PRIMARY KEY (account_id, shipment_id)
);

-- Carriers that hand over whatever is open under a contract: whether labels of other accounts are among it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS shipments_on_connections ON shipments (connection_id, purchased_at)
  WHERE connection_id IS NOT NULL;
