-- A processor that keeps cards by customer charges one only together with whose it is.
ALTER TABLE payment_methods ADD COLUMN processor_customer text;
