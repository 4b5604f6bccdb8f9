import { ApiError, invalid } from "../../domain/errors/errors.ts";
import type { FeedEnds } from "./read-store.ts";

/** Why a text is no cursor of this feed, as a problem's sentence; null when it is one, gone or not. */
export function cursorProblem(
  cursor: string,
  { last_position }: Pick<FeedEnds, "last_position">,
): string | null {
  const isOne = /^(0|[1-9]\d{0,15})$/.test(cursor) && Number(cursor) <= last_position;
  return isOne ? null : "must be a cursor of this account's feed, or 0.";
}

/**
 * The position that a reader's cursor stands for: the decimal text of a position, "0" before the first. Throws 422 at the
 * parameter for what is none or lies beyond the feed, and 410 `cursor_expired` where events after it
 * are gone.
 */
export function positionOf(cursor: string, feed: FeedEnds, parameter: string): number {
  const problem = cursorProblem(cursor, feed);
  if (problem !== null) throw invalid({ [parameter]: [problem] });
  const [position, oldest_cursor] = [Number(cursor), String(feed.pruned_position)];
  if (position < feed.pruned_position)
    throw new ApiError("cursor_expired", { details: { oldest_cursor } });
  return position;
}
