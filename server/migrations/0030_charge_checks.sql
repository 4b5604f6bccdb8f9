-- What a card processor shows of a charge and nobody here did is looked at by an operator once: a dispute, a refund, a
-- charge that the books have otherwise. One review for each, however many workers compare.
CREATE UNIQUE INDEX attempts_one_charge_check ON attempts (account_id, subject_id)
  WHERE kind = 'charge_check' AND subject_id IS NOT NULL;
