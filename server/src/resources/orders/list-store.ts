import { sql, type RawBuilder, type SqlBool } from "kysely";
import { matchesCriteria } from "../../database/criteria/criteria.ts";
import { isOneOf } from "../../database/rows.ts";
import type { Database } from "../../database/tables.ts";
import { isNamed, startingWith } from "../../database/criteria/search.ts";
import { hasTag } from "../../database/criteria/tag-keys.ts";
import { isId } from "../../domain/values/ids.ts";
import { onPage, type Page } from "../../http/paging.ts";
import { readFiltered, type ListFilter } from "../../shipping/filters/list-filter.ts";
import type { OrderFilters } from "./list-orders.ts";
import type { OrderRow } from "../../shipping/orders/store.ts";

/** One page, newest first: ids are made in the order of time, so the primary key is the order. */
export async function listOrders(db: Database, asked: Asked): Promise<OrderRow[]> {
  return readFiltered(db, asked.filters.saved, pageOfOrders(db, asked));
}

export interface Asked {
  account_id: string;
  filters: OrderFilters;
  page: Page;
}

/** The statement behind a page, for a test that asks PostgreSQL how it would go about it. */
export function pageOfOrders(db: Database, { account_id, filters, page }: Asked) {
  const select = db
    .selectFrom("orders")
    .selectAll()
    .where("account_id", "=", account_id)
    .where(matching(account_id, filters));
  return onPage(select, page, "id");
}

export async function countOrders(
  db: Database,
  accountId: string,
  filters: OrderFilters,
): Promise<number> {
  const counting = db
    .selectFrom("orders")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .where(matching(accountId, filters));
  const [found] = await readFiltered(db, filters.saved, counting);
  return found!.total;
}

/** How many orders match the criteria: `most` + 1 for more than that. */
export async function countOrdersUpTo(
  db: Database,
  saved: ListFilter,
  most: number,
): Promise<number> {
  const { account_id } = saved.context;
  const counting = sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT FROM orders WHERE account_id = ${account_id} AND ${matching(account_id, { saved })}
      LIMIT ${most + 1}) AS found`;
  const [found] = await readFiltered(db, saved, counting);
  return found!.count;
}

/** Each filter in the form of an index that starts with the account. */
function matching(accountId: string, filters: OrderFilters) {
  const { status, order_number, source, tag, from_date, to_date, saved, q } = filters;
  const conditions = [sql<SqlBool>`true`];
  if (status) conditions.push(isOneOf("status", status));
  if (source) conditions.push(isOneOf("source", source));
  if (order_number !== undefined) {
    const isEqual = sql<SqlBool>`order_number = ${order_number}`;
    const isLike = sql<SqlBool>`lower(order_number) = lower(${order_number})`;
    conditions.push(isEqual, isLike);
  }
  if (tag !== undefined) conditions.push(hasTag(accountId, tag));
  if (from_date) conditions.push(sql<SqlBool>`placed_at >= ${from_date}`);
  if (to_date) conditions.push(sql<SqlBool>`placed_at <= ${to_date}`);
  if (saved) conditions.push(matchesCriteria(saved.criteria, "orders", saved.context));
  if (q !== undefined) conditions.push(found(q));
  return sql<SqlBool>`${sql.join(conditions, sql` AND `)}`;
}

function found(q: string): RawBuilder<SqlBool> {
  if (isId("ord", q)) return sql<SqlBool>`id = ${q}`;
  const prefix = startingWith(q);
  return sql<SqlBool>`(lower(order_number) LIKE lower(${prefix}) OR ${isNamed(q)}
    OR lower(customer ->> 'email') LIKE lower(${prefix}))`;
}
