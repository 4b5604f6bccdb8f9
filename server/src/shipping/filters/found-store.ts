import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Way } from "../../database/criteria/search.ts";
import { customPlan } from "../../database/driver/sending.ts";
import type { Database } from "../../database/tables.ts";
import { besideOfPage, orderOfPage } from "../../http/page-sql.ts";
import type { Page } from "../../http/paging.ts";

/**
 * What a search leads to. Each way is read no further than `foundMax` rows. Where one leads to more, these rows are a
 * sample: the page is nowhere behind the last of as many of them as it shows, so only what is before that is read of the
 * table. An index of texts that ends with the id tells so by itself.
 */

/**
 * The most rows that one way of a search may lead to. Beyond that, matches are so frequent that the newest of them are
 * mostly found sooner among the newest rows.
 */
export const foundMax = 2000;

/** The rows of an account that a search is for. */
export interface Searched {
  table: "shipments" | "orders";
  account_id: string;
  /** At least one of these leads to each row. */
  search: readonly Way[];
}

/** Ids of rows, each once: all of them, unless a way leads to too many. */
export interface Found {
  ids: string[];
  isAll: boolean;
}

interface Part {
  page?: Page | undefined;
  /** No row behind this one is wanted. */
  until?: string | undefined;
  /** From which end of the index: what is newest is often at one. */
  end: "last" | "first";
}

/** The rows that the ways lead to, of those on the page's side of its cursor. */
export async function findRows(db: Database, searched: Searched, part: Part): Promise<Found> {
  const limit = sql.raw(String(foundMax + 1));
  const ways = searched.search.map(
    (way, index) => sql`
      SELECT ${sql.raw(String(index))} AS way, id FROM (
        SELECT id ${rowsOfWay(searched, way, part)} ${orderOfWay(way, part)} LIMIT ${limit}) AS of_way`,
  );
  const all = sql<{ way: number; id: string }>`${sql.join(ways, sql` UNION ALL `)}`;
  const { rows } = await customPlan(all).execute(db);
  const counts = Map.groupBy(rows, ({ way }) => way);
  const isAll = [...counts.values()].every((of) => of.length <= foundMax);
  return { ids: [...new Set(rows.map(({ id }) => id))], isAll };
}

/**
 * The ids that a page ends with, of a search that leads to more rows than `findRows` reads; `sample` are some of them.
 * Null where the sample has fewer than the page reaches.
 */
export async function findPage(
  db: Database,
  searched: Searched,
  { page, sample }: { page: Page; sample: readonly string[] },
): Promise<string[] | null> {
  const until = firstOfPage(sample, page).at(rowsUpTo(page) - 1);
  if (until === undefined) return null;
  const nearer = await findRows(db, searched, { page, until, end: "first" });
  const ids = firstOfPage(nearer.ids, page);
  if (nearer.isAll) return ids;
  const part: Part = { page, until: ids.at(rowsUpTo(page) - 1) ?? until, end: "first" };
  // Each by itself: for the order of ids alone, PostgreSQL may read the whole account.
  const ways = searched.search.map(
    (way) => sql`SELECT id FROM (SELECT id ${rowsOfWay(searched, way, part)} OFFSET 0) AS of_way`,
  );
  const first = { ...page, limit: rowsUpTo(page), offset: 0 };
  const all = sql<{ id: string }>`
    SELECT id FROM (${sql.join(ways, sql` UNION `)}) AS found ${orderOfPage(first, { is_generic: false })}`;
  const { rows } = await customPlan(all).execute(db);
  return rows.map(({ id }) => id);
}

/** How many rows there are: at most `most`. */
export async function countFound(db: Database, searched: Searched, most: number): Promise<number> {
  const ways = searched.search.map(
    (way) => sql`SELECT id FROM (
      SELECT id ${rowsOfWay(searched, way, {})} ${orderOfWay(way, { end: "last" })} LIMIT ${most}) AS of_way`,
  );
  const all = sql<{ count: number }>`
    SELECT count(*) AS count FROM (${sql.join(ways, sql` UNION `)} LIMIT ${most}) AS found`;
  const { rows } = await customPlan(all).execute(db);
  return rows[0]!.count;
}

/** These, in the order of the page, as far as it reaches. */
export function firstOfPage(ids: readonly string[], page: Page): string[] {
  const order = page.beside?.direction === "prev" ? 1 : -1;
  return ids.toSorted((a, b) => (a < b ? -order : order)).slice(0, rowsUpTo(page));
}

/** How many rows are wanted up to the page's end, and a few more: some may be deleted before they are read. */
export function rowsUpTo({ limit, offset }: Page): number {
  return limit + offset + 10;
}

/** A way of tags has no order, nor ids in its index: a condition on the id would be another way. */
function rowsOfWay(
  { table, account_id }: Searched,
  { range, text }: Way,
  { page, until }: Omit<Part, "end">,
): RawBuilder<unknown> {
  const conditions = [sql<SqlBool>`account_id = ${account_id}`, range];
  const isForward = page?.beside?.direction === "prev";
  const compared = sql.raw(isForward ? "<=" : ">=");
  if (text && until !== undefined) conditions.push(sql<SqlBool>`id ${compared} ${until}`);
  const beside = text && page ? besideOfPage(page) : sql``;
  return sql`FROM ${sql.table(table)} WHERE ${sql.join(conditions, sql` AND `)} ${beside}`;
}

function orderOfWay({ text }: Way, { end }: Pick<Part, "end">): RawBuilder<unknown> {
  if (!text) return sql``;
  return end === "last"
    ? sql`ORDER BY ${text} USING ~>~, id DESC`
    : sql`ORDER BY ${text} USING ~<~, id`;
}
