-- Where parcels are: a tracker for each package that carries a tracking code, and what was scanned of it.

CREATE TABLE trackers (
  account_id              id NOT NULL,
  id                      id NOT NULL,
  shipment_id             id NOT NULL,
  carrier                 text NOT NULL,
  tracking_code           text NOT NULL,
  status                  text NOT NULL CHECK (status IN (
                            'unknown', 'pre_transit', 'accepted', 'in_transit', 'out_for_delivery', 'available_for_pickup',
                            'attempted_delivery', 'delivered', 'exception', 'return_to_sender', 'cancelled')),
  status_detail           text,
  -- A day in the destination's own time, of which no time zone must make another.
  estimated_delivery_date text,
  delivered_at            timestamptz,
  signed_by               text,
  created_at              timestamptz NOT NULL,
  -- By the database's clock, as everything that decides when to look: when the carrier last had news.
  changed_at              timestamptz NOT NULL DEFAULT now(),
  failure_count           integer NOT NULL DEFAULT 0,
  -- When to ask the carrier next; null when there is nothing more to ask for.
  look_at                 timestamptz,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, shipment_id) REFERENCES shipments ON DELETE CASCADE
);
CREATE UNIQUE INDEX trackers_of_shipment ON trackers (account_id, shipment_id, tracking_code);
CREATE INDEX trackers_by_code ON trackers (account_id, tracking_code, id);
CREATE INDEX trackers_by_status ON trackers (account_id, status, id);
CREATE INDEX trackers_due ON trackers (carrier, look_at) WHERE look_at IS NOT NULL;
-- The public page knows the code and no account. Not unique, because a unique index would have to start
-- with account_id, and because carriers give out their codes again after some years.
CREATE INDEX trackers_by_public_code ON trackers (tracking_code, id);

-- A scan that is told of twice is one: the same moment, code, place and words.
CREATE TABLE tracking_events (
  account_id    id NOT NULL,
  tracker_id    id NOT NULL,
  occurred_at   timestamptz NOT NULL,
  carrier_code  text NOT NULL,
  city          text NOT NULL,
  description   text NOT NULL,
  status        text NOT NULL,
  province_code text,
  country_code  text,
  PRIMARY KEY (account_id, tracker_id, occurred_at, carrier_code, city, description),
  FOREIGN KEY (account_id, tracker_id) REFERENCES trackers ON DELETE CASCADE
);

-- What is on its way already is followed from now on, within the next hour. Each tracker gets its id from
-- that of its package, or of the freight, so that they keep the order of their purchases.
INSERT INTO trackers (account_id, id, shipment_id, carrier, tracking_code, status, created_at, look_at)
SELECT s.account_id, 'trk_' || substr(part.id, 5), s.id, s.carrier, part.tracking_code,
  coalesce(s.tracking_status, 'pre_transit'), coalesce(s.purchased_at, s.created_at),
  now() + random() * interval '1 hour'
FROM shipments AS s
CROSS JOIN LATERAL (
  SELECT DISTINCT ON (tracking_code) id, tracking_code FROM (
    SELECT package ->> 'id' AS id, package ->> 'tracking_code' AS tracking_code
    FROM jsonb_array_elements(s.packages) AS package
    UNION ALL SELECT s.id, s.tracking_code) AS coded
  WHERE tracking_code IS NOT NULL ORDER BY tracking_code, id) AS part
WHERE s.carrier IS NOT NULL
  AND (s.status IN ('purchased', 'booked', 'void_pending', 'in_transit', 'exception', 'returned')
    OR s.status = 'voided' AND s.refund_status = 'pending');
