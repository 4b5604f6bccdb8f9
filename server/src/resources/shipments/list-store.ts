import { sql, type RawBuilder, type SqlBool } from "kysely";
import { idsFrom, idsUpTo, matchesCriteria } from "../../database/criteria/criteria.ts";
import { isOneOf } from "../../database/rows.ts";
import { asTexts, type TextRow } from "../../database/driver/sending.ts";
import { isNamed, startsWith, type Way } from "../../database/criteria/search.ts";
import { columnsOf } from "../../database/columns.ts";
import type { Database } from "../../database/tables.ts";
import { tagWay } from "../../database/criteria/tag-keys.ts";
import { isId } from "../../domain/values/ids.ts";
import type { Fields } from "../../http/list-fields.ts";
import type { Page } from "../../http/paging.ts";
import { countRows, readPage, type Listed } from "../../shipping/filters/page-store.ts";
import type { ShipmentFilters } from "./list-shipments.ts";
import { shownColumns, shownId } from "../../shipping/shipments/shown-text.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";

export interface ShipmentListQuery {
  account_id: string;
  filters: ShipmentFilters;
  page: Page;
}

/** One page, newest first: ids are made in the order of time, so the primary key is the order. */
export async function listShipments(
  db: Database,
  query: ShipmentListQuery,
): Promise<ShipmentRow[]> {
  const columns = columnsOf("shipments");
  return readPage<ShipmentRow>(db, listed(query), {
    columns,
    page: query.page,
    as: (each) => each,
  });
}

/** The same as texts, for `shipmentJson` of these fields, with their ids. */
export async function listShipmentTexts(
  db: Database,
  query: ShipmentListQuery,
  fields: Fields | null = null,
): Promise<{ id: string; row: TextRow }[]> {
  const columns = shownColumns(fields);
  const rows = await readPage(db, listed(query), { columns, page: query.page, as: asTexts });
  return rows.map((row) => ({ id: row[shownId]!, row }));
}

/** How many shipments there are: at most `most`. */
export async function countShipmentsUpTo(
  db: Database,
  query: Omit<ShipmentListQuery, "page">,
  most: number,
): Promise<number> {
  return countRows(db, listed(query), most);
}

function listed({ account_id, filters }: Omit<ShipmentListQuery, "page">): Listed {
  const { q, tag, saved, status = [], tracking_status = [] } = filters;
  const [any_of, ...others] = [
    { column: "status", values: status },
    { column: "tracking_status", values: tracking_status },
  ].filter(({ values }) => values.length > 0);
  const search = q === undefined ? undefined : waysTo(q);
  return {
    table: "shipments",
    account_id,
    conditions: [
      ...others.map(({ column, values }) => isOneOf(column, values)),
      ...conditionsOf(filters, { is_searched: search !== undefined, account_id }),
    ],
    search: search ?? (tag === undefined ? undefined : [tagWay(account_id, tag)]),
    any_of,
    saved,
  };
}

function conditionsOf(
  filters: ShipmentFilters,
  { is_searched, account_id }: { is_searched: boolean; account_id: string },
): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [];
  const { saved, q, tag, created_from: from, created_to: to } = filters;
  const type = filters.ltl_only ? (filters.type ?? ["ltl"]).filter(isFreight) : filters.type;
  // As a literal it is the condition of an index.
  if (type?.join() === "ltl") conditions.push(sql<SqlBool>`type = 'ltl'`);
  else if (type) conditions.push(isOneOf("type", type));
  for (const field of equals) {
    const value = filters[field];
    if (value !== undefined) conditions.push(sql<SqlBool>`${sql.ref(field)} = ${value}`);
  }
  if (filters.country_code)
    conditions.push(sql<SqlBool>`to_address ->> 'country_code' = ${filters.country_code}`);
  if (from) conditions.push(sql<SqlBool>`(created_at >= ${from} AND ${idsFrom("shp", from)})`);
  if (to) conditions.push(sql<SqlBool>`(created_at <= ${to} AND ${idsUpTo("shp", to)})`);
  // Otherwise the tag is the way to the rows.
  if (tag !== undefined && is_searched) conditions.push(tagWay(account_id, tag).filter);
  if (saved) conditions.push(matchesCriteria(saved.criteria, "shipments", saved.context));
  if (q !== undefined && isId("shp", q)) conditions.push(sql<SqlBool>`id = ${q}`);
  if (q !== undefined && isId("ord", q)) conditions.push(sql<SqlBool>`order_id = ${q}`);
  return conditions;
}

const isFreight = (type: string) => type === "ltl";

const equals = [
  "carrier",
  "service",
  "tracking_code",
  "order_id",
  "batch_id",
  "reference",
] as const;

/** Each in the form of an index; none for an id, which matches only as an id. */
function waysTo(q: string): Way[] | undefined {
  if (isId("shp", q) || isId("ord", q)) return undefined;
  return [
    startsWith(sql`ship_code`, sql`${q.toUpperCase()}::text`),
    startsWith(sql`tracking_code`, sql`${q}::text`),
    startsWith(sql`lower(order_number)`, sql`lower(${q}::text)`),
    ...isNamed(q),
  ];
}
