import { sql, type RawBuilder, type SqlBool } from "kysely";
import { columnsOf } from "../../database/columns.ts";
import type { Way } from "../../database/criteria/search.ts";
import type { Compilable } from "../../database/driver/sending.ts";
import { isOneOf, rowsOf } from "../../database/rows.ts";
import type { Database } from "../../database/tables.ts";
import { endOfPage, orderOfPage } from "../../http/page-sql.ts";
import type { Page } from "../../http/paging.ts";
import {
  countFound,
  findPage,
  findRows,
  firstOfPage,
  rowsUpTo,
  type Searched,
} from "./found-store.ts";
import { readFiltered, type ListFilter } from "./list-filter.ts";

/**
 * Pages of shipments and orders, newest first, whose cost does not grow with the account. A page that one index has in
 * the order of ids ends after its rows. Where several ranges of indexes have the rows, each is read by itself and no
 * further than needed: joined by OR, PostgreSQL reads the whole account for one that it believes to be large.
 */

type Condition = RawBuilder<SqlBool>;

/** The rows that a list is of. */
export interface Listed {
  table: "shipments" | "orders";
  account_id: string;
  /** All hold. */
  conditions: readonly Condition[];
  /** At least one of these leads to each row; absent when nothing is searched for. */
  search?: readonly Way[] | undefined;
  /** A column that has one of several values, by an index that ends with the id. */
  any_of?: { column: string; values: readonly string[] } | undefined;
  saved: ListFilter | undefined;
}

interface Read<Row> {
  columns: RawBuilder<unknown>;
  page: Page;
  /** How the rows are read. */
  as: (statement: Compilable<Row>) => Compilable<Row>;
}

/** One page of these columns. */
export async function readPage<Row>(
  db: Database,
  listed: Listed,
  { columns, page, as }: Read<Row>,
): Promise<Row[]> {
  const { search, conditions, any_of } = listed;
  const read = (statement: RawBuilder<unknown>) =>
    readFiltered(db, listed.saved, as(statement as RawBuilder<Row>));
  const readFound = (source: Source) =>
    read(sql`SELECT ${columns} FROM ${sourceOf(listed, source)}
      ${endOfPage(page, { is_generic: isPlain(listed, source) })}`);
  if (search === undefined) {
    if (any_of) return read(pageOfEach(listed, { columns, page, conditions, any_of }));
    return readFound({ ids: null, conditions });
  }
  const searched = { ...listed, search };
  const isAlone = isSearchAlone(listed);
  const { ids, isAll } = await findRows(db, searched, { page, end: "last" });
  if (isAll) return readFound({ ids: isAlone ? firstOfPage(ids, page) : ids, conditions });
  if (isAlone) {
    const newest = await read(pageOfNewest(searched, { columns, page }));
    if (newest.length === page.limit) return newest;
    const found = await findPage(db, searched, { page, sample: ids });
    if (found) return readFound({ ids: found, conditions });
  }
  const filtered = [...conditions, matchesOf(search)];
  if (any_of) return read(pageOfEach(listed, { columns, page, conditions: filtered, any_of }));
  return readFound({ ids: null, conditions: filtered });
}

/** How many rows there are: at most `most`. */
export async function countRows(db: Database, listed: Listed, most: number): Promise<number> {
  const { search, conditions } = listed;
  let source: Source = { ids: null, conditions };
  if (search) {
    const searched = { ...listed, search };
    if (isSearchAlone(listed)) return countFound(db, searched, most);
    const { ids, isAll } = await findRows(db, searched, { end: "last" });
    source = isAll
      ? { ids, conditions }
      : { ids: null, conditions: [...conditions, matchesOf(search)] };
  }
  const [counted] = await readFiltered(
    db,
    listed.saved,
    sql<{ count: number }>`
      SELECT count(*) AS count FROM (SELECT FROM ${sourceOf(listed, source)} LIMIT ${most}) AS found`,
  );
  return counted!.count;
}

/** Rows that are known, or those with conditions. */
interface Source {
  ids: readonly string[] | null;
  conditions: readonly Condition[];
}

function matchesOf(search: readonly Way[]): Condition {
  const filters = search.map(({ filter }) => filter);
  return sql<SqlBool>`(${sql.join(filters, sql` OR `)})`;
}

/** Nothing else narrows the search, so its newest matches are the page. */
function isSearchAlone({ search, conditions, any_of, saved }: Listed): boolean {
  const isOrdered = search?.every(({ text }) => text !== undefined) ?? false;
  return isOrdered && conditions.length === 0 && !any_of && !saved;
}

/** How many of the newest rows are looked through for frequent matches, beyond those that the page wants. */
const walkedMax = 1000;

/** The matches among the newest rows: the page, if they fill it. */
function pageOfNewest(
  { table, account_id, search }: Searched,
  { columns, page }: Pick<Read<unknown>, "columns" | "page">,
): RawBuilder<unknown> {
  const of = sql.table(table);
  const walked = { ...page, limit: walkedMax + rowsUpTo(page), offset: 0 };
  return sql`SELECT ${columns} FROM (
      SELECT ${columnsOf(table)} FROM ${of} WHERE account_id = ${account_id}
        ${endOfPage(walked, { is_generic: false })}) AS ${of}
    WHERE ${matchesOf(search)} ${orderOfPage(page, { is_generic: false })}`;
}

/**
 * Tables and conditions. Rows that are known by their ids are looked up by their keys first: an index of another condition
 * would be a way to more of them.
 */
function sourceOf({ table, account_id, any_of }: Listed, found: Source): RawBuilder<unknown> {
  const of = sql.table(table);
  const all = [...found.conditions, ...(any_of ? [isOneOf(any_of.column, any_of.values)] : [])];
  if (found.ids === null) {
    const conditions = [sql<SqlBool>`account_id = ${account_id}`, ...all];
    return sql`${of} WHERE ${sql.join(conditions, sql` AND `)}`;
  }
  const wanted = rowsOf(
    account_id,
    found.ids.map((id) => ({ id })),
    "id text",
  );
  const conditions = [sql<SqlBool>`true`, ...all];
  return sql`(
    SELECT ${columnsOf(table)} FROM ${wanted} AS found JOIN ${of} USING (account_id, id)
    WHERE ${of}.account_id = ${account_id} OFFSET 0) AS ${of} WHERE ${sql.join(conditions, sql` AND `)}`;
}

interface PageOfEach {
  columns: RawBuilder<unknown>;
  page: Page;
  conditions: readonly Condition[];
  any_of: NonNullable<Listed["any_of"]>;
}

/** The newest of each value, and of these the page: each value has its rows in the order of ids. */
function pageOfEach(listed: Listed, { columns, page, conditions, any_of }: PageOfEach) {
  // A value that was named twice would have its rows twice.
  const values = [...new Set(any_of.values)];
  const isOne = values.length === 1;
  const rows = isOne ? page : { ...page, limit: page.limit + page.offset, offset: 0 };
  const end = endOfPage(rows, { is_generic: isPlain(listed, { conditions }) });
  const each = values.map((value) => {
    const all = [sql<SqlBool>`${sql.ref(any_of.column)} = ${value}`, ...conditions];
    return sql`SELECT ${columns} FROM ${sql.table(listed.table)}
      WHERE account_id = ${listed.account_id} AND ${sql.join(all, sql` AND `)} ${end}`;
  });
  if (isOne) return each[0]!;
  const union = each.map((of) => sql`(${of})`);
  return sql`${sql.join(union, sql` UNION ALL `)} ${orderOfPage(page, { is_generic: false })}`;
}

/** Without a condition of another kind there is one good plan, for all values. */
function isPlain({ saved }: Listed, { conditions }: Pick<Source, "conditions">): boolean {
  return conditions.length === 0 && !saved;
}
