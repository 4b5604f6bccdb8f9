import { sql, type SqlBool } from "kysely";
import { matchesCriteria } from "../../database/criteria.ts";
import { plannedForValues } from "../../database/journeys.ts";
import type { Database } from "../../database/tables.ts";
import { hasTag } from "../../database/tag-keys.ts";
import { onPage, type Page } from "../../http/paging.ts";
import type { Narrowing } from "../filters/service.ts";
import type { OrderFilters } from "./list-orders.ts";
import type { OrderRow } from "./store.ts";

/** One page, newest first: ids are made in the order of time, so the primary key is the order. */
export async function listOrders(db: Database, asked: Asked): Promise<OrderRow[]> {
  return pageOfOrders(db, asked).execute();
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
    .where(matching(account_id, filters))
    .$if(filters.saved !== undefined, (saved) => saved.modifyFront(sql.raw(plannedForValues)));
  return onPage(select, page, "id");
}

export async function countOrders(
  db: Database,
  accountId: string,
  filters: OrderFilters,
): Promise<number> {
  const { total } = await db
    .selectFrom("orders")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .where(matching(accountId, filters))
    .executeTakeFirstOrThrow();
  return total;
}

/** How many orders criteria select: `most` + 1 for more than that. */
export async function countOrdersUpTo(
  db: Database,
  saved: Narrowing,
  most: number,
): Promise<number> {
  const { account_id } = saved.terms;
  const { rows } = await sql<{ count: number }>`
    SELECT ${sql.raw(plannedForValues)} count(*) AS count FROM (
      SELECT FROM orders WHERE account_id = ${account_id} AND ${matching(account_id, { saved })}
      LIMIT ${most + 1}) AS found`.execute(db);
  return rows[0]!.count;
}

/** Each filter in the words of an index that starts with the account. */
function matching(accountId: string, filters: OrderFilters) {
  const { status, order_number, source, tag, from_date, to_date, saved, q } = filters;
  const conditions = [sql<SqlBool>`true`];
  if (status) conditions.push(sql<SqlBool>`status = ANY(${status})`);
  if (source) conditions.push(sql<SqlBool>`source = ${source}`);
  if (order_number !== undefined) {
    const isEqual = sql<SqlBool>`order_number = ${order_number}`;
    const isLike = sql<SqlBool>`lower(order_number) = lower(${order_number})`;
    conditions.push(isEqual, isLike);
  }
  if (tag !== undefined) conditions.push(hasTag(accountId, tag));
  if (from_date) conditions.push(sql<SqlBool>`placed_at >= ${from_date}`);
  if (to_date) conditions.push(sql<SqlBool>`placed_at <= ${to_date}`);
  if (saved) conditions.push(matchesCriteria(saved.criteria, "orders", saved.terms));
  if (q !== undefined) {
    const prefix = `${q.replace(/[\\%_]/g, "\\$&")}%`;
    conditions.push(sql<SqlBool>`(id = ${q} OR lower(order_number) LIKE lower(${prefix})
      OR lower(to_address ->> 'name') LIKE lower(${prefix}) OR lower(customer ->> 'email') LIKE lower(${prefix}))`);
  }
  return sql<SqlBool>`${sql.join(conditions, sql` AND `)}`;
}
