import { ApiError, invalid } from "../../domain/errors/errors.ts";
import type { FeedEnds } from "./read-store.ts";

/**
 * The position that a reader's cursor stands for: the decimal text of a position, "0" before the first. Throws 422 at the
 * parameter for what is none or lies beyond the feed, and 410 `cursor_expired` where events after it
 * are gone.
 */
export function positionOf(
  cursor: string,
  { last_position, pruned_position }: FeedEnds,
  parameter: string,
): number {
  const position = /^(0|[1-9]\d{0,15})$/.test(cursor) ? Number(cursor) : NaN;
  if (!(position <= last_position))
    throw invalid({ [parameter]: ["must be a cursor of this account's feed, or 0."] });
  if (position < pruned_position)
    throw new ApiError("cursor_expired", { details: { oldest_cursor: String(pruned_position) } });
  return position;
}
