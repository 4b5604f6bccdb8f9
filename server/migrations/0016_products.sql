-- Products of an account's stores, by their sku, with what customs have to know of them.

CREATE TABLE products (
  account_id           id NOT NULL,
  sku                  text COLLATE "C" NOT NULL,
  -- Sorts as they came: what lists are paged by, and nobody is shown.
  id                   id NOT NULL,
  title                text NOT NULL,
  description          text,
  customs_description  text,
  hs_code              text,
  hs_code_source       text CHECK (hs_code_source IN ('import', 'classified', 'manual')),
  hs_confidence        double precision,
  manufacturer         text,
  manufacturer_address jsonb,
  country_of_origin    text,
  value_cents          bigint,
  currency             text,
  weight               double precision,
  weight_unit          text,
  image_url            text,
  store                text,
  external_id          text,
  status               text NOT NULL CHECK (status IN (
                         'Imported', 'Classified', 'Manufacturer Verified', 'Manufacturer Failed',
                         'Pending Approval', 'Approved', 'Rejected')),
  status_reason        text,
  -- What the last verification and the last classification found.
  cusma                jsonb,
  classification       jsonb,
  approved_at          timestamptz,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  PRIMARY KEY (account_id, sku),
  CHECK ((hs_code IS NULL) = (hs_code_source IS NULL)),
  CHECK (status <> 'Approved' OR (hs_code IS NOT NULL AND approved_at IS NOT NULL))
);
CREATE UNIQUE INDEX products_by_id ON products (account_id, id);
CREATE INDEX products_by_status ON products (account_id, status, id);

-- With whom trade is denied: the platform's, the same for all accounts, replaced as a whole. The version
-- tells processes that theirs is an old one; no row means that no list was ever loaded.
CREATE TABLE denied_parties (
  place  integer PRIMARY KEY,
  name   text NOT NULL,
  source text NOT NULL
);
CREATE TABLE denied_party_lists (
  is_current boolean PRIMARY KEY CHECK (is_current),
  version    bigint NOT NULL
);
