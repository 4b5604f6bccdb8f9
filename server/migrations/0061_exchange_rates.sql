-- Rates by which amounts in one currency are expressed in another (decision 26). They are the platform's, the
-- same for all of its accounts, and dated: of each pair the newest one that is not of a later day applies, and
-- the pair of the opposite direction follows from it.
-- compatible with 0058

CREATE TABLE exchange_rates (
  id         id PRIMARY KEY,
  base       text NOT NULL,
  quote      text NOT NULL CHECK (quote <> base),
  -- So many of `quote` for one of `base`.
  rate       numeric NOT NULL CHECK (rate > 0),
  -- A day of UTC.
  valid_from date NOT NULL,
  source     text NOT NULL CHECK (source IN ('manual', 'bank_of_canada', 'csv')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX exchange_rates_by_pair ON exchange_rates (base, quote, valid_from);
