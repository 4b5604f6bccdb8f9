-- Rates of POST /rates belong to no shipment. They are kept until they expire, with a digest of the data that
-- they were quoted for, so that a shipment of the same data can be bought at them. The ids of a quote's rates
-- follow from the quote's own.
CREATE TABLE quotes (
  account_id id NOT NULL,
  id         id NOT NULL,
  digest     text NOT NULL,
  rates      jsonb NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);
-- For the hourly sweep.
CREATE INDEX quotes_by_end ON quotes (expires_at);
