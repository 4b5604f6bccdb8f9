import { isStorable } from "../text/text.ts";

/** An id of a list as it was sent, and its place there: what problems of it are filed under. */
export interface GivenId {
  id: string;
  index: number;
}

/**
 * The ids of a list that can be looked up: the unknown ones are named beside the entries that are no ids (decision
 * 2). Of a list with more than `most` entries none.
 */
export function idsIn(list: unknown, most: number): GivenId[] {
  if (!Array.isArray(list) || list.length > most) return [];
  return list.flatMap((id: unknown, index) =>
    typeof id === "string" && isStorable(id) ? [{ id, index }] : [],
  );
}
