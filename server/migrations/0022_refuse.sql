-- A condition that a statement itself has to insist on, because its COMMIT is sent along with it and
-- nobody looks at its answer before: what breaks it, fails, and so does the whole transaction.

CREATE FUNCTION refuse(reason text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'WB001', MESSAGE = reason;
END $$;
