-- Orders by saved filters: the same indexes as on shipments, where 0011 says why they are as they are.

DROP INDEX orders_by_tag;
DROP FUNCTION tags_of_account(text, text[]);
CREATE INDEX orders_by_tag ON orders USING gin (tag_keys(account_id, tags)) WHERE tags <> '{}';
CREATE STATISTICS orders_tag_keys ON (tag_keys(account_id, tags)) FROM orders;
CREATE INDEX orders_by_country ON orders (account_id, (to_address ->> 'country_code'), id);
