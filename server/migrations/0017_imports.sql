-- Imports of products. The rows are read and judged when the file comes in, in the commit of its answer;
-- workers then take them, part by part. Whoever works on an import is its holder, by its heartbeat
-- (`processes`), and writes a part in one transaction that looks at that again.

CREATE TABLE imports (
  account_id      id NOT NULL,
  id              id NOT NULL,
  format          text NOT NULL,
  status          text NOT NULL CHECK (status IN ('processing', 'completed', 'completed_with_errors')),
  row_count       integer NOT NULL,
  processed_count integer NOT NULL,
  created_count   integer NOT NULL,
  updated_count   integer NOT NULL,
  error_count     integer NOT NULL,
  holder_id       id,
  -- When somebody last worked on it: whose turn is the longest ago is next.
  taken_at        timestamptz,
  created_at      timestamptz NOT NULL,
  completed_at    timestamptz,
  PRIMARY KEY (account_id, id),
  CHECK (processed_count = created_count + updated_count + error_count),
  CHECK ((status = 'processing') = (completed_at IS NULL)),
  CHECK (status = 'processing' OR processed_count = row_count)
);
CREATE INDEX imports_processing ON imports (taken_at NULLS FIRST) WHERE status = 'processing';

CREATE TABLE import_rows (
  account_id id NOT NULL,
  import_id  id NOT NULL,
  row        integer NOT NULL,
  line       integer,
  sku        text,
  status     text NOT NULL CHECK (status IN ('waiting', 'created', 'updated', 'error')),
  -- What the row says of its product, until it is written.
  fields     jsonb,
  error      jsonb,
  PRIMARY KEY (account_id, import_id, row),
  FOREIGN KEY (account_id, import_id) REFERENCES imports ON DELETE CASCADE,
  CHECK ((status = 'waiting') = (fields IS NOT NULL)),
  CHECK ((status = 'error') = (error IS NOT NULL))
);
CREATE INDEX import_rows_waiting ON import_rows (account_id, import_id, row) WHERE status = 'waiting';
