import type { Config } from "../../config.ts";
import type { ExchangeBook } from "../../context.ts";
import type { Database } from "../../database/tables.ts";
import { isForeign } from "../../domain/limits/declared-value.ts";
import type { Clock } from "../../domain/time/clock.ts";
import { exchangeTable, noRates, type ExchangeTable } from "../../domain/values/exchange-table.ts";
import { newestRates } from "./store.ts";

/**
 * The exchange rates in force, read at most once in `token_cache_ms`, as tokens are: another process may use an
 * older one for so long, which is the same as a request that was a moment earlier.
 */
export function exchangeBook(parts: { db: Database; clock: Clock; config: Config }): ExchangeBook {
  const { db, clock, config } = parts;
  let known = noRates;
  let last: { at: number; day: string; table: Promise<ExchangeTable> } | null = null;

  async function read(day: string): Promise<ExchangeTable> {
    known = exchangeTable(await newestRates(db, day), day);
    return known;
  }

  return {
    known: () => known,
    fresh() {
      const at = performance.now();
      const day = clock.now().toISOString().slice(0, 10);
      if (last && last.day === day && at - last.at < config.token_cache_ms) return last.table;
      const table = read(day);
      last = { at, day, table };
      // A failure is not kept: the next one reads again.
      table.catch(() => (last = null));
      return table;
    },
    forget() {
      last = null;
    },
  };
}

interface Declaring {
  account: { currency: string };
  exchange: ExchangeBook;
}

/**
 * Reads the rates anew where one of these packages, of a request or of the database, is declared in another
 * currency than the account's: for the validations that use `known`. Not in a transaction.
 */
export async function readRatesFor(
  { account, exchange }: Declaring,
  packages: unknown,
): Promise<void> {
  if (!Array.isArray(packages)) return;
  const isOther = (each: unknown) =>
    typeof each === "object" && each !== null && isForeign(each, account.currency);
  if (packages.some(isOther)) await exchange.fresh();
}
