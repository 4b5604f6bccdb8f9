-- When an attempt was written, by the database's clock. `sent_at` is by that of the process, which may be
-- wrong: then outcomes were given up before their party had its time, or waited for all too long.

ALTER TABLE attempts ADD COLUMN begun_at timestamptz NOT NULL DEFAULT now();
