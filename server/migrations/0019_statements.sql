-- Billing statements: one for each account and month of its own time zone. A statement is a run of the
-- account's books without a gap: the transactions behind `after_sequence`, up to and with
-- `through_sequence`. So what is entered late stands on the next one, and none ever changes.

CREATE INDEX ledger_transactions_by_sequence ON ledger_transactions (account_id, sequence);

CREATE TABLE statements (
  account_id        id NOT NULL,
  id                id NOT NULL,
  -- The month, `YYYY-MM`, and by whose clocks it is one.
  number            text NOT NULL,
  time_zone         text NOT NULL,
  ends_at           timestamptz NOT NULL,
  currency          text NOT NULL,
  status            text NOT NULL CHECK (status IN ('open', 'generating', 'ready')),
  after_sequence    bigint NOT NULL,
  through_sequence  bigint NOT NULL,
  opening_cents     bigint NOT NULL,
  closing_cents     bigint NOT NULL,
  -- What the transactions of each type changed the balance by, and the taxes that are in all of them.
  top_ups_cents     bigint NOT NULL DEFAULT 0,
  labels_cents      bigint NOT NULL DEFAULT 0,
  ltl_cents         bigint NOT NULL DEFAULT 0,
  refunds_cents     bigint NOT NULL DEFAULT 0,
  adjustments_cents bigint NOT NULL DEFAULT 0,
  fees_cents        bigint NOT NULL DEFAULT 0,
  taxes_cents       bigint NOT NULL DEFAULT 0,
  pdf_key           text,
  csv_key           text,
  -- When a worker next has something to do for it, and which one does.
  due_at            timestamptz,
  holder_id         id,
  created_at        timestamptz NOT NULL,
  PRIMARY KEY (account_id, id),
  CONSTRAINT a_statement_adds_up CHECK (
    opening_cents + top_ups_cents + labels_cents + ltl_cents + refunds_cents + adjustments_cents + fees_cents
      = closing_cents),
  CONSTRAINT a_ready_statement_has_files CHECK (
    status <> 'ready' OR (pdf_key IS NOT NULL AND csv_key IS NOT NULL AND due_at IS NULL))
);
CREATE UNIQUE INDEX statements_by_number ON statements (account_id, number);
CREATE INDEX statements_due ON statements (due_at) WHERE due_at IS NOT NULL;

CREATE FUNCTION refuse_change_of_a_statement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'statement % is ready and never changes', OLD.number USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ready_statements_never_change BEFORE UPDATE OR DELETE ON statements
  FOR EACH ROW WHEN (OLD.status = 'ready') EXECUTE FUNCTION refuse_change_of_a_statement();

-- False for accounts of before, until a worker has opened their first statement.
ALTER TABLE accounts ADD COLUMN has_statements boolean NOT NULL DEFAULT false;
CREATE INDEX accounts_without_statements ON accounts (account_id) WHERE NOT has_statements;
