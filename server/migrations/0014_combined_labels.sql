-- The labels of a finished batch as one file. A worker makes it when it is due; while it does, its
-- heartbeat is the lease.

ALTER TABLE batches
  ADD COLUMN combined_file_key  text,
  ADD COLUMN combine_at         timestamptz,
  ADD COLUMN combine_holder_id  id;
CREATE INDEX batches_to_combine ON batches (combine_at) WHERE combine_at IS NOT NULL;
