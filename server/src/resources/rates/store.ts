import { sql } from "kysely";
import { json, type Database } from "../../database/tables.ts";
import type { CapturedRate } from "../../domain/captured-rate.ts";

/**
 * Keeps what a shipment was quoted, in place of what it was quoted before. Does nothing when the
 * shipment was deleted while its carriers were being asked.
 */
export async function saveQuote(
  db: Database,
  quote: {
    account_id: string;
    shipment_id: string;
    revision: number;
    rates: CapturedRate[];
    quoted_at: Date;
    expires_at: Date;
  },
): Promise<void> {
  const { account_id, shipment_id, revision, quoted_at, expires_at } = quote;
  await sql`
    INSERT INTO shipment_quotes (account_id, shipment_id, revision, rates, quoted_at, expires_at)
    SELECT account_id, id, ${revision}, ${json(quote.rates)}::jsonb, ${quoted_at}, ${expires_at} FROM shipments
    WHERE account_id = ${account_id} AND id = ${shipment_id} FOR KEY SHARE
    ON CONFLICT (account_id, shipment_id) DO UPDATE
    SET revision = excluded.revision, rates = excluded.rates, quoted_at = excluded.quoted_at,
      expires_at = excluded.expires_at`.execute(db);
}

/** The rates that this revision of the shipment may still be bought at. */
export async function findQuote(
  db: Database,
  shipment: { account_id: string; id: string; revision: number },
  now: Date,
): Promise<CapturedRate[]> {
  const row = await db
    .selectFrom("shipment_quotes")
    .select("rates")
    .where("account_id", "=", shipment.account_id)
    .where("shipment_id", "=", shipment.id)
    .where("revision", "=", shipment.revision)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return (row?.rates ?? []) as CapturedRate[];
}
