-- Orders: what was bought in a shop, before it is anybody's shipment.

CREATE TABLE orders (
  account_id        id NOT NULL,
  id                id NOT NULL,
  order_number      text NOT NULL,
  source            text NOT NULL CHECK (source IN ('api', 'csv', 'shopify', 'woocommerce', 'manual')),
  -- What the linked shipments say, unless the merchant has set the order aside (on_hold, cancelled).
  -- Written in the transaction of the shipment's change, so that lists can ask an index for it.
  status            text NOT NULL CHECK (status IN (
                      'unfulfilled', 'partially_fulfilled', 'fulfilled', 'on_hold', 'cancelled')),
  customer          jsonb,
  to_address        jsonb NOT NULL,
  from_address      jsonb,
  items             jsonb NOT NULL DEFAULT '[]',
  packages          jsonb NOT NULL DEFAULT '[]',
  requested_service text,
  subtotal_cents    bigint,
  shipping_cents    bigint,
  discount_cents    bigint,
  tax_cents         bigint,
  total_cents       bigint,
  currency          text NOT NULL,
  notes             text,
  tags              text[] NOT NULL DEFAULT '{}',
  placed_at         timestamptz NOT NULL,
  metadata          jsonb NOT NULL DEFAULT '{}',
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);

-- An index on tags alone would mix the accounts, and a list cannot start with the account otherwise.
CREATE FUNCTION tags_of_account(account_id text, tags text[]) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT array_agg(account_id || ' ' || tag) FROM unnest(tags) AS tag $$;

CREATE UNIQUE INDEX orders_number ON orders (account_id, source, order_number);
CREATE INDEX orders_by_number ON orders (account_id, lower(order_number) text_pattern_ops);
CREATE INDEX orders_by_status ON orders (account_id, status, id);
CREATE INDEX orders_by_source ON orders (account_id, source, id);
CREATE INDEX orders_by_day ON orders (account_id, placed_at);
CREATE INDEX orders_by_recipient ON orders (account_id, lower(to_address ->> 'name') text_pattern_ops);
CREATE INDEX orders_by_customer_email ON orders (account_id, lower(customer ->> 'email') text_pattern_ops);
CREATE INDEX orders_by_tag ON orders USING gin (tags_of_account(account_id, tags));

-- A shipment's order is searched by its number among the shipments. The number is written wherever the
-- link is.
ALTER TABLE shipments ADD COLUMN order_number text;
CREATE INDEX shipments_by_order_number ON shipments (account_id, lower(order_number) text_pattern_ops)
  WHERE order_number IS NOT NULL;
