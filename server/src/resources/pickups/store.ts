import { sql, type Selectable, type SqlBool, type UpdateObject } from "kysely";
import type {
  Database,
  Environment,
  PickupPartsTable,
  PickupsTable,
  ShipmentsTable,
  Tables,
  Tx,
} from "../../database/tables.ts";
import { notFound } from "../../domain/errors.ts";
import {
  openPartStatuses,
  partStatesBefore,
  type PartStatus,
  type PickupStatus,
} from "../../domain/pickup-states.ts";
import { onPage, type Page } from "../../http/paging.ts";

/**
 * The SQL of pickups. Whoever changes a pickup and its shipments locks the pickup first, so that no two
 * wait for each other.
 */

export type PickupRow = Selectable<PickupsTable>;
export type PartRow = Selectable<PickupPartsTable>;
/** A pickup with its parts, in the order of their carriers' codes. */
export interface WholePickup extends PickupRow {
  parts: PartRow[];
}
export type PickableShipment = Selectable<ShipmentsTable>;

interface PickupKey {
  account_id: string;
  pickup_id: string;
}
export interface PartKey extends PickupKey {
  carrier: string;
}

/** Those of the account that there are, in no order. */
export async function findShipments(
  db: Database | Tx,
  accountId: string,
  ids: readonly string[],
): Promise<PickableShipment[]> {
  return selectShipments(db, accountId, ids).execute();
}

/** The same, and nobody else changes them until the transaction ends. */
export async function lockShipments(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<PickableShipment[]> {
  return selectShipments(tx, accountId, ids).orderBy("id").forUpdate().execute();
}

function selectShipments(db: Database | Tx, accountId: string, ids: readonly string[]) {
  return db
    .selectFrom("shipments")
    .selectAll()
    .where("account_id", "=", accountId)
    .where(sql<SqlBool>`id = ANY(${ids}::text[])`);
}

/** The open parts that some of these shipments are in, with the pickup's day and place. */
export async function findOpenParts(tx: Database | Tx, accountId: string, ids: readonly string[]) {
  return tx
    .selectFrom("shipments")
    .innerJoin("pickups", (join) =>
      join
        .onRef("pickups.account_id", "=", "shipments.account_id")
        .onRef("pickups.id", "=", "shipments.pickup_id"),
    )
    .innerJoin("pickup_parts", (join) =>
      join
        .onRef("pickup_parts.account_id", "=", "pickups.account_id")
        .onRef("pickup_parts.pickup_id", "=", "pickups.id")
        .onRef("pickup_parts.carrier", "=", "shipments.carrier"),
    )
    .select(["shipments.id as shipment_id", "pickups.id", "pickups.date", "pickups.address"])
    .where("shipments.account_id", "=", accountId)
    .where(sql<SqlBool>`shipments.id = ANY(${ids}::text[])`)
    .where("pickup_parts.status", "in", openPartStatuses)
    .execute();
}

/** Writes a new pickup with its parts, and puts its shipments into it. */
export async function insertPickup(tx: Tx, { parts, ...row }: WholePickup): Promise<void> {
  const asJson = (value: unknown) => JSON.stringify([value].flat());
  await sql`INSERT INTO pickups SELECT * FROM jsonb_populate_recordset(NULL::pickups, ${asJson(row)}::jsonb)`.execute(
    tx,
  );
  await sql`INSERT INTO pickup_parts SELECT * FROM jsonb_populate_recordset(NULL::pickup_parts, ${asJson(parts)}::jsonb)`.execute(
    tx,
  );
  await sql`
    UPDATE shipments SET pickup_id = ${row.id}, updated_at = ${row.created_at}
    WHERE account_id = ${row.account_id} AND id = ANY(${row.shipment_ids}::text[])`.execute(tx);
}

/** Throws 404, the same for a missing pickup and another account's. */
export async function getPickup(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<WholePickup> {
  const row = await db
    .selectFrom("pickups")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return (await withParts(db, accountId, [row]))[0]!;
}

/** The same, and nobody else changes it or its parts until the transaction ends. */
export async function lockPickup(tx: Tx, accountId: string, id: string): Promise<WholePickup> {
  const row = await tx
    .selectFrom("pickups")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return (await withParts(tx, accountId, [row]))[0]!;
}

async function withParts(
  db: Database | Tx,
  accountId: string,
  rows: PickupRow[],
): Promise<WholePickup[]> {
  const parts = await db
    .selectFrom("pickup_parts")
    .selectAll()
    .where("account_id", "=", accountId)
    .where(sql<SqlBool>`pickup_id = ANY(${rows.map(({ id }) => id)}::text[])`)
    .orderBy("carrier")
    .execute();
  return rows.map((row) => ({
    ...row,
    parts: parts.filter(({ pickup_id }) => pickup_id === row.id),
  }));
}

/**
 * Moves a part to another state, if the table of states allows it from where it is. Throws when it does
 * not: whoever holds the pickup's lock has seen where it is.
 */
export async function movePart(
  tx: Tx,
  { account_id, pickup_id, carrier }: PartKey,
  change: UpdateObject<Tables, "pickup_parts", "pickup_parts"> & { status: PartStatus },
): Promise<PartRow> {
  return tx
    .updateTable("pickup_parts")
    .set(change)
    .where("account_id", "=", account_id)
    .where("pickup_id", "=", pickup_id)
    .where("carrier", "=", carrier)
    .where("status", "in", partStatesBefore(change.status))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The carrier is to be called off in so many seconds, or, with null, not any more. */
export async function callOffIn(
  tx: Tx,
  { account_id, pickup_id, carrier }: PartKey,
  seconds: number | null,
): Promise<void> {
  await sql`
    UPDATE pickup_parts SET cancel_at = now() + make_interval(secs => ${seconds}::int)
    WHERE account_id = ${account_id} AND pickup_id = ${pickup_id} AND carrier = ${carrier}`.execute(
    tx,
  );
}

export async function changePickup(
  tx: Tx,
  { account_id, id }: PickupRow,
  change: { status: PickupStatus; updated_at: Date; cancelled_at?: Date },
): Promise<void> {
  await tx
    .updateTable("pickups")
    .set(change)
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

/** The part's shipments are in no pickup any more; those that are in another one by now stay there. */
export async function freeShipments(
  tx: Tx,
  { account_id, pickup_id, shipment_ids }: PartRow,
  now: Date,
): Promise<void> {
  await sql`
    UPDATE shipments SET pickup_id = NULL, updated_at = ${now}
    WHERE account_id = ${account_id} AND id = ANY(${shipment_ids}::text[]) AND pickup_id = ${pickup_id}`.execute(
    tx,
  );
}

/** Whether the carrier has parcels of the part already. */
export async function isMoving(tx: Tx, { account_id, shipment_ids }: PartRow): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM shipments WHERE account_id = ${account_id} AND id = ANY(${shipment_ids}::text[])
      AND status IN ('in_transit', 'delivered', 'exception', 'returned') LIMIT 1`.execute(tx);
  return rows.length > 0;
}

/** The pickup that the shipment is in, by the shipment's own word; null for none. */
export async function findPickupOf(
  tx: Tx,
  shipment: { account_id: string; id: string },
): Promise<string | null> {
  const row = await tx
    .selectFrom("shipments")
    .select("pickup_id")
    .where("account_id", "=", shipment.account_id)
    .where("id", "=", shipment.id)
    .executeTakeFirst();
  return row?.pickup_id ?? null;
}

/**
 * Takes a shipment out of its part, if that is open. A confirmed part that is left without any is to be
 * called off now; what is still unheard is, once it is confirmed.
 */
export async function takeOut(
  tx: Tx,
  part: PartKey,
  shipment: { id: string; package_count: number; weight_grams: number; at: Date },
): Promise<void> {
  await sql`
    UPDATE pickup_parts
    SET shipment_ids = array_remove(shipment_ids, ${shipment.id}), package_count = package_count - ${shipment.package_count},
      weight_grams = weight_grams - ${shipment.weight_grams},
      cancel_at = CASE WHEN status = 'confirmed' AND cardinality(shipment_ids) = 1 THEN now() END
    WHERE account_id = ${part.account_id} AND pickup_id = ${part.pickup_id} AND carrier = ${part.carrier}
      AND ${shipment.id} = ANY(shipment_ids) AND status = ANY(${openPartStatuses}::text[])`.execute(
    tx,
  );
  await sql`
    UPDATE pickups SET shipment_ids = array_remove(shipment_ids, ${shipment.id}), updated_at = ${shipment.at}
    WHERE account_id = ${part.account_id} AND id = ${part.pickup_id}`.execute(tx);
  await sql`
    UPDATE shipments SET pickup_id = NULL
    WHERE account_id = ${part.account_id} AND id = ${shipment.id} AND pickup_id = ${part.pickup_id}`.execute(
    tx,
  );
}

export interface PartToCancel extends PartKey {
  environment: Environment;
}

/** Takes up to `limit` parts that are to be called off, and puts each off by a minute, should we die. */
export async function takePartsToCancel(db: Database, limit: number): Promise<PartToCancel[]> {
  const { rows } = await sql<PartToCancel>`
    WITH due AS (
      SELECT account_id, pickup_id, carrier FROM pickup_parts
      WHERE cancel_at <= now() ORDER BY cancel_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE pickup_parts AS part SET cancel_at = now() + interval '1 minute'
    FROM due, accounts
    WHERE part.account_id = due.account_id AND part.pickup_id = due.pickup_id AND part.carrier = due.carrier
      AND accounts.account_id = part.account_id
    RETURNING part.account_id, part.pickup_id, part.carrier, accounts.environment`.execute(db);
  return rows;
}

export interface PickupFilters {
  status?: readonly string[];
}

/** One page, newest first: ids are made in the order of time. */
export async function listPickups(
  db: Database,
  { account_id, filters, page }: { account_id: string; filters: PickupFilters; page: Page },
): Promise<WholePickup[]> {
  const select = db
    .selectFrom("pickups")
    .selectAll()
    .where("account_id", "=", account_id)
    .where(matching(filters));
  return withParts(db, account_id, await onPage(select, page, "id").execute());
}

export async function countPickups(
  db: Database,
  accountId: string,
  filters: PickupFilters,
): Promise<number> {
  const { total } = await db
    .selectFrom("pickups")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .where(matching(filters))
    .executeTakeFirstOrThrow();
  return total;
}

function matching({ status }: PickupFilters) {
  return status ? sql<SqlBool>`status = ANY(${status}::text[])` : sql<SqlBool>`true`;
}
