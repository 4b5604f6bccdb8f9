-- What was written into each file, beside its key: a file that was lost, cut short or overwritten is then
-- noticed when it is shown, served, backed up or verified. A shipment's documents have the same two, `bytes`
-- and `sha256`, within their JSON. Null for what was written before this migration.

ALTER TABLE batches
  ADD COLUMN combined_bytes  bigint,
  ADD COLUMN combined_sha256 text;

ALTER TABLE statements
  ADD COLUMN pdf_bytes  bigint,
  ADD COLUMN pdf_sha256 text,
  ADD COLUMN csv_bytes  bigint,
  ADD COLUMN csv_sha256 text;
