-- LTL shipments: what their carriers said when a booking was cancelled, and their live PRO numbers among
-- the codes that no two live shipments of a carrier may share.

ALTER TABLE shipments ADD COLUMN cancellation jsonb;

DROP INDEX shipments_live_codes;
CREATE INDEX shipments_live_codes ON shipments (tracking_code, carrier)
  WHERE status IN ('purchased', 'booked', 'void_pending', 'in_transit', 'exception', 'returned');
