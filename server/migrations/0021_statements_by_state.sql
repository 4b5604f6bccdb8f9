-- On the first of a month every account's statement is to be closed, and then its files are to be made: who
-- looks for either kind of work must not walk past all the other.

DROP INDEX statements_due;
CREATE INDEX statements_over ON statements (due_at) WHERE status = 'open';
CREATE INDEX statements_to_make ON statements (due_at) WHERE status = 'generating';
-- A process finds what it still holds.
CREATE INDEX statements_held ON statements (holder_id) WHERE holder_id IS NOT NULL;
