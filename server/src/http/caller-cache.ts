import type { Config } from "../config.ts";
import type { CallerCache, FoundToken } from "../context.ts";
import type { Database } from "../database/tables.ts";
import { findToken } from "./token-store.ts";

// Enough for every token that calls within half a second; an attacker's guesses cannot grow it further.
const entriesMax = 10_000;

/** The age counts from before the query, and concurrent requests share one query. */
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
      // A failure is not cached: the next request queries again.
      found.catch(() => seen.delete(key));
      seen.set(key, { at, found });
      return found;
    },
    forget() {
      seen.clear();
    },
  };
}
