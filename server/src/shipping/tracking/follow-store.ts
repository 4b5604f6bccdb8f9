import { sql, type Insertable, type Updateable } from "kysely";
import type { CarrierData } from "../../carriers/carrier.ts";
import { columnsOf } from "../../database/columns.ts";
import { pipelined } from "../../database/driver/sending.ts";
import { claimByParty, type DueAtParties } from "../../database/leases/claim-by-party.ts";
import {
  json,
  type Database,
  type TrackersTable,
  type TrackingEventsTable,
  type Tx,
} from "../../database/tables.ts";
import type {
  ShipmentStatus,
  ShipmentType,
  TrackingStatus,
} from "../../domain/shipments/shipment-status.ts";
import type { TrackerRow } from "./store.ts";

/** The SQL of polling. All times are the database's, so that no process's clock matters. */

/** A parcel to be tracked; `look_in_seconds` null: the carrier is never polled. */
type NewTracker = Omit<Insertable<TrackersTable>, "look_at"> & {
  look_in_seconds: number | null;
};

/** Any number of them, along with the statement after them; what is tracked already stays unchanged. */
export async function insertTrackers(tx: Tx, trackers: readonly NewTracker[]): Promise<void> {
  await pipelined(sql`
    INSERT INTO trackers (account_id, id, shipment_id, carrier, tracking_code, status, created_at, look_at)
    SELECT account_id, id, shipment_id, carrier, tracking_code, status, created_at,
      now() + make_interval(secs => look_in_seconds)
    FROM jsonb_to_recordset(${json(trackers)}::jsonb) AS each (account_id text, id text, shipment_id text,
      carrier text, tracking_code text, status text, created_at timestamptz, look_in_seconds float8)
    ON CONFLICT (account_id, shipment_id, tracking_code) WHERE shipment_id IS NOT NULL DO NOTHING`).execute(
    tx,
  );
}

export interface DueTracker extends TrackerRow {
  environment: "live" | "test";
  shipment_type: ShipmentType;
  shipment_status: ShipmentStatus;
  refund_status: string | null;
  pro_number: string | null;
  /** The connection that its label was bought on. */
  connection_id: string | null;
  carrier_data: CarrierData | null;
  /** How long ago it was due, and how long ago the carrier last had news of it. */
  late_seconds: number;
  quiet_seconds: number;
}

const followed: DueAtParties = {
  table: "trackers",
  key: ["id"],
  party: "carrier",
  at: "look_at",
  is_listed: "look_at IS NOT NULL",
  is_backlog: "look_at IS NOT NULL",
};

/**
 * Takes up to `limit` due parcels of a carrier, round-robin over its accounts and longest due first, and
 * postpones each by the lease: no two workers poll the same one at once, and those of a dead worker are due
 * again after it.
 */
export async function takeDue(
  db: Database,
  carrier: string,
  { limit, lease_seconds }: { limit: number; lease_seconds: number },
): Promise<DueTracker[]> {
  return claimByParty<DueTracker>(db, followed, {
    places: { others: limit, of: {} },
    only: carrier,
    is_due: sql`look_at <= now()`,
    take: (due) => sql`
      WITH ${due}
      UPDATE trackers SET look_at = now() + ${lease_seconds} * interval '1 second'
      FROM due, accounts, shipments
      WHERE trackers.account_id = due.account_id AND trackers.id = due.id
        AND accounts.account_id = trackers.account_id
        AND shipments.account_id = trackers.account_id AND shipments.id = trackers.shipment_id
      RETURNING ${columnsOf("trackers")}, accounts.environment, shipments.type AS shipment_type,
        shipments.status AS shipment_status, shipments.refund_status, shipments.pro_number, shipments.carrier_data,
        shipments.connection_id,
        extract(epoch FROM now() - due.look_at)::float8 AS late_seconds,
        extract(epoch FROM now() - trackers.changed_at)::float8 AS quiet_seconds`,
  });
}

export interface NextPoll {
  account_id: string;
  id: string;
  failure_count: number;
  /** Null when there is nothing more to poll. */
  look_in_seconds: number | null;
}

/** Schedules the next poll of each of these. */
export async function schedule(db: Database, looks: readonly NextPoll[]): Promise<void> {
  if (looks.length === 0) return;
  await sql`
    UPDATE trackers SET look_at = now() + look_in_seconds * interval '1 second', failure_count = next.failure_count
    FROM jsonb_to_recordset(${JSON.stringify(looks)}::jsonb)
      AS next (account_id text, id text, failure_count integer, look_in_seconds float8)
    WHERE trackers.account_id = next.account_id AND trackers.id = next.id`.execute(db);
}

/** The number of these scans that are new. */
export async function addEvents(
  tx: Tx,
  events: readonly Insertable<TrackingEventsTable>[],
): Promise<number> {
  if (events.length === 0) return 0;
  const added = await tx
    .insertInto("tracking_events")
    .values([...events])
    .onConflict((conflict) => conflict.doNothing())
    .returning("tracker_id")
    .execute();
  return added.length;
}

/** `changed_at` is set: there was news. */
export async function changeTracker(
  tx: Tx,
  { account_id, id }: Pick<TrackerRow, "account_id" | "id">,
  change: Updateable<TrackersTable>,
): Promise<void> {
  await tx
    .updateTable("trackers")
    .set({ ...change, changed_at: sql<Date>`now()` })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

/** Parcels not scanned yet change from one such status to another. */
export async function restateUnscanned(
  tx: Tx,
  { account_id, id }: { account_id: string; id: string },
  { from, to }: { from: TrackingStatus; to: TrackingStatus },
): Promise<void> {
  await tx
    .updateTable("trackers")
    .set({ status: to, changed_at: sql<Date>`now()` })
    .where("account_id", "=", account_id)
    .where("shipment_id", "=", id)
    // Not "=", for which the planner might take the index by status, and with it all parcels not scanned yet.
    .where("status", "is not distinct from", from)
    .execute();
}

/** The status of each package of a shipment. */
export async function listStatuses(
  tx: Tx,
  { account_id, id }: { account_id: string; id: string },
): Promise<{ status: TrackingStatus; delivered_at: Date | null }[]> {
  return tx
    .selectFrom("trackers")
    .select(["status", "delivered_at"])
    .where("account_id", "=", account_id)
    .where("shipment_id", "=", id)
    .execute();
}
