-- compatible with 0050
-- What real carriers do: they sell a label and give its file later, do not say what it costs, want data of their own
-- back to void it, and keep what was sold wrong.

-- What an adapter needs to void, fetch or track a label again; nobody else reads it.
ALTER TABLE shipments
  ADD COLUMN carrier_data jsonb,
  -- The carrier did not say what it charges: `carrier_cost_cents` is what it had quoted, until its invoice tells.
  ADD COLUMN cost_unconfirmed boolean NOT NULL DEFAULT false;

-- Pickups that share a number are one at the carrier: it is cancelled with the last of them.
ALTER TABLE pickup_parts
  ADD COLUMN carrier_data jsonb,
  ADD COLUMN shared boolean NOT NULL DEFAULT false;
CREATE INDEX pickup_parts_shared ON pickup_parts (confirmation_number) WHERE shared AND confirmation_number IS NOT NULL;

-- Labels whose carriers have their files later. A row goes when the files are here, or the label is void.
CREATE TABLE pending_files (
  account_id  id NOT NULL,
  shipment_id id NOT NULL,
  carrier     text NOT NULL,
  environment text NOT NULL,
  since       timestamptz NOT NULL,
  check_at    timestamptz,
  -- An operator was told that they do not come.
  is_reviewed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, shipment_id)
);
CREATE INDEX pending_files_due ON pending_files (carrier, check_at) WHERE check_at IS NOT NULL;
CREATE INDEX pending_files_of_accounts ON pending_files (carrier, account_id, check_at NULLS FIRST) WHERE check_at IS NOT NULL;

-- What the platform loses on a label that it keeps though it is not what was quoted, because the carrier voids none.
-- Not validated: the rows that are there obeyed a stricter rule, and reading them all would stop purchases.
ALTER TABLE ledger_entries
  DROP CONSTRAINT ledger_entries_book_check,
  ADD CONSTRAINT ledger_entries_book_check CHECK (book IN (
    'credits', 'cash', 'postage_revenue', 'tax_payable', 'carrier_costs', 'carrier_payable', 'adjustments', 'losses')) NOT VALID;
