import { sql, type Selectable, type SqlBool } from "kysely";
import type { Database, ShipmentsTable, Tx } from "../../database/tables.ts";
import { openPartStatuses } from "../../domain/pickups/pickup-states.ts";
import type { PartKey, PartRow } from "./store.ts";

/**
 * The SQL of the shipments that wait for a pickup: which may be picked up, which part each is in, and how
 * they leave it. A transaction that changes both locks the pickup first.
 */

export type PickableShipment = Selectable<ShipmentsTable>;

/** Those that exist in the account, in no order. */
export async function findShipments(
  db: Database | Tx,
  accountId: string,
  ids: readonly string[],
): Promise<PickableShipment[]> {
  return selectShipments(db, accountId, ids).execute();
}

/** The same, locked until the transaction ends. */
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

/** Those that have a live label of the carrier with one of these codes, the first package's each. */
export async function findByCodes(
  db: Database | Tx,
  accountId: string,
  { carrier, tracking_codes }: { carrier: string; tracking_codes: readonly string[] },
): Promise<PickableShipment[]> {
  return db
    .selectFrom("shipments")
    .selectAll()
    .where("account_id", "=", accountId)
    .where(sql<SqlBool>`tracking_code = ANY(${tracking_codes}::text[])`)
    .where("carrier", "=", carrier)
    .where("voided_at", "is", null)
    .orderBy("id")
    .execute();
}

/** The open parts that some of these shipments are in, with the pickup's day and location. */
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

/**
 * The newest labelled parcels that no carrier has yet. Those that an open pickup has come with its day and
 * location, by which the caller finds out whether it still may come; not those of earlier days than `today`.
 */
export async function findWaiting(
  db: Database,
  accountId: string,
  { today, limit }: { today: string; limit: number },
) {
  return db
    .selectFrom("shipments")
    .leftJoin("pickups", (join) =>
      join
        .onRef("pickups.account_id", "=", "shipments.account_id")
        .onRef("pickups.id", "=", "shipments.pickup_id"),
    )
    .leftJoin("pickup_parts", (join) =>
      join
        .onRef("pickup_parts.account_id", "=", "pickups.account_id")
        .onRef("pickup_parts.pickup_id", "=", "pickups.id")
        .onRef("pickup_parts.carrier", "=", "shipments.carrier"),
    )
    .select(["shipments.id", "shipments.carrier", "shipments.service", "shipments.from_address"])
    .select(["shipments.packages", "shipments.connection_id"])
    .select("pickup_parts.status as part_status")
    .select(["pickups.date as pickup_date", "pickups.address as pickup_address"])
    .where("shipments.account_id", "=", accountId)
    .where("shipments.status", "=", "purchased")
    .where("shipments.type", "=", "courier")
    .where((eb) =>
      eb.or([
        eb("pickup_parts.status", "is", null),
        eb("pickup_parts.status", "not in", openPartStatuses),
        eb("pickups.date", "<", today),
      ]),
    )
    .orderBy("shipments.id", "desc")
    .limit(limit)
    .execute();
}

/** The pickup that the shipment's own row names; null for none. */
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

/** Whether the carrier has collected parcels of the part already. */
export async function isMoving(tx: Tx, { account_id, shipment_ids }: PartRow): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM shipments WHERE account_id = ${account_id} AND id = ANY(${shipment_ids}::text[])
      AND status IN ('in_transit', 'delivered', 'exception', 'returned') LIMIT 1`.execute(tx);
  return rows.length > 0;
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

/**
 * Removes a shipment from its part, if that is open. A confirmed part without any shipment left is to be
 * cancelled now; one with an unknown outcome, once it is confirmed.
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
