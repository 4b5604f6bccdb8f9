-- compatible with 0058
-- no transaction
-- What a search begins with has the id behind it in its index, so that matches that are older than a page are left in
-- the index, without a look at their rows (ADR 33). What an earlier try left, which may not be valid, is dropped.
DROP INDEX CONCURRENTLY IF EXISTS shipments_search_ship_code;
CREATE INDEX CONCURRENTLY shipments_search_ship_code ON shipments (account_id, ship_code text_pattern_ops, id)
  WHERE ship_code IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS shipments_search_tracking_code;
CREATE INDEX CONCURRENTLY shipments_search_tracking_code
  ON shipments (account_id, tracking_code text_pattern_ops, id) WHERE tracking_code IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS shipments_search_order_number;
CREATE INDEX CONCURRENTLY shipments_search_order_number
  ON shipments (account_id, lower(order_number) text_pattern_ops, id) WHERE order_number IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS shipments_search_recipient;
CREATE INDEX CONCURRENTLY shipments_search_recipient
  ON shipments (account_id, folded(to_address ->> 'name') text_pattern_ops, id) WHERE to_address ->> 'name' IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS shipments_search_family_name;
CREATE INDEX CONCURRENTLY shipments_search_family_name
  ON shipments (account_id, folded(split_part(to_address ->> 'name', ' ', -1)) text_pattern_ops, id)
  WHERE to_address ->> 'name' IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS orders_search_number;
CREATE INDEX CONCURRENTLY orders_search_number ON orders (account_id, lower(order_number) text_pattern_ops, id)
  WHERE lower(order_number) IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS orders_search_customer_email;
CREATE INDEX CONCURRENTLY orders_search_customer_email
  ON orders (account_id, lower(customer ->> 'email') text_pattern_ops, id) WHERE lower(customer ->> 'email') IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS orders_search_recipient;
CREATE INDEX CONCURRENTLY orders_search_recipient
  ON orders (account_id, folded(to_address ->> 'name') text_pattern_ops, id) WHERE to_address ->> 'name' IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS orders_search_family_name;
CREATE INDEX CONCURRENTLY orders_search_family_name
  ON orders (account_id, folded(split_part(to_address ->> 'name', ' ', -1)) text_pattern_ops, id)
  WHERE to_address ->> 'name' IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS shipments_by_ship_code;
DROP INDEX CONCURRENTLY IF EXISTS shipments_by_tracking_code;
DROP INDEX CONCURRENTLY IF EXISTS shipments_by_order_number;
DROP INDEX CONCURRENTLY IF EXISTS shipments_by_recipient;
DROP INDEX CONCURRENTLY IF EXISTS shipments_by_family_name;
DROP INDEX CONCURRENTLY IF EXISTS orders_by_number;
DROP INDEX CONCURRENTLY IF EXISTS orders_by_customer_email;
DROP INDEX CONCURRENTLY IF EXISTS orders_by_recipient;
DROP INDEX CONCURRENTLY IF EXISTS orders_by_family_name;
