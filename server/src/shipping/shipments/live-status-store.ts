import { sql } from "kysely";

/**
 * The states of a shipment whose label may still travel, as a partial index on tracking codes has them: of such no
 * two share a code of a carrier.
 */
export const liveStatuses = sql.raw(
  "('purchased', 'booked', 'void_pending', 'in_transit', 'exception', 'returned')",
);
