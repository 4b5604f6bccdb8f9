import { sql } from "kysely";
import type { Database } from "../../database/tables.ts";

/** The SQL of pickups that share one number at their carrier, which cancels all of them or none. */

/**
 * Whether the carrier still comes for another pickup under this number, in whichever account. One that is
 * being cancelled does not count, so that of two that are cancelled at once both ask the carrier. Throws while
 * another pickup of the account's is being requested there, which may get this number.
 */
export async function isNeeded(
  db: Database,
  part: { account_id: string; pickup_id: string; carrier: string; confirmation_number: string },
): Promise<boolean> {
  const { account_id, pickup_id, carrier, confirmation_number } = part;
  const { rows } = await sql<{ is_needed: boolean; is_open: boolean }>`
    SELECT
      EXISTS (
        SELECT FROM pickup_parts
        WHERE shared AND confirmation_number = ${confirmation_number} AND carrier = ${carrier}
          AND pickup_id <> ${pickup_id} AND status IN ('confirmed', 'picked_up')) AS is_needed,
      EXISTS (
        SELECT FROM pickup_parts
        WHERE account_id = ${account_id} AND carrier = ${carrier} AND pickup_id <> ${pickup_id}
          AND status = 'scheduled') AS is_open`.execute(db);
  const { is_needed, is_open } = rows[0]!;
  if (!is_needed && is_open)
    throw new Error(`another pickup of ${carrier} is being requested; it may share this number`);
  return is_needed;
}
