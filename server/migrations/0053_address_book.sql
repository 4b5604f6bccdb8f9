-- compatible with 0050
-- The account's address book, and sizes of packages that it uses again. The default sender is an entry of the book;
-- `accounts.default_from_address` is a copy of it, because every request reads that row anyway.
CREATE TABLE addresses (
  account_id  id NOT NULL,
  id          id NOT NULL,
  label       text NOT NULL,
  address     jsonb NOT NULL,
  uses        text[] NOT NULL,
  default_for text[] NOT NULL,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  PRIMARY KEY (account_id, id),
  CHECK (uses <@ '{from,to,return}' AND default_for <@ uses)
);

INSERT INTO addresses
SELECT account_id, 'adr_' || substr(new_event_id(), 5),
  coalesce(default_from_address ->> 'company', default_from_address ->> 'name', default_from_address ->> 'city'),
  default_from_address, '{from,return}', '{from}', now(), now()
FROM accounts WHERE jsonb_typeof(default_from_address) = 'object';

CREATE TABLE package_presets (
  account_id   id NOT NULL,
  id           id NOT NULL,
  name         text NOT NULL,
  length       double precision,
  width        double precision,
  height       double precision,
  size_unit    text,
  weight       double precision,
  weight_unit  text,
  package_type text NOT NULL,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX package_presets_name ON package_presets (account_id, name) WHERE name IS NOT NULL;
