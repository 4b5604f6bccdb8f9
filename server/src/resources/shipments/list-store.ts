import { sql, type RawBuilder, type SqlBool } from "kysely";
import { matchesCriteria } from "../../database/criteria/criteria.ts";
import { isOneOf } from "../../database/rows.ts";
import { asTexts, type TextRow } from "../../database/driver/sending.ts";
import { isNamed, startingWith } from "../../database/criteria/search.ts";
import type { Database } from "../../database/tables.ts";
import { hasTag } from "../../database/criteria/tag-keys.ts";
import { isId } from "../../domain/values/ids.ts";
import { endOfPage, onPage, type Page } from "../../http/paging.ts";
import { readFiltered, type ListFilter } from "../../shipping/filters/list-filter.ts";
import type { ShipmentFilters } from "./list-shipments.ts";
import { shownColumns, shownId } from "../../shipping/shipments/shown-text.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";

/** One page, newest first: ids are made in the order of time, so the primary key is the order. */
export async function listShipments(
  db: Database,
  { account_id, filters, page }: { account_id: string; filters: ShipmentFilters; page: Page },
): Promise<ShipmentRow[]> {
  const select = db
    .selectFrom("shipments")
    .selectAll()
    .where("account_id", "=", account_id)
    .where(matching(account_id, filters));
  return readFiltered(db, filters.saved, onPage(select, page, "id"));
}

/** The same as texts, for `shipmentJson`, with their ids. */
export async function listShipmentTexts(
  db: Database,
  { account_id, filters, page }: { account_id: string; filters: ShipmentFilters; page: Page },
): Promise<{ id: string; row: TextRow }[]> {
  const select = sql`
    SELECT ${shownColumns} FROM shipments
    WHERE account_id = ${account_id} AND ${matching(account_id, filters)} ${endOfPage(page)}`;
  const rows = await readFiltered(db, filters.saved, asTexts(select));
  return rows.map((row) => ({ id: row[shownId]!, row }));
}

/** How many shipments match the criteria: `most` + 1 for more than that. */
export async function countShipmentsUpTo(
  db: Database,
  saved: ListFilter,
  most: number,
): Promise<number> {
  const { account_id } = saved.context;
  const counting = sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT FROM shipments WHERE account_id = ${account_id} AND ${matching(account_id, { saved })}
      LIMIT ${most + 1}) AS found`;
  const [found] = await readFiltered(db, saved, counting);
  return found!.count;
}

export async function countShipments(
  db: Database,
  accountId: string,
  filters: ShipmentFilters,
): Promise<number> {
  const counting = db
    .selectFrom("shipments")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .where(matching(accountId, filters));
  const [found] = await readFiltered(db, filters.saved, counting);
  return found!.total;
}

function matching(accountId: string, filters: ShipmentFilters) {
  const conditions = [sql<SqlBool>`true`];
  for (const field of ["status", "type", "tracking_status"] as const) {
    const values = filters[field];
    if (values) conditions.push(isOneOf(field, values));
  }
  const equals = [
    "carrier",
    "service",
    "tracking_code",
    "order_id",
    "batch_id",
    "reference",
  ] as const;
  for (const field of equals) {
    const value = filters[field];
    if (value !== undefined) conditions.push(sql<SqlBool>`${sql.ref(field)} = ${value}`);
  }
  if (filters.ltl_only) conditions.push(sql<SqlBool>`type = 'ltl'`);
  if (filters.country_code)
    conditions.push(sql<SqlBool>`to_address ->> 'country_code' = ${filters.country_code}`);
  if (filters.created_from) conditions.push(sql<SqlBool>`created_at >= ${filters.created_from}`);
  if (filters.created_to) conditions.push(sql<SqlBool>`created_at <= ${filters.created_to}`);
  if (filters.tag !== undefined) conditions.push(hasTag(accountId, filters.tag));
  const { saved } = filters;
  if (saved) conditions.push(matchesCriteria(saved.criteria, "shipments", saved.context));
  if (filters.q) conditions.push(found(filters.q));
  return sql<SqlBool>`${sql.join(conditions, sql` AND `)}`;
}

/** Each condition in the form of an index. An id matches only as an id. */
function found(q: string): RawBuilder<SqlBool> {
  if (isId("shp", q)) return sql<SqlBool>`id = ${q}`;
  if (isId("ord", q)) return sql<SqlBool>`order_id = ${q}`;
  const prefix = startingWith(q);
  return sql<SqlBool>`(ship_code LIKE ${prefix.toUpperCase()} OR tracking_code LIKE ${prefix}
    OR lower(order_number) LIKE lower(${prefix}) OR ${isNamed(q)})`;
}
