-- The Harmonized System as the operator loaded it, in place of the table that is shipped as a file: the platform's,
-- the same for all accounts, replaced as a whole. The version tells processes that theirs is an old one.
CREATE TABLE hs_codes (
  code    text COLLATE "C" PRIMARY KEY CHECK (code ~ '^\d{2}(\d{2}(\d{2})?)?$'),
  wording text NOT NULL
);
CREATE TABLE hs_tables (
  is_current boolean PRIMARY KEY CHECK (is_current),
  version    bigint NOT NULL
);
