import { sql } from "kysely";
import type { Database, Tx } from "../../database/tables.ts";
import { unfinishedBatch, type BatchStatus } from "../../domain/batches/batch-states.ts";

/** The SQL of the shipments in a batch: by sets, since there may be ten thousand. */

export interface Member {
  id: string;
  batch_id: string | null;
}

/**
 * Those of these shipments that exist, locked until the transaction ends; in the order of their ids, so that
 * transactions with overlapping sets wait and never deadlock.
 */
export async function lockShipments(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Member[]> {
  const { rows } = await sql<Member>`
    SELECT id, batch_id FROM shipments
    WHERE account_id = ${accountId} AND id = ANY(${ids}::text[]) ORDER BY id FOR NO KEY UPDATE`.execute(
    tx,
  );
  return rows;
}

/** The ids of those of these shipments that exist. */
export async function listExisting(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom("shipments")
    .select("id")
    .where("account_id", "=", accountId)
    .where(sql<boolean>`id = ANY(${ids}::text[])`)
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of these batches whose work is still to come or in progress. */
export async function listUnfinished(
  tx: Tx,
  accountId: string,
  batchIds: readonly string[],
): Promise<{ id: string; status: BatchStatus }[]> {
  return tx
    .selectFrom("batches")
    .select(["id", "status"])
    .where("account_id", "=", accountId)
    .where(sql<boolean>`id = ANY(${batchIds}::text[])`)
    .where("status", "in", unfinishedBatch)
    .execute();
}

/** Shipments that are in one batch, or about to be. */
export interface Members {
  account_id: string;
  batch_id: string;
  shipment_ids: readonly string[];
}

/** Adds items after position `after`, in the order given, and records the batch with the shipments. */
export async function addMembers(
  tx: Tx,
  members: Members,
  { after, now }: { after: number; now: Date },
): Promise<void> {
  const { account_id, batch_id, shipment_ids } = members;
  await sql`
    UPDATE shipments SET batch_id = ${batch_id}, updated_at = ${now}
    WHERE account_id = ${account_id} AND id = ANY(${shipment_ids}::text[])`.execute(tx);
  await insertItems(tx, members, after);
}

/** Adds items after position `after`, in the order given; their shipments have the batch already. */
export async function insertItems(
  tx: Tx,
  { account_id, batch_id, shipment_ids }: Members,
  after: number,
): Promise<void> {
  await sql`
    INSERT INTO batch_items (account_id, batch_id, shipment_id, place)
    SELECT ${account_id}, ${batch_id}, id, ${after} + place
    FROM unnest(${shipment_ids}::text[]) WITH ORDINALITY AS each (id, place)`.execute(tx);
}

/** Removes items, and the batch from the shipments that are still in it. */
export async function removeMembers(
  tx: Tx,
  { account_id, batch_id, shipment_ids }: Members,
  now: Date,
): Promise<void> {
  await sql`
    WITH own AS (
      SELECT id FROM shipments
      WHERE account_id = ${account_id} AND id = ANY(${shipment_ids}::text[]) AND batch_id = ${batch_id}
      ORDER BY id FOR NO KEY UPDATE)
    UPDATE shipments SET batch_id = NULL, updated_at = ${now}
    FROM own WHERE shipments.account_id = ${account_id} AND shipments.id = own.id`.execute(tx);
  await sql`
    DELETE FROM batch_items
    WHERE account_id = ${account_id} AND batch_id = ${batch_id}
      AND shipment_id = ANY(${shipment_ids}::text[])`.execute(tx);
}

/** The position of the batch's last item; 0 when it has none. */
export async function lastPlace(tx: Tx, accountId: string, batchId: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    SELECT coalesce(max(place), 0) AS last FROM batch_items
    WHERE account_id = ${accountId} AND batch_id = ${batchId}`.execute(tx);
  return rows[0]!.last;
}
