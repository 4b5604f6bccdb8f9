import { comparePositions, type Position } from "./entry.ts";

/** A page of entries, and where the next one begins; null at the end. */
interface EntryPage<E extends Position> {
  entries: E[];
  next: Position | null;
}

/**
 * Merges what each source has after a position. A source hands over its first `limit + 1` entries there, or all
 * that it has: so the first `limit` of all are among them.
 */
export function mergePage<E extends Position>(
  sources: readonly (readonly E[])[],
  { after, limit }: { after: Position; limit: number },
): EntryPage<E> {
  const merged = sources
    .flat()
    .filter((entry) => comparePositions(entry, after) > 0)
    .sort(comparePositions);
  const entries = merged.slice(0, limit);
  const last = entries.at(-1);
  return { entries, next: last && merged.length > limit ? last : null };
}
