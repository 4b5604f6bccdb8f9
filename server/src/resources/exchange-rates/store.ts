import { sql, type Selectable } from "kysely";
import { json, type Database, type ExchangeRatesTable, type Tx } from "../../database/tables.ts";
import { countUpTo } from "../../database/count-up-to.ts";
import { newId } from "../../domain/values/ids.ts";
import type { DatedRate } from "../../domain/values/exchange-table.ts";
import { onPage, type Page } from "../../http/paging.ts";

/** The SQL of the operator's exchange rates. */

export type RateRow = Omit<Selectable<ExchangeRatesTable>, "valid_from"> & { valid_from: string };

interface RateFilters {
  base?: string;
  quote?: string;
  valid_from?: string;
}

export interface Written {
  created: number;
  updated: number;
}

/**
 * Adds rates, or replaces those of the same pair and day; one that is the same already stays as it is. The rows are
 * locked in the order of `rates`.
 */
export async function writeRates(
  tx: Tx,
  rates: readonly DatedRate[],
  { source, now }: { source: RateRow["source"]; now: Date },
): Promise<Written> {
  const rows = rates.map((rate) => ({ ...rate, id: newId("exr", now) }));
  const { rows: written } = await sql<{ is_new: boolean }>`
    INSERT INTO exchange_rates AS known (id, base, quote, rate, valid_from, source, created_at, updated_at)
    SELECT id, base, quote, rate, valid_from, ${source}, ${now}, ${now}
    FROM jsonb_to_recordset(${json(rows)}::jsonb)
      AS each (id text, base text, quote text, rate numeric, valid_from date)
    ON CONFLICT (base, quote, valid_from) DO UPDATE
    SET rate = excluded.rate, source = excluded.source, updated_at = excluded.updated_at
    WHERE known.rate <> excluded.rate
    RETURNING xmax = 0 AS is_new`.execute(tx);
  const created = written.filter(({ is_new }) => is_new).length;
  return { created, updated: written.length - created };
}

export async function findRate(
  tx: Tx,
  { base, quote, valid_from }: Pick<DatedRate, "base" | "quote" | "valid_from">,
): Promise<RateRow> {
  const rates = tx.selectFrom("exchange_rates").select(columns).where("base", "=", base);
  return rates
    .where("quote", "=", quote)
    .where("valid_from", "=", sql<Date>`${valid_from}::date`)
    .executeTakeFirstOrThrow();
}

export async function listRates(
  db: Database,
  filters: RateFilters,
  page: Page,
): Promise<RateRow[]> {
  return onPage(matching(db, filters).select(columns), page, "id").execute();
}

/** At most `most`. */
export async function countRates(
  db: Database,
  filters: RateFilters,
  most: number,
): Promise<number> {
  return countUpTo(db, matching(db, filters), most);
}

function matching(db: Database, { base, quote, valid_from }: RateFilters) {
  return db
    .selectFrom("exchange_rates")
    .$if(base !== undefined, (all) => all.where("base", "=", base!))
    .$if(quote !== undefined, (all) => all.where("quote", "=", quote!))
    .$if(valid_from !== undefined, (all) =>
      all.where("valid_from", "=", sql<Date>`${valid_from}::date`),
    );
}

/** The deleted rate, or undefined where there is none. */
export async function deleteRate(tx: Tx, id: string): Promise<RateRow | undefined> {
  return tx.deleteFrom("exchange_rates").where("id", "=", id).returning(columns).executeTakeFirst();
}

const columns = [
  "id",
  "base",
  "quote",
  "rate",
  sql<string>`valid_from::text`.as("valid_from"),
  "source",
  "created_at",
  "updated_at",
] as const;
