import { inverseRate, type Exchange } from "./exchange.ts";

/** A stored rate: `rate` of `quote` for one of `base`. */
export interface DatedRate {
  base: string;
  quote: string;
  rate: number;
  valid_from: string;
}

/** The exchange rates that apply on one day (decision 26). */
export interface ExchangeTable {
  /** The rate from one currency to another, or null where none is known. */
  find(from: string, to: string): Exchange | null;
}

/** Where no rate is known. */
export const noRates: ExchangeTable = { find: () => null };

/**
 * Of each pair the newest rate among these that is not after `today`, as it was stored or as the inverse of the
 * opposite pair's, whichever is newer; on the same day the stored one.
 */
export function exchangeTable(rates: readonly DatedRate[], today: string): ExchangeTable {
  const newest = new Map<string, DatedRate>();
  for (const rate of rates) {
    const pair = `${rate.base} ${rate.quote}`;
    const known = newest.get(pair);
    if (rate.valid_from <= today && (!known || known.valid_from < rate.valid_from))
      newest.set(pair, rate);
  }
  return {
    find(from, to) {
      const stored = newest.get(`${from} ${to}`);
      const opposite = newest.get(`${to} ${from}`);
      if (stored && (!opposite || stored.valid_from >= opposite.valid_from)) {
        return { from, to, rate: stored.rate, valid_from: stored.valid_from };
      }
      if (!opposite) return null;
      return { from, to, rate: inverseRate(opposite.rate), valid_from: opposite.valid_from };
    },
  };
}
