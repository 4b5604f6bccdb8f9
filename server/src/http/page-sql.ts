import { sql, type RawBuilder } from "kysely";
import type { Page } from "./paging.ts";

/**
 * Restricts a statement in SQL to the page, newest first, behind its conditions. `is_generic`: one plan is good for all values of
 * its parameters. A limit that is a parameter is unknown to such a plan, which then seems dear, and the statement is
 * planned for each call.
 */
export function endOfPage(
  page: Page,
  { is_generic }: { is_generic: boolean },
): RawBuilder<unknown> {
  return sql`${besideOfPage(page)} ${orderOfPage(page, { is_generic })}`;
}

/** The condition that rows are on the page's side of its cursor, behind other conditions. */
export function besideOfPage(page: Page): RawBuilder<unknown> {
  const compared = isAscending(page) ? ">" : "<";
  return page.beside ? sql`AND id ${sql.raw(compared)} ${page.beside.id}` : sql``;
}

/** The order and the size of a page alone. */
export function orderOfPage(
  page: Page,
  { is_generic }: { is_generic: boolean },
): RawBuilder<unknown> {
  const order = sql.raw(isAscending(page) ? "ASC" : "DESC");
  const isFixed = is_generic && usualLimits.includes(page.limit);
  const limit = isFixed ? sql.raw(String(page.limit)) : sql`${page.limit}`;
  return sql`ORDER BY id ${order} LIMIT ${limit}${page.offset > 0 ? sql` OFFSET ${page.offset}` : sql``}`;
}

function isAscending({ beside }: Page): boolean {
  return beside?.direction === "prev";
}

/** Of the usual sizes of a page: each makes another text, and only so many are kept prepared. */
const usualLimits: readonly number[] = [10, 25, 50, 100].flatMap((rows) => [rows, rows + 1]);
