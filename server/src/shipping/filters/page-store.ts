import { sql, type RawBuilder, type SqlBool } from "kysely";
import { columnsOf } from "../../database/columns.ts";
import type { Way } from "../../database/criteria/search.ts";
import { customPlan, type Compilable } from "../../database/driver/sending.ts";
import { isOneOf, rowsOf } from "../../database/rows.ts";
import type { Database } from "../../database/tables.ts";
import { endOfPage, orderOfPage } from "../../http/page-sql.ts";
import type { Page } from "../../http/paging.ts";
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

/**
 * The most rows that one way of a search may lead to. Beyond that, matches are so frequent that the newest of them are
 * found sooner among the newest rows.
 */
export const foundMax = 2000;

/** One page of these columns; `as` says how the rows are read. */
export async function readPage<Row>(
  db: Database,
  listed: Listed,
  {
    columns,
    page,
    as,
  }: {
    columns: RawBuilder<unknown>;
    page: Page;
    as: (statement: Compilable<Row>) => Compilable<Row>;
  },
): Promise<Row[]> {
  const found = await findRows(db, listed);
  const statement =
    found.ids === null && listed.any_of
      ? pageOfEach(listed, { columns, page, conditions: found.conditions, any_of: listed.any_of })
      : sql`SELECT ${columns} FROM ${sourceOf(listed, found)}
          ${endOfPage(page, { is_generic: isPlain(listed, found) })}`;
  return readFiltered(db, listed.saved, as(statement as RawBuilder<Row>));
}

/** How many rows there are: at most `most`. */
export async function countRows(db: Database, listed: Listed, most: number): Promise<number> {
  const found = await findRows(db, listed);
  const [counted] = await readFiltered(
    db,
    listed.saved,
    sql<{ count: number }>`
      SELECT count(*) AS count FROM (SELECT FROM ${sourceOf(listed, found)} LIMIT ${most}) AS found`,
  );
  return counted!.count;
}

/** What a search led to: the rows, or a condition on each row where there are too many. */
interface Found {
  ids: string[] | null;
  conditions: readonly Condition[];
}

async function findRows(db: Database, listed: Listed): Promise<Found> {
  const { account_id, conditions, search } = listed;
  if (search === undefined) return { ids: null, conditions };
  const table = sql.table(listed.table);
  const limit = sql.raw(String(foundMax + 1));
  const ways = search.map(
    ({ range }, way) => sql`
      SELECT ${sql.raw(String(way))} AS way, id FROM (
        SELECT id FROM ${table} WHERE account_id = ${account_id} AND ${range} LIMIT ${limit}) AS of_way`,
  );
  const all = sql<{ way: number; id: string }>`${sql.join(ways, sql` UNION ALL `)}`;
  const { rows } = await customPlan(all).execute(db);
  const counts = Map.groupBy(rows, ({ way }) => way);
  const isFrequent = [...counts.values()].some((of) => of.length > foundMax);
  if (isFrequent) {
    const filters = search.map(({ filter }) => filter);
    return {
      ids: null,
      conditions: [...conditions, sql<SqlBool>`(${sql.join(filters, sql` OR `)})`],
    };
  }
  return { ids: [...new Set(rows.map(({ id }) => id))], conditions };
}

/**
 * Tables and conditions. Rows that are known by their ids are looked up by their keys first: an index of another condition
 * would be a way to more of them.
 */
function sourceOf({ table, account_id, any_of }: Listed, found: Found): RawBuilder<unknown> {
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
function isPlain({ saved }: Listed, { conditions }: Pick<Found, "conditions">): boolean {
  return conditions.length === 0 && !saved;
}
