-- The party did something else than was asked for, and it is being undone: whatever a look-up finds
-- from now on, nobody settles the attempt.
ALTER TABLE attempts ADD COLUMN unwanted boolean NOT NULL DEFAULT false;

-- Whether a carrier gave a live label's tracking code out a second time, to whichever account.
CREATE INDEX shipments_live_codes ON shipments (tracking_code, carrier)
  WHERE status IN ('purchased', 'void_pending', 'in_transit', 'exception', 'returned');
