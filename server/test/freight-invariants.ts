import { sql } from "kysely";
import type { Database } from "../src/database/tables.ts";
import type { JournalEntry } from "./invariants.ts";

/** Invariants of LTL bookings at rest: the ledger owes each carrier what its own journal says. */

/** A booking, and the amount owed for it: its price, or the fee when it was cancelled. */
interface BookingLine {
  reference: string;
  carrier: string;
  tracking_code: string | null;
  carrier_cost_cents: number;
  is_cancelled: boolean;
}

/**
 * Bookings that the carriers count as live, and cancelled ones that a shipment shows. One that was
 * cancelled because it differed from the request belongs to no shipment.
 */
export function knownBookings(journal: JournalEntry[], booked: BookingLine[]): BookingLine[] {
  const ours = new Set(booked.map(({ reference }) => reference));
  const cancels = new Map(
    journal
      .filter(({ operation }) => operation === "ltl_cancel")
      .map(({ reference, fee_cents = 0 }) => [reference, fee_cents]),
  );
  return journal
    .filter(({ operation }) => operation === "ltl_booking")
    .map(({ reference, carrier, tracking_code, amount_cents = 0 }) => ({
      reference,
      carrier,
      tracking_code,
      carrier_cost_cents: cancels.get(reference) ?? amount_cents,
      is_cancelled: cancels.has(reference),
    }))
    .filter(({ reference, is_cancelled }) => !is_cancelled || ours.has(reference))
    .sort(byReference);
}

/** Shipments that were booked, with the amount that the ledger owes the carrier. */
export async function bookedShipments(db: Database): Promise<BookingLine[]> {
  const { rows } = await sql<BookingLine>`
    SELECT s.purchase_reference AS reference, s.carrier, s.tracking_code, s.voided_at IS NOT NULL AS is_cancelled,
      (SELECT sum(e.amount_cents) FROM ledger_transactions t
        JOIN ledger_entries e ON e.account_id = t.account_id AND e.transaction_id = t.id
        WHERE t.account_id = s.account_id AND t.shipment_id = s.id AND e.book = 'carrier_payable')::float
        AS carrier_cost_cents
    FROM shipments s WHERE s.purchased_at IS NOT NULL AND s.type = 'ltl'`.execute(db);
  return rows.sort(byReference);
}

function byReference(a: BookingLine, b: BookingLine): number {
  return a.reference < b.reference ? -1 : 1;
}
