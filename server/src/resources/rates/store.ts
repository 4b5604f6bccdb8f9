import { json, type Database } from "../../database/tables.ts";
import type { CapturedRate } from "../../domain/captured-rate.ts";

/** Keeps what a shipment was quoted, in place of what it was quoted before. */
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
  const row = { ...quote, rates: json(quote.rates) };
  const { revision, rates, quoted_at, expires_at } = row;
  await db
    .insertInto("shipment_quotes")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "shipment_id"])
        .doUpdateSet({ revision, rates, quoted_at, expires_at }),
    )
    .execute();
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
