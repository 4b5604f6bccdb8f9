import { sql } from "kysely";
import { batchedRead } from "../../database/batched-read.ts";
import { json, type Database } from "../../database/tables.ts";
import type { CapturedRate } from "../../domain/pricing/captured-rate.ts";

/**
 * Stores the quote of a shipment, in place of its previous quote. Does nothing when the shipment was deleted
 * while its carriers were being asked.
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

/** Stores rates that were quoted without a shipment. */
export async function insertQuote(
  db: Database,
  quote: {
    account_id: string;
    id: string;
    digest: string;
    rates: CapturedRate[];
    expires_at: Date;
  },
): Promise<void> {
  const row = { ...quote, rates: json(quote.rates) };
  await db.insertInto("quotes").values(row).execute();
}

/** The quote of `POST /rates` with that id, unless it has expired. */
export async function findUnattachedQuote(
  db: Database,
  { account_id, id }: { account_id: string; id: string },
  now: Date,
): Promise<{ digest: string; rates: CapturedRate[] } | null> {
  const row = await db
    .selectFrom("quotes")
    .select(["digest", "rates"])
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ? { ...row, rates: row.rates as CapturedRate[] } : null;
}

const sweepRows = 1000;

/** Deletes expired quotes, a limited number at a time. For the hourly job. */
export async function sweepQuotes(db: Database, now: Date): Promise<void> {
  for (let deleted = sweepRows; deleted === sweepRows;) {
    const { numAffectedRows } = await sql`
      DELETE FROM quotes WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM quotes WHERE expires_at <= ${now} ORDER BY expires_at
        LIMIT ${sweepRows} FOR UPDATE SKIP LOCKED))`.execute(db);
    deleted = Number(numAffectedRows ?? 0);
  }
}

/** The rates that were captured for a revision of a shipment. */
export interface StoredQuote {
  revision: number;
  rates: CapturedRate[];
}

/** The newest quote of a shipment, unless it has expired. Its rates can be bought for its revision alone. */
export function findQuote(
  db: Database,
  { account_id, id }: { account_id: string; id: string },
  now: Date,
): Promise<StoredQuote | null> {
  return readQuote(db, { account_id, id, now });
}

const readQuote = batchedRead<{ account_id: string; id: string; now: Date }, StoredQuote>(
  (wanted) => sql`
    SELECT place, revision, rates
    FROM jsonb_to_recordset(${wanted}::jsonb) AS wanted (
      place integer, account_id text, id text, now timestamptz)
    CROSS JOIN LATERAL (
      SELECT revision, rates FROM shipment_quotes AS quote
      WHERE quote.account_id = wanted.account_id AND quote.shipment_id = wanted.id
        AND quote.expires_at > wanted.now LIMIT 1) AS found`,
);
