import { sql, type Selectable, type UpdateObject } from "kysely";
import { columnsOf } from "../../database/columns.ts";
import { pipelined } from "../../database/driver/sending.ts";
import { insertOf } from "../../database/insert-of.ts";
import {
  claimByParty,
  type DueAtParties,
  type Places,
} from "../../database/leases/claim-by-party.ts";
import { asTexts, type TextRow } from "../../database/driver/sending.ts";
import { lockedRow } from "../../database/own-row.ts";
import type { Database, ShipmentsTable, Tables, Tx } from "../../database/tables.ts";
import { notFound } from "../../domain/errors/errors.ts";
import {
  shipmentTypes,
  type ShipmentStatus,
  type ShipmentType,
} from "../../domain/shipments/shipment-status.ts";
import { statesBefore } from "../../domain/shipments/shipment-states.ts";
import { liveStatuses } from "./live-status-store.ts";
import { shownColumns } from "./shown-text.ts";

export type ShipmentRow = Selectable<ShipmentsTable>;
export type ShipmentChange = UpdateObject<Tables, "shipments", "shipments">;

/** Along with the next statement. */
export async function insertShipments(tx: Tx, rows: readonly ShipmentRow[]): Promise<void> {
  if (rows.length > 0) await pipelined(insertOf("shipments", rows)).execute(tx);
}

/** Throws 404, the same for a missing shipment and another account's. */
export async function getShipment(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<ShipmentRow> {
  const row = await findShipment(db, accountId, id);
  if (!row) throw notFound();
  return row;
}

/** The same as texts, for `shipmentJson`. */
export async function getShipmentTexts(
  db: Database,
  accountId: string,
  id: string,
): Promise<TextRow> {
  const select = sql`
    SELECT ${shownColumns()} FROM shipments WHERE account_id = ${accountId} AND id = ${id}`;
  const { rows } = await db.executeQuery(asTexts(select).compile(db));
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/** Null for a missing shipment and another account's. */
export async function findShipment(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<ShipmentRow | null> {
  const row = await db
    .selectFrom("shipments")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** The type of the shipment; null when the account has none with that id. */
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

/** As `getShipment`, with the shipment locked until the transaction ends. */
export async function lockShipment(tx: Tx, accountId: string, id: string): Promise<ShipmentRow> {
  return lockedRow(tx, "shipments", { account_id: accountId, id });
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

/** Writes a new state where the table of states, and the revision if one is given, allow it. */
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

/** A label that an operator found at a carrier, and its shipment. */
interface FoundLabel {
  account_id: string;
  shipment_id: string;
  carrier: string;
  tracking_code: string;
}

interface LabelCheck {
  package_count: number;
  is_taken: boolean;
}

/**
 * The facts that its tracking codes are validated against: the number of packages, and whether
 * another live label of the carrier has the code, in whichever account. The settlement checks the latter
 * again, under a lock.
 */
export async function checkLabel(
  db: Database,
  { account_id, shipment_id, carrier, tracking_code }: FoundLabel,
): Promise<LabelCheck> {
  const { rows } = await sql<LabelCheck>`
    SELECT jsonb_array_length(packages) AS package_count, EXISTS (
      SELECT FROM shipments AS other
      WHERE other.tracking_code = ${tracking_code} AND other.carrier = ${carrier}
        AND other.status IN ${liveStatuses}
        AND other.id <> ${shipment_id}) AS is_taken
    FROM shipments AS own
    WHERE own.account_id = ${account_id} AND own.id = ${shipment_id}`.execute(db);
  const [check] = rows;
  if (!check) throw new Error(`shipment ${shipment_id} is gone`);
  return check;
}

export async function deleteDraft(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx
    .deleteFrom("shipments")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .execute();
}

export interface RefundToCheck extends ShipmentRow {
  environment: "live" | "test";
  settings: Record<string, unknown>;
}

const pendingRefunds: DueAtParties = {
  table: "shipments",
  key: ["id"],
  party: "carrier",
  at: "refund_check_at",
  is_listed: "refund_status = 'pending'",
  is_backlog: "refund_status = 'pending'",
};

/**
 * Takes refunds that are to be requested, of each carrier as many as it has slots, and postpones each by
 * growing pauses (a second at first, an hour at most), so that no two workers request the same one at once.
 */
export async function takeRefundsToCheck(db: Database, places: Places): Promise<RefundToCheck[]> {
  return claimByParty<RefundToCheck>(db, pendingRefunds, {
    places,
    is_due: sql`refund_check_at <= now()`,
    take: (due) => sql`
      WITH ${due}
      UPDATE shipments
      SET refund_check_at = now() + least(greatest(now() - refund_requested_at, interval '1 second'), interval '1 hour')
      FROM due, accounts
      WHERE shipments.account_id = due.account_id AND shipments.id = due.id AND accounts.account_id = shipments.account_id
      RETURNING ${columnsOf("shipments")}, accounts.environment, accounts.settings`,
  });
}
