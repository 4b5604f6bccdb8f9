-- compatible with 0050
-- Files that were combined for a client that prints them at once. A link to one is good for half an hour, and only while
-- none of its shipments is voided.
CREATE TABLE combined_documents (
  account_id   id NOT NULL,
  id           id NOT NULL,
  file_key     text NOT NULL,
  bytes        bigint NOT NULL,
  sha256       text NOT NULL,
  shipment_ids text[] NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);
