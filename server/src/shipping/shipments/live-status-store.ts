import { sql } from "kysely";

/**
 * The states of a shipment whose label may still be used, as a partial index on tracking codes has them: in
 * these no two shipments share a code of a carrier.
 */
export const liveStatuses = sql.raw(
  "('purchased', 'booked', 'void_pending', 'in_transit', 'exception', 'returned')",
);
