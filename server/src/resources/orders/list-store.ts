import { sql, type RawBuilder, type SqlBool } from "kysely";
import { matchesCriteria } from "../../database/criteria/criteria.ts";
import { isOneOf } from "../../database/rows.ts";
import type { Database } from "../../database/tables.ts";
import { isNamed, startsWith, type Way } from "../../database/criteria/search.ts";
import { columnsOf } from "../../database/columns.ts";
import { asTexts, type TextRow } from "../../database/driver/sending.ts";
import { tagWay } from "../../database/criteria/tag-keys.ts";
import { isId } from "../../domain/values/ids.ts";
import type { Fields } from "../../http/list-fields.ts";
import type { Page } from "../../http/paging.ts";
import { countRows, readPage, type Listed } from "../../shipping/filters/page-store.ts";
import type { OrderFilters } from "./list-orders.ts";
import type { OrderRow } from "../../shipping/orders/store.ts";
import { shownColumns, shownId } from "./shown-text.ts";

export interface OrderListQuery {
  account_id: string;
  filters: OrderFilters;
  page: Page;
}

/** One page, newest first: ids are made in the order of time, so the primary key is the order. */
export async function listOrders(db: Database, query: OrderListQuery): Promise<OrderRow[]> {
  const columns = columnsOf("orders");
  return readPage<OrderRow>(db, listed(query), { columns, page: query.page, as: (each) => each });
}

/** The same as texts, for `orderJson` of these fields, with their ids. */
export async function listOrderTexts(
  db: Database,
  query: OrderListQuery,
  fields: Fields | null = null,
): Promise<{ id: string; row: TextRow }[]> {
  const columns = shownColumns(fields);
  const rows = await readPage(db, listed(query), { columns, page: query.page, as: asTexts });
  return rows.map((row) => ({ id: row[shownId]!, row }));
}

/** How many orders there are: at most `most`. */
export async function countOrdersUpTo(
  db: Database,
  query: Omit<OrderListQuery, "page">,
  most: number,
): Promise<number> {
  return countRows(db, listed(query), most);
}

function listed({ account_id, filters }: Omit<OrderListQuery, "page">): Listed {
  const { q, tag, saved, status = [], source = [] } = filters;
  const search = q === undefined ? undefined : waysTo(q);
  const [any_of, ...others] = [
    { column: "status", values: status },
    { column: "source", values: source },
  ].filter(({ values }) => values.length > 0);
  const conditions = conditionsOf(filters);
  for (const { column, values } of others) conditions.push(isOneOf(column, values));
  // Otherwise the tag is the way to the rows.
  if (tag !== undefined && search) conditions.push(tagWay(account_id, tag).filter);
  return {
    table: "orders",
    account_id,
    conditions,
    search: search ?? (tag === undefined ? undefined : [tagWay(account_id, tag)]),
    any_of,
    saved,
  };
}

/** Each filter in the form of an index that starts with the account. */
function conditionsOf({ order_number, from_date, to_date, saved, q }: OrderFilters) {
  const conditions: RawBuilder<SqlBool>[] = [];
  if (order_number !== undefined) {
    const isEqual = sql<SqlBool>`order_number = ${order_number}`;
    const isLike = sql<SqlBool>`lower(order_number) = lower(${order_number})`;
    conditions.push(sql<SqlBool>`${isEqual} AND ${isLike}`);
  }
  if (from_date) conditions.push(sql<SqlBool>`placed_at >= ${from_date}`);
  if (to_date) conditions.push(sql<SqlBool>`placed_at <= ${to_date}`);
  if (saved) conditions.push(matchesCriteria(saved.criteria, "orders", saved.context));
  if (q !== undefined && isId("ord", q)) conditions.push(sql<SqlBool>`id = ${q}`);
  return conditions;
}

/** Each in the form of an index; none for an id, which matches only as an id. */
function waysTo(q: string): Way[] | undefined {
  if (isId("ord", q)) return undefined;
  const prefix = sql`lower(${q}::text)`;
  return [
    startsWith(sql`lower(order_number)`, prefix),
    startsWith(sql`lower(customer ->> 'email')`, prefix),
    ...isNamed(q),
  ];
}
