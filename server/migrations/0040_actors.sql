-- compatible with 0038
-- Who did it (token:…, user:…, operator:…, system:…), and in which request. Null in rows from before, and in those of
-- processes of the release before while an upgrade goes on. audit_log has its actor since 0001; lines from before name
-- it without its kind: a token's id, an operator's name.
ALTER TABLE events ADD COLUMN actor text, ADD COLUMN request_id text;
ALTER TABLE attempts ADD COLUMN actor text, ADD COLUMN request_id text;
ALTER TABLE audit_log ADD COLUMN request_id text;
-- Of the request that began what workers go on with.
ALTER TABLE batches ADD COLUMN actor text, ADD COLUMN request_id text;
ALTER TABLE imports ADD COLUMN actor text, ADD COLUMN request_id text;
ALTER TABLE rule_purchases ADD COLUMN actor text, ADD COLUMN request_id text;
