import type { Facts } from "./call.ts";
import type { ListLinks, ListMeta } from "../generated/types.ts";

/** One page of a list. */
export type Page<T> = { data: T[]; meta: ListMeta; links: ListLinks } & Facts;

/** A list that is read page by page; nothing is asked before it is used. */
export interface Pager<T> extends AsyncIterable<T> {
  /** The first page, or the one at the query's `cursor` or `page`. */
  page(): Promise<Page<T>>;
  /** Each page in turn. */
  pages(): AsyncIterable<Page<T>>;
  /** All entries, or the first `max`. */
  toArray(limit?: { max?: number }): Promise<T[]>;
}

/** Where a page begins: a cursor, or a number where the list is read by numbers. */
export interface Place {
  cursor?: string;
  page?: string;
}

/** A pager over what `read` gives for a place; it keeps no page but the one that is being read. */
export function pagerOf<T>(read: (place?: Place) => Promise<Page<T>>): Pager<T> {
  async function* pages(): AsyncGenerator<Page<T>> {
    let place: Place | undefined;
    do {
      const page = await read(place);
      yield page;
      place = nextOf(page);
    } while (place);
  }
  async function* entries(): AsyncGenerator<T> {
    for await (const { data } of pages()) yield* data;
  }
  return {
    page: () => read(),
    pages,
    [Symbol.asyncIterator]: entries,
    async toArray({ max = Infinity } = {}) {
      const all: T[] = [];
      if (max <= 0) return all;
      for await (const entry of entries()) if (all.push(entry) >= max) break;
      return all;
    },
  };
}

function nextOf({ meta, links }: Page<unknown>): Place | undefined {
  if (meta.next_cursor) return { cursor: meta.next_cursor };
  const page = /[?&]page=(\d+)/.exec(links.next ?? "")?.[1];
  return page ? { page } : undefined;
}
