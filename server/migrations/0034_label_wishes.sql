-- What format and size a label is to have can be said before it is bought, of a shipment and of a batch. A
-- shipment's label_format is what was asked for until there is a label, and then the label's.
ALTER TABLE shipments ADD COLUMN label_size text CHECK (label_size IN ('4x6', 'letter'));
ALTER TABLE batches ADD COLUMN label_size text CHECK (label_size IN ('4x6', 'letter'));
