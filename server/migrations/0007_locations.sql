-- Drop-off places. They are the platform's, one catalogue for each environment, and the same for all
-- of its accounts: whoever imports them says which source's place each is, and importing it again
-- changes that place.

CREATE TABLE locations (
  id            id PRIMARY KEY,
  environment   text NOT NULL CHECK (environment IN ('live', 'test')),
  carrier       text NOT NULL,
  -- What its source calls it.
  external_id   text NOT NULL,
  name          text NOT NULL,
  type          text NOT NULL CHECK (type IN ('branch', 'partner', 'carrier')),
  address       jsonb NOT NULL,
  country_code  text NOT NULL,
  province_code text,
  latitude      double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude     double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  time_zone     text NOT NULL,
  phone         text,
  hours         jsonb NOT NULL DEFAULT '[]',
  services      text[] NOT NULL DEFAULT '{}',
  accepts       text[] NOT NULL DEFAULT '{}',
  active        boolean NOT NULL DEFAULT true,
  updated_at    timestamptz NOT NULL
);
CREATE UNIQUE INDEX locations_by_source ON locations (environment, carrier, external_id);
CREATE INDEX locations_active ON locations (environment, id) WHERE active;
CREATE INDEX locations_by_region ON locations (environment, country_code, province_code, id) WHERE active;
CREATE INDEX locations_by_change ON locations (environment, updated_at);
-- A circle is looked for in its bounding box.
CREATE INDEX locations_by_latitude ON locations (environment, latitude, longitude) WHERE active;

-- How often a catalogue was changed: what a client that has the answer already is told by (ETag). No row
-- means never.
CREATE TABLE location_catalogues (
  environment text PRIMARY KEY CHECK (environment IN ('live', 'test')),
  version     bigint NOT NULL
);
