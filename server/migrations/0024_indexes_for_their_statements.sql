-- An index beside the primary key is only for statements with a condition on its second column.
--
-- Every index of a tenant's table begins with account_id. While a table is small, or its accounts are, the
-- planner holds that one account has one row: then an index of which a statement uses nothing but the account
-- costs it no more than the primary key, of which it uses all, and which of them is taken is chance. The plan
-- is kept for as long as the connection, or until autovacuum looks: then the foreign key of the ledger's
-- entries reads all of an account's transactions for each entry.
--
-- So these indexes say that their second column is not null. It never is, and any condition on it implies that;
-- for a statement without one the planner may not take the index at all. For a column that is NOT NULL a
-- planner may strike the words out (PostgreSQL 19 does), so those columns have a CHECK instead.
-- catalogue.test.ts holds every index to this.
--
-- How often each value of an expression occurs the planner does not learn from an index on a part of the table,
-- so it is told by itself.

ALTER TABLE ledger_transactions ALTER COLUMN sequence DROP NOT NULL, ADD CHECK (sequence IS NOT NULL);
DROP INDEX ledger_transactions_by_sequence;
CREATE INDEX ledger_transactions_by_sequence ON ledger_transactions (account_id, sequence) WHERE sequence IS NOT NULL;

ALTER TABLE attempts ALTER COLUMN reference DROP NOT NULL, ADD CHECK (reference IS NOT NULL);
DROP INDEX attempts_reference;
CREATE UNIQUE INDEX attempts_reference ON attempts (account_id, reference) WHERE reference IS NOT NULL;

ALTER TABLE shipments
  ALTER COLUMN status DROP NOT NULL, ADD CHECK (status IS NOT NULL),
  ALTER COLUMN ship_code DROP NOT NULL, ADD CHECK (ship_code IS NOT NULL);
DROP INDEX shipments_by_status, shipments_by_ship_code, shipments_by_recipient, shipments_by_country;
CREATE INDEX shipments_by_status ON shipments (account_id, status, id) WHERE status IS NOT NULL;
CREATE INDEX shipments_by_ship_code ON shipments (account_id, ship_code text_pattern_ops) WHERE ship_code IS NOT NULL;
CREATE INDEX shipments_by_recipient ON shipments (account_id, lower(to_address ->> 'name') text_pattern_ops)
  WHERE lower(to_address ->> 'name') IS NOT NULL;
CREATE INDEX shipments_by_country ON shipments (account_id, (to_address ->> 'country_code'), id)
  WHERE to_address ->> 'country_code' IS NOT NULL;
CREATE STATISTICS shipments_recipient ON (lower(to_address ->> 'name')) FROM shipments;
CREATE STATISTICS shipments_country ON (to_address ->> 'country_code') FROM shipments;

ALTER TABLE trackers
  ALTER COLUMN shipment_id DROP NOT NULL, ADD CHECK (shipment_id IS NOT NULL),
  ALTER COLUMN tracking_code DROP NOT NULL, ADD CHECK (tracking_code IS NOT NULL),
  ALTER COLUMN status DROP NOT NULL, ADD CHECK (status IS NOT NULL);
DROP INDEX trackers_of_shipment, trackers_by_code, trackers_by_status;
CREATE INDEX trackers_by_code ON trackers (account_id, tracking_code, id) WHERE tracking_code IS NOT NULL;
CREATE INDEX trackers_by_status ON trackers (account_id, status, id) WHERE status IS NOT NULL;
CREATE UNIQUE INDEX trackers_of_shipment ON trackers (account_id, shipment_id, tracking_code)
  WHERE shipment_id IS NOT NULL;

ALTER TABLE orders
  ALTER COLUMN source DROP NOT NULL, ADD CHECK (source IS NOT NULL),
  ALTER COLUMN status DROP NOT NULL, ADD CHECK (status IS NOT NULL),
  ALTER COLUMN placed_at DROP NOT NULL, ADD CHECK (placed_at IS NOT NULL);
DROP INDEX orders_number, orders_by_number, orders_by_status, orders_by_source, orders_by_day, orders_by_recipient,
  orders_by_customer_email, orders_by_country;
CREATE INDEX orders_by_status ON orders (account_id, status, id) WHERE status IS NOT NULL;
CREATE INDEX orders_by_source ON orders (account_id, source, id) WHERE source IS NOT NULL;
CREATE INDEX orders_by_day ON orders (account_id, placed_at) WHERE placed_at IS NOT NULL;
CREATE INDEX orders_by_recipient ON orders (account_id, lower(to_address ->> 'name') text_pattern_ops)
  WHERE lower(to_address ->> 'name') IS NOT NULL;
CREATE INDEX orders_by_customer_email ON orders (account_id, lower(customer ->> 'email') text_pattern_ops)
  WHERE lower(customer ->> 'email') IS NOT NULL;
CREATE INDEX orders_by_country ON orders (account_id, (to_address ->> 'country_code'), id)
  WHERE to_address ->> 'country_code' IS NOT NULL;
CREATE INDEX orders_by_number ON orders (account_id, lower(order_number) text_pattern_ops)
  WHERE lower(order_number) IS NOT NULL;
CREATE UNIQUE INDEX orders_number ON orders (account_id, source, order_number) WHERE source IS NOT NULL;
CREATE STATISTICS orders_recipient ON (lower(to_address ->> 'name')) FROM orders;
CREATE STATISTICS orders_customer_email ON (lower(customer ->> 'email')) FROM orders;
CREATE STATISTICS orders_country ON (to_address ->> 'country_code') FROM orders;
CREATE STATISTICS orders_lower_number ON (lower(order_number)) FROM orders;

ALTER TABLE pickups ALTER COLUMN status DROP NOT NULL, ADD CHECK (status IS NOT NULL);
DROP INDEX pickups_by_status;
CREATE INDEX pickups_by_status ON pickups (account_id, status, id) WHERE status IS NOT NULL;

ALTER TABLE products ALTER COLUMN status DROP NOT NULL, ADD CHECK (status IS NOT NULL);
DROP INDEX products_by_status;
CREATE INDEX products_by_status ON products (account_id, status, id) WHERE status IS NOT NULL;

ALTER TABLE rule_runs
  ALTER COLUMN rule_id DROP NOT NULL, ADD CHECK (rule_id IS NOT NULL),
  ALTER COLUMN subject_id DROP NOT NULL, ADD CHECK (subject_id IS NOT NULL);
DROP INDEX rule_runs_by_rule, rule_runs_by_subject;
CREATE INDEX rule_runs_by_rule ON rule_runs (account_id, rule_id, id) WHERE rule_id IS NOT NULL;
CREATE INDEX rule_runs_by_subject ON rule_runs (account_id, subject_id, id) WHERE subject_id IS NOT NULL;
