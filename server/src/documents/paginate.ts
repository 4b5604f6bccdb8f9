import type { Mark } from "../drawing/marks.ts";

/** A block on a page that is as wide as the page and cannot be broken. */
export interface Row {
  height: number;
  draw(y: number): Mark[];
}

/** Rows under a head that is repeated where they continue, on the next page. */
export interface Section {
  head: Row;
  rows: readonly Row[];
}

/** The marks of as many pages as the sections need, from `top` to `bottom` of each; the first page is 0. */
export function paginate(
  sections: readonly Section[],
  { top, bottom }: { top: (page: number) => number; bottom: number },
): Mark[][] {
  const pages: Mark[][] = [];
  let y = Infinity;
  const put = (row: Row) => {
    pages.at(-1)!.push(...row.draw(y));
    y += row.height;
  };
  for (const { head, rows } of sections) {
    rows.forEach((row, place) => {
      const needed = row.height + (place === 0 ? head.height : 0);
      const isNewPage = y + needed > bottom;
      if (isNewPage) {
        pages.push([]);
        y = top(pages.length - 1);
      }
      if (isNewPage || place === 0) put(head);
      put(row);
    });
  }
  return pages;
}

/** The first rows, as many as fit in that height, and the others. */
export function fitting<R extends Row>(
  rows: readonly R[],
  { height, note }: { height: number; note: number },
): { here: R[]; later: R[] } {
  const count = (room: number) => {
    let used = 0;
    const end = rows.findIndex((row) => (used += row.height) > room);
    return end === -1 ? rows.length : end;
  };
  // When not all fit, a note states so, which needs room as well.
  const fits = count(height) === rows.length ? rows.length : count(height - note);
  return { here: rows.slice(0, fits), later: rows.slice(fits) };
}
