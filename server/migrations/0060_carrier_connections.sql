-- Contracts with carriers (decision 27): the platform's own, which serve every account, and those of accounts
-- whose carrier bills them. A rate is bought on the connection that priced it, and its label is voided, tracked
-- and refunded by the same one, so labels and pickups remember it.
-- compatible with 0058

CREATE TABLE carrier_connections (
  -- `platform` for the platform's own: no account has this id.
  account_id      id NOT NULL,
  id              id NOT NULL,
  carrier         text NOT NULL,
  environment     text NOT NULL CHECK (environment IN ('live', 'test')),
  name            text NOT NULL,
  -- Account numbers and the like, which may be shown.
  plain_values    jsonb NOT NULL,
  -- The secrets as one JSON text, sealed for this row, its carrier and its environment.
  sealed_secrets  text NOT NULL,
  -- The last four characters of the first of them.
  secret_hint     text,
  status          text NOT NULL CHECK (status IN ('untested', 'active', 'failing', 'disabled')),
  is_default      boolean NOT NULL,
  unheard_policy  text NOT NULL CHECK (unheard_policy IN ('hold', 'release_and_watch')),
  budgets         jsonb,
  last_test       jsonb,
  -- Rises when values or secrets change: tokens and the like are kept for a connection and its version.
  version         integer NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX carrier_connections_one_default ON carrier_connections (account_id, carrier, environment)
  WHERE is_default;

ALTER TABLE shipments ADD COLUMN connection_id id;
ALTER TABLE pickup_parts ADD COLUMN connection_id id;
