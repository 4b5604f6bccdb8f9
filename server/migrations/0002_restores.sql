-- Each restore of a backup into this database. Until one is reconciled, the carriers and the card
-- processor may hold labels and charges that the database forgot, and nothing new is asked of them.

CREATE TABLE restores (
  id            id PRIMARY KEY,
  -- The moment of the backup: what happened since is what may have been forgotten.
  taken_at      timestamptz NOT NULL,
  restored_at   timestamptz NOT NULL DEFAULT now(),
  reconciled_at timestamptz
);
