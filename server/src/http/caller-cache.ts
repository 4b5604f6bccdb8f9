import type { Config } from "../config.ts";
import type { Database } from "../database/tables.ts";
import { findToken, type FoundToken } from "./token-store.ts";

/**
 * What this process lately learnt about tokens and their accounts, so that not every request asks the
 * database. Another process may trust an older answer for `token_cache_ms`; the one that changes a
 * token or an account calls `forget` after the commit, and its very next request sees the change.
 */
export interface CallerCache {
  /** The token with this hash; null when there is none. */
  find(hash: Buffer): Promise<FoundToken | null>;
  /** Everything: changes are rare, and asking anew is cheap. */
  forget(): void;
}

// Enough for every token that calls within half a second; an attacker's guesses cannot grow it further.
const entriesMax = 10_000;

/** The time is counted from before the query, and requests that arrive together share one query. */
export function callerCache(db: Database, config: Config): CallerCache {
  const seen = new Map<string, { at: number; found: Promise<FoundToken | null> }>();
  return {
    find(hash) {
      const key = hash.toString("latin1");
      const at = performance.now();
      const last = seen.get(key);
      if (last && at - last.at < config.token_cache_ms) return last.found;
      if (seen.size >= entriesMax) seen.clear();
      const found = findToken(db, hash);
      // A failure is not an answer: the next request asks again.
      found.catch(() => seen.delete(key));
      seen.set(key, { at, found });
      return found;
    },
    forget() {
      seen.clear();
    },
  };
}
