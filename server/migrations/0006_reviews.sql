-- Attempts whose outcome no look-up can tell wait for an operator, who decides that they stand or are void.

-- Since when every look-up has failed; null when the last one was answered.
ALTER TABLE attempts ADD COLUMN unheard_since timestamptz;
-- What an operator decided, who and why; null for whatever ended by itself.
ALTER TABLE attempts ADD COLUMN decision jsonb;

-- An operator sees all accounts at once, oldest first.
CREATE INDEX attempts_reviewed ON attempts (id) WHERE status = 'review' OR decision IS NOT NULL;
