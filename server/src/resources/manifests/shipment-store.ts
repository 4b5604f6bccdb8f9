import { sql, type Selectable, type SqlBool } from "kysely";
import type { Database, ShipmentsTable, Tx } from "../../database/tables.ts";
import type { ShipmentStatus } from "../../domain/shipments/shipment-status.ts";

/** The SQL of the shipments that a manifest may have: which there are, and which are on one already. */

const columns = [
  "account_id",
  "id",
  "type",
  "status",
  "carrier",
  "connection_id",
  "from_address",
  "purchase_reference",
  "carrier_label_id",
  "tracking_code",
  "carrier_data",
] as const;
/** Of a shipment what its manifest needs: a day's are many. */
export type HandedShipment = Pick<Selectable<ShipmentsTable>, (typeof columns)[number]>;

/** With a label that can be handed over. What was delivered was handed over without one. */
const openStatuses = [
  "purchased",
  "in_transit",
  "exception",
  "returned",
] as const satisfies ShipmentStatus[];

/** Those that exist in the account, in no order. */
export async function findShipments(
  db: Database | Tx,
  accountId: string,
  ids: readonly string[],
): Promise<HandedShipment[]> {
  return selectShipments(db, accountId)
    .where(sql<SqlBool>`id = ANY(${ids}::text[])`)
    .execute();
}

/** The same, locked until the transaction ends. */
export async function lockShipments(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<HandedShipment[]> {
  return selectShipments(tx, accountId)
    .where(sql<SqlBool>`id = ANY(${ids}::text[])`)
    .orderBy("id")
    .forUpdate()
    .execute();
}

/** The carrier's labels that were bought on this day, by the account's time zone, and are on no manifest. */
export async function findOfDay(
  db: Database,
  { account_id, ...of }: { account_id: string; carrier: string; date: string; limit: number },
): Promise<HandedShipment[]> {
  const startOf = (days: number) => sql<Date>`(
    SELECT (${of.date}::date + ${days}::int)::timestamp AT TIME ZONE time_zone
    FROM accounts WHERE account_id = ${account_id})`;
  return selectOpen(db, account_id, of.carrier)
    .where("purchased_at", ">=", startOf(0))
    .where("purchased_at", "<", startOf(1))
    .orderBy("id")
    .limit(of.limit)
    .execute();
}

/** The account's labels under this connection that are on no manifest and that the carrier has not scanned. */
export async function findOnConnection(
  db: Database,
  { account_id, ...of }: { account_id: string; carrier: string; connection_id: string | null },
  limit: number,
): Promise<HandedShipment[]> {
  return selectOpen(db, account_id, of.carrier)
    .where("status", "=", "purchased")
    .where("connection_id", "is not distinct from", of.connection_id)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Whether other accounts have labels under this connection that may still be open. */
export async function hasLabelsOfOthers(
  db: Database,
  { account_id, connection_id }: { account_id: string; connection_id: string },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM shipments
    WHERE connection_id = ${connection_id} AND account_id <> ${account_id} AND status = 'purchased'
      AND purchased_at > now() - interval '2 days'
      AND NOT EXISTS (
        SELECT FROM manifest_shipments AS member
        WHERE member.account_id = shipments.account_id AND member.shipment_id = shipments.id)
    LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Which of these are on a manifest, or about to be. */
export async function findMembers(
  db: Database | Tx,
  accountId: string,
  ids: readonly string[],
): Promise<{ shipment_id: string; manifest_id: string }[]> {
  return db
    .selectFrom("manifest_shipments")
    .select(["shipment_id", "manifest_id"])
    .where("account_id", "=", accountId)
    .where(sql<SqlBool>`shipment_id = ANY(${ids}::text[])`)
    .orderBy("shipment_id")
    .execute();
}

function selectShipments(db: Database | Tx, accountId: string) {
  return db.selectFrom("shipments").select(columns).where("account_id", "=", accountId);
}

function selectOpen(db: Database, accountId: string, carrier: string) {
  return selectShipments(db, accountId)
    .where("status", "in", openStatuses)
    .where("type", "=", "courier")
    .where("carrier", "=", carrier)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("manifest_shipments as member")
            .select("member.shipment_id")
            .where("member.account_id", "=", accountId)
            .whereRef("member.shipment_id", "=", "shipments.id"),
        ),
      ),
    );
}
