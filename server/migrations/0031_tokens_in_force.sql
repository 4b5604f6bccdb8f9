-- An account may have so many tokens in force (decision 21), counted each time that one is minted. Rows of tokens
-- that were revoked or expired stay, and whoever mints and revokes all day must not make the count slow.

CREATE INDEX tokens_by_end ON tokens (account_id, (coalesce(least(revoked_at, expires_at), 'infinity')))
  WHERE coalesce(least(revoked_at, expires_at), 'infinity') IS NOT NULL;
CREATE STATISTICS tokens_end ON (coalesce(least(revoked_at, expires_at), 'infinity')) FROM tokens;
