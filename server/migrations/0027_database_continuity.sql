-- By what a process notices that its database was set back: by a failover that lost the last commits, a
-- point-in-time recovery, or a copy that took the database's place. One row, counted up every second by each
-- process; what a process has counted and does not find any more was lost.

CREATE TABLE database_continuity (
  is_only           boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  installation_id   id NOT NULL,
  -- Where the row was last counted up. Null where the server does not tell.
  system_identifier text,
  database_oid      bigint NOT NULL,
  timeline          text,
  -- Whether a commit was acknowledged only once a synchronous standby had it.
  is_synchronous    boolean NOT NULL,
  counter           bigint NOT NULL,
  counted_at        timestamptz NOT NULL
);

-- Why what came after `taken_at` may be missing.
ALTER TABLE restores ADD COLUMN cause text NOT NULL DEFAULT 'backup'
  CHECK (cause IN ('backup', 'lost_commits', 'promotion', 'copied', 'operator'));
