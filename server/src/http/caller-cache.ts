import type { Config } from "../config.ts";
import type { CallerCache } from "../context.ts";
import type { Database } from "../database/tables.ts";
import { findOperatorSession, findUserSession } from "./session-store.ts";
import { findToken } from "./token-store.ts";

// Enough for every token that calls within half a second; an attacker's guesses cannot grow it further.
const entriesMax = 10_000;

/** Tokens, users' and operators' sessions, each found by the hash of what was sent. */
export function callerCache(db: Database, config: Config): CallerCache {
  const tokens = cached((hash) => findToken(db, hash), config);
  const users = cached((hash) => findUserSession(db, hash), config);
  const operators = cached((hash) => findOperatorSession(db, hash), config);
  return {
    find: tokens.find,
    findUser: users.find,
    findOperator: operators.find,
    forget() {
      for (const cache of [tokens, users, operators]) cache.forget();
    },
  };
}

/** The age counts from before the query, and concurrent requests share one query. */
function cached<Found>(
  find: (hash: Buffer) => Promise<Found | null>,
  { token_cache_ms }: Config,
): { find(hash: Buffer): Promise<Found | null>; forget(): void } {
  const seen = new Map<string, { at: number; found: Promise<Found | null> }>();
  return {
    find(hash) {
      const key = hash.toString("latin1");
      const at = performance.now();
      const last = seen.get(key);
      if (last && at - last.at < token_cache_ms) return last.found;
      if (seen.size >= entriesMax) seen.clear();
      const found = find(hash);
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
