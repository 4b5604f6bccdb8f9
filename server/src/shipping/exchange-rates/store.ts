import { sql } from "kysely";
import type { Database } from "../../database/tables.ts";
import type { DatedRate } from "../../domain/values/exchange-table.ts";

/**
 * Of each pair of currencies the newest rate that is not after that day. The pairs are found one after the
 * other in the index, so that years of daily rates cost nothing.
 */
export async function newestRates(db: Database, today: string): Promise<DatedRate[]> {
  const { rows } = await sql<Omit<DatedRate, "rate"> & { rate: string }>`
    WITH RECURSIVE pairs AS (
      (SELECT base, quote FROM exchange_rates ORDER BY base, quote LIMIT 1)
      UNION ALL
      SELECT next.base, next.quote FROM pairs CROSS JOIN LATERAL (
        SELECT base, quote FROM exchange_rates WHERE (base, quote) > (pairs.base, pairs.quote)
        ORDER BY base, quote LIMIT 1) AS next)
    SELECT newest.* FROM pairs CROSS JOIN LATERAL (
      SELECT base, quote, rate::text AS rate, valid_from::text AS valid_from FROM exchange_rates AS each
      WHERE each.base = pairs.base AND each.quote = pairs.quote AND valid_from <= ${today}::date
      ORDER BY valid_from DESC LIMIT 1) AS newest`.execute(db);
  return rows.map((row) => ({ ...row, rate: Number(row.rate) }));
}
