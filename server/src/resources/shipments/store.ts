import { sql, type Selectable, type SqlBool, type UpdateObject } from "kysely";
import { matchesCriteria } from "../../database/criteria.ts";
import { plannedForValues } from "../../database/journeys.ts";
import { readTogether } from "../../database/read-together.ts";
import type { Database, ShipmentsTable, Tables, Tx } from "../../database/tables.ts";
import { notFound } from "../../domain/errors.ts";
import {
  shipmentTypes,
  type ShipmentStatus,
  type ShipmentType,
} from "../../domain/shipment-status.ts";
import { statesBefore } from "../../domain/shipment-states.ts";
import { onPage, type Page } from "../../http/paging.ts";
import type { Narrowing } from "../filters/service.ts";
import type { ShipmentFilters } from "./list-shipments.ts";

export type ShipmentRow = Selectable<ShipmentsTable>;
export type ShipmentChange = UpdateObject<Tables, "shipments", "shipments">;

/**
 * Inserts any number of shipments by one statement whose text never changes. `jsonb_populate_recordset`
 * turns our rows into the table's own row type, so a new column needs no word here.
 */
export async function insertShipments(tx: Tx, rows: readonly ShipmentRow[]): Promise<void> {
  await sql`INSERT INTO shipments SELECT * FROM jsonb_populate_recordset(NULL::shipments, ${JSON.stringify(rows)}::jsonb)`.execute(
    tx,
  );
}

/** Throws 404, the same for a missing shipment and another account's. */
export async function getShipment(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<ShipmentRow> {
  const row = await db
    .selectFrom("shipments")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** Which type of shipment it is; null when the account has none of that id. */
export async function findType(
  db: Database,
  accountId: string,
  id: string,
): Promise<ShipmentType | null> {
  const row = await db
    .selectFrom("shipments")
    .select("type")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.type ?? null;
}

/** As `getShipment`, and nobody else changes it until the transaction ends. */
export async function lockShipment(tx: Tx, accountId: string, id: string): Promise<ShipmentRow> {
  const row = await tx
    .selectFrom("shipments")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** Writes changes that need no change of state. */
export async function changeShipment(
  tx: Tx,
  { account_id, id }: { account_id: string; id: string },
  change: ShipmentChange,
): Promise<ShipmentRow> {
  return tx
    .updateTable("shipments")
    .set(change)
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Writes a new state where the table of states, and the revision if one is given, let it. */
export async function writeMove(
  tx: Tx,
  { account_id, id, revision }: { account_id: string; id: string; revision?: number },
  change: ShipmentChange & { status: ShipmentStatus },
): Promise<ShipmentRow | null> {
  let update = tx
    .updateTable("shipments")
    .set(change)
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .where((where) =>
      where.or(
        shipmentTypes.map((type) =>
          where.and([
            where("type", "=", type),
            where("status", "=", where.fn.any(where.val(statesBefore(type, change.status)))),
          ]),
        ),
      ),
    );
  if (revision !== undefined) update = update.where("revision", "=", revision);
  return (await update.returningAll().executeTakeFirst()) ?? null;
}

/** A label that a carrier has sold, and the shipment that it was sold for. */
interface NewLabel {
  account_id: string;
  shipment_id: string;
  carrier: string;
  tracking_code: string;
}

interface LabelClaim {
  package_count: number;
  is_taken: boolean;
}

/**
 * What a new label's tracking code has to agree with: how many packages there are, and whether another
 * live label of the carrier has the code, in whichever account. A read before a write, since no unique
 * index may span accounts: two labels that get one code at the same instant both pass.
 */
export async function findLabelClaim(db: Database, label: NewLabel): Promise<LabelClaim> {
  const claim = await readLabelClaim(db, label);
  if (!claim) throw new Error(`shipment ${label.shipment_id} is gone`);
  return claim;
}

const readLabelClaim = readTogether<NewLabel, LabelClaim>(
  (wanted) => sql`
    SELECT place, package_count, EXISTS (
      SELECT FROM shipments AS other
      WHERE other.tracking_code = wanted.tracking_code AND other.carrier = wanted.carrier
        AND other.status IN ('purchased', 'booked', 'void_pending', 'in_transit', 'exception', 'returned')
        AND other.id <> wanted.shipment_id) AS is_taken
    FROM jsonb_to_recordset(${wanted}::jsonb) AS wanted (
      place integer, account_id text, shipment_id text, carrier text, tracking_code text)
    CROSS JOIN LATERAL (
      SELECT jsonb_array_length(packages) AS package_count FROM shipments AS own
      WHERE own.account_id = wanted.account_id AND own.id = wanted.shipment_id LIMIT 1) AS own`,
);

export async function deleteDraft(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx
    .deleteFrom("shipments")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .execute();
}

/** One page, newest first: ids are made in the order of time, so the primary key is the order. */
export async function listShipments(
  db: Database,
  { account_id, filters, page }: { account_id: string; filters: ShipmentFilters; page: Page },
): Promise<ShipmentRow[]> {
  const select = db
    .selectFrom("shipments")
    .selectAll()
    .where("account_id", "=", account_id)
    .where(matching(filters))
    .$if(filters.saved !== undefined, (saved) => saved.modifyFront(sql.raw(plannedForValues)));
  return onPage(select, page, "id").execute();
}

/** How many shipments criteria select: `most` + 1 for more than that. */
export async function countShipmentsUpTo(
  db: Database,
  saved: Narrowing,
  most: number,
): Promise<number> {
  const { account_id } = saved.terms;
  const { rows } = await sql<{ count: number }>`
    SELECT ${sql.raw(plannedForValues)} count(*) AS count FROM (
      SELECT FROM shipments WHERE account_id = ${account_id} AND ${matching({ saved })}
      LIMIT ${most + 1}) AS found`.execute(db);
  return rows[0]!.count;
}

export async function countShipments(
  db: Database,
  accountId: string,
  filters: ShipmentFilters,
): Promise<number> {
  const { total } = await db
    .selectFrom("shipments")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .where(matching(filters))
    .executeTakeFirstOrThrow();
  return total;
}

function matching(filters: ShipmentFilters) {
  const conditions = [sql<SqlBool>`true`];
  const equals = [
    "type",
    "carrier",
    "service",
    "tracking_status",
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
  if (filters.status) conditions.push(sql<SqlBool>`status = ANY(${filters.status})`);
  if (filters.country_code)
    conditions.push(sql<SqlBool>`to_address ->> 'country_code' = ${filters.country_code}`);
  if (filters.created_from) conditions.push(sql<SqlBool>`created_at >= ${filters.created_from}`);
  if (filters.created_to) conditions.push(sql<SqlBool>`created_at <= ${filters.created_to}`);
  if (filters.tag) conditions.push(sql<SqlBool>`tags @> ARRAY[${filters.tag}::text]`);
  const { saved } = filters;
  if (saved) conditions.push(matchesCriteria(saved.criteria, "shipments", saved.terms));
  if (filters.q) {
    const prefix = `${filters.q.replace(/[\\%_]/g, "\\$&")}%`;
    conditions.push(sql<SqlBool>`(id = ${filters.q} OR ship_code LIKE ${prefix.toUpperCase()}
      OR tracking_code LIKE ${prefix} OR lower(to_address ->> 'name') LIKE ${prefix.toLowerCase()}
      OR lower(order_number) LIKE lower(${prefix}))`);
  }
  return sql<SqlBool>`${sql.join(conditions, sql` AND `)}`;
}

export interface RefundToCheck extends ShipmentRow {
  environment: "live" | "test";
  settings: Record<string, unknown>;
}

/**
 * Takes up to `limit` refunds whose carrier is to be asked, and puts each off by growing pauses (a
 * second at first, an hour at most), so that no two workers ask for the same one at once.
 */
export async function takeRefundsToCheck(db: Database, limit: number): Promise<RefundToCheck[]> {
  const { rows } = await sql<RefundToCheck>`
    WITH due AS (
      SELECT account_id, id FROM shipments
      WHERE refund_status = 'pending' AND refund_check_at <= now()
      ORDER BY refund_check_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE shipments
    SET refund_check_at = now() + least(greatest(now() - refund_requested_at, interval '1 second'), interval '1 hour')
    FROM due, accounts
    WHERE shipments.account_id = due.account_id AND shipments.id = due.id AND accounts.account_id = shipments.account_id
    RETURNING shipments.*, accounts.environment, accounts.settings`.execute(db);
  return rows;
}
