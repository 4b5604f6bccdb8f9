import { sql } from "kysely";
import { expect, vi } from "vitest";
import type { Database } from "../src/database/tables.ts";
import { timeOfId } from "../src/domain/values/ids.ts";
import { verifyLedger } from "../src/ledger/verify.ts";
import { aClient, type ListOf } from "./client.ts";
import type { ClientLog } from "./client-log.ts";
import { bookedShipments, knownBookings } from "./freight-invariants.ts";
import { brokenPromises } from "./client-oracle.ts";

/**
 * Invariants of every platform at rest, whatever was done to it: the ledger verifies, it agrees with
 * the journal of the carriers and the card processor, and all of it with the clients' responses.
 */

/** A line of the simulator's journal: the oracle that shares no state with the platform. */
export interface JournalEntry {
  sequence: number;
  carrier: string;
  operation:
    | "label"
    | "void"
    | "ltl_booking"
    | "ltl_cancel"
    | "charge"
    | "charge_refund"
    | "charge_dispute"
    | "pickup"
    | "pickup_cancel"
    | "manifest";
  reference: string;
  tracking_code: string | null;
  label_id?: string;
  booking_id?: string;
  fee_cents?: number;
  package_tracking_codes?: string[];
  amount_cents?: number;
  /** Of a void: false when the carrier rejected it afterwards, because the label had been used. */
  effective?: boolean;
  charge_reference?: string;
  pickup_id?: string;
  confirmation_number?: string;
  /** Of a manifest. */
  label_ids?: string[];
}

export interface Oracles {
  db: Database;
  simulator_url: string;
  /** The clients' responses, when they kept a log. */
  client_log?: ClientLog;
}

/** The whole journal, oldest first. */
export async function readJournal({
  simulator_url,
}: Pick<Oracles, "simulator_url">): Promise<JournalEntry[]> {
  const client = aClient(simulator_url, "");
  const entries: JournalEntry[] = [];
  for (let cursor: string | number | null = "0"; cursor !== null;) {
    const page: ListOf<JournalEntry> = (
      await client.get<ListOf<JournalEntry>>(`/journal?cursor=${cursor}`)
    ).body;
    entries.push(...page.data);
    cursor = page.meta["next_cursor"] ?? null;
  }
  return entries;
}

/** The labels and bookings that the journal shows under any of these references. */
export function labelsIn(journal: JournalEntry[], references: readonly string[]): JournalEntry[] {
  return journal.filter(
    ({ operation, reference }) =>
      (operation === "label" || operation === "ltl_booking") && references.includes(reference),
  );
}

/** The references of every purchase that was ever attempted for a shipment. */
export async function referencesOf(db: Database, shipmentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("attempts")
    .select("reference")
    .where("subject_id", "=", shipmentId)
    .where("kind", "=", "label_purchase")
    .execute();
  return rows.map(({ reference }) => reference);
}

/**
 * Waits until nothing is under way outside: no open attempt, no money held, no pending refund. A flawed label
 * that was kept is settled; that an operator is told of it opens nothing.
 */
export async function untilAtRest(db: Database, withinSeconds = 30): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ what: string; count: number }>`
        SELECT what, count(*)::int AS count FROM (
          SELECT 'attempt ' || kind || ' ' || status AS what FROM attempts
            WHERE status IN ('sent', 'unknown', 'review') AND NOT (kind = 'label_flaw' AND status = 'review')
          UNION ALL SELECT 'file of ' || carrier FROM pending_files
          UNION ALL SELECT 'hold' FROM holds WHERE status = 'held'
          UNION ALL SELECT 'pickup by ' || carrier FROM pickup_parts
            WHERE status IN ('scheduled', 'cancelling') OR cancel_at < now() + interval '30 seconds'
          UNION ALL SELECT 'manifest' FROM manifest_parts WHERE status = 'creating'
          UNION ALL SELECT 'refund' FROM shipments WHERE refund_status = 'pending'
          UNION ALL SELECT 'shipment ' || status FROM shipments
            WHERE status IN ('purchasing', 'purchase_pending', 'void_pending')
          UNION ALL SELECT 'batch' FROM batches WHERE status = 'processing') AS open
        GROUP BY what`.execute(db);
      expect(rows).toEqual([]);
    },
    { timeout: withinSeconds * 1000, interval: 50 },
  );
}

/** Waits for rest and checks everything. */
export async function assertInvariants(oracles: Oracles, withinSeconds = 30): Promise<void> {
  const { db } = oracles;
  await untilAtRest(db, withinSeconds);
  expect(await verifyLedger(db)).toEqual([]);
  const journal = await readJournal(oracles);
  expect(journal.map(({ sequence }) => sequence)).toEqual(
    journal.map((_entry, index) => index + 1),
  );
  expect(await paidLabels(db)).toEqual(liveLabels(journal));
  const booked = await bookedShipments(db);
  expect(booked).toEqual(knownBookings(journal, booked));
  expect(await toppedUp(db)).toEqual(keptCharges(journal));
  expect(await paidPickups(db)).toEqual(livePickups(journal));
  expect(await handedOver(db)).toEqual(onManifests(journal));
  expect(await outOfOrder(db)).toEqual([]);
  expect(await orphanMemberships(db)).toEqual([]);
  const { client_log } = oracles;
  if (client_log) expect(await brokenPromises(client_log, { db, journal })).toEqual([]);
}

/** Rows whose id was not made when they were: lists in the order of ids would not be by time. */
async function outOfOrder(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; created_at: Date }>`
    SELECT id, created_at FROM shipments UNION ALL SELECT id, created_at FROM orders`.execute(db);
  return rows
    .filter(({ id, created_at }) => timeOfId(id).getTime() !== created_at.getTime())
    .map(({ id }) => id);
}

/** One line for each label that the carrier counts as live, or for each that a shipment shows as paid. */
interface LabelLine {
  reference: string;
  carrier: string;
  tracking_codes: string[];
  carrier_cost_cents: number;
}

function liveLabels(journal: JournalEntry[]): LabelLine[] {
  const voided = new Set(
    journal.filter(({ operation, effective }) => operation === "void" && effective).map(labelId),
  );
  return journal
    .filter((entry) => entry.operation === "label" && !voided.has(labelId(entry)))
    .map(({ reference, carrier, package_tracking_codes, amount_cents }) => ({
      reference,
      carrier,
      tracking_codes: package_tracking_codes ?? [],
      carrier_cost_cents: amount_cents ?? 0,
    }))
    .sort(byReference);
}

function labelId({ label_id }: JournalEntry): string | undefined {
  return label_id;
}

/**
 * Shipments with a live label, each with its codes and the amount that the ledger owes the carrier for
 * it.
 */
async function paidLabels(db: Database): Promise<LabelLine[]> {
  const { rows } = await sql<LabelLine>`
    SELECT s.purchase_reference AS reference, s.carrier,
      ARRAY(SELECT package ->> 'tracking_code' FROM jsonb_array_elements(s.packages) AS package) AS tracking_codes,
      (SELECT sum(e.amount_cents) FROM ledger_transactions t
        JOIN ledger_entries e ON e.account_id = t.account_id AND e.transaction_id = t.id
        WHERE t.account_id = s.account_id AND t.shipment_id = s.id AND e.book = 'carrier_payable')::float
        AS carrier_cost_cents
    FROM shipments s WHERE s.purchased_at IS NOT NULL AND s.voided_at IS NULL AND s.type = 'courier'`.execute(
    db,
  );
  return rows.sort(byReference);
}

interface ChargeLine {
  reference: string;
  amount_cents: number;
}

function keptCharges(journal: JournalEntry[]): ChargeLine[] {
  const refunded = new Map<string, number>();
  for (const { operation, charge_reference = "", amount_cents = 0 } of journal) {
    if (operation !== "charge_refund") continue;
    refunded.set(charge_reference, (refunded.get(charge_reference) ?? 0) + amount_cents);
  }
  return journal
    .filter(({ operation }) => operation === "charge")
    .map(({ reference, amount_cents = 0 }) => ({
      reference,
      amount_cents: amount_cents - (refunded.get(reference) ?? 0),
    }))
    .filter(({ amount_cents }) => amount_cents > 0)
    .sort(byReference);
}

async function toppedUp(db: Database): Promise<ChargeLine[]> {
  const { rows } = await sql<ChargeLine>`
    SELECT details ->> 'reference' AS reference, amount_cents FROM ledger_transactions
    WHERE type = 'top_up'`.execute(db);
  return rows.sort(byReference);
}

/**
 * One line for each driver who is to come, or has come, by the carrier's journal or by pickups and
 * ledger.
 */
interface PickupLine {
  reference: string;
  carrier: string;
  confirmation_number: string;
  carrier_fee_cents: number;
}

function livePickups(journal: JournalEntry[]): PickupLine[] {
  const cancelled = new Set(
    journal
      .filter(({ operation }) => operation === "pickup_cancel")
      .map((entry) => entry.pickup_id),
  );
  return journal
    .filter(({ operation, pickup_id }) => operation === "pickup" && !cancelled.has(pickup_id))
    .map(({ reference, carrier, confirmation_number = "", amount_cents = 0 }) => ({
      reference,
      carrier,
      confirmation_number,
      carrier_fee_cents: amount_cents,
    }))
    .sort(byReference);
}

/**
 * With the amount that the ledger owes the carrier, which has to equal the part's, and so has the
 * payment.
 */
async function paidPickups(db: Database): Promise<PickupLine[]> {
  const { rows } = await sql<PickupLine & { shown: number[]; booked: number[]; status: string }>`
    SELECT p.reference, p.carrier, p.confirmation_number, p.status, p.carrier_fee_cents::float AS carrier_fee_cents,
      ARRAY[p.fee_cents + p.tax_cents, p.carrier_fee_cents]::float[] AS shown,
      ARRAY(SELECT coalesce(sum(e.amount_cents), 0) FROM unnest(ARRAY['postage_revenue,tax_payable', 'carrier_payable'])
        WITH ORDINALITY AS books (names, place)
        LEFT JOIN (ledger_transactions t JOIN ledger_entries e ON e.account_id = t.account_id AND e.transaction_id = t.id)
          ON t.account_id = p.account_id AND t.type = 'fee' AND t.details ->> 'pickup_id' = p.pickup_id
            AND t.details ->> 'carrier' = p.carrier AND e.book = ANY(string_to_array(names, ','))
        GROUP BY place ORDER BY place)::float[] AS booked
    FROM pickup_parts p`.execute(db);
  expect(rows.map(({ booked }) => booked)).toEqual(rows.map(({ shown }) => shown));
  return rows
    .filter(({ status }) => status === "confirmed" || status === "picked_up")
    .map(({ reference, carrier, confirmation_number, carrier_fee_cents }) => ({
      reference,
      carrier,
      confirmation_number,
      carrier_fee_cents,
    }))
    .sort(byReference);
}

/**
 * One line for each manifest that a carrier has under a reference of ours, with its labels; those that take no
 * reference are left out.
 */
interface ManifestLine {
  reference: string;
  tracking_codes: string[];
}

/** By the journal: each label is on one manifest at most. */
function onManifests(journal: JournalEntry[]): ManifestLine[] {
  const codes = new Map(
    journal
      .filter(({ operation }) => operation === "label")
      .map(({ label_id = "", tracking_code }) => [label_id, tracking_code ?? ""]),
  );
  const made = journal.filter(({ operation }) => operation === "manifest");
  const ids = made.flatMap(({ label_ids = [] }) => label_ids);
  expect(ids).toEqual([...new Set(ids)]);
  return made
    .filter(({ reference }) => reference.startsWith("att_"))
    .map(({ reference, label_ids = [] }) => ({
      reference,
      tracking_codes: label_ids.map((id) => codes.get(id) ?? id).sort(),
    }))
    .sort(byReference);
}

/** By the database: what is on a manifest is a member of it, and of no other. */
async function handedOver(db: Database): Promise<ManifestLine[]> {
  const { rows } = await sql<ManifestLine & { shipment_ids: string[]; members: string[] }>`
    SELECT p.reference, p.shipment_ids,
      ARRAY(SELECT s.tracking_code FROM shipments s
        WHERE s.account_id = p.account_id AND s.id = ANY(p.shipment_ids)) AS tracking_codes,
      ARRAY(SELECT m.shipment_id::text FROM manifest_shipments m
        WHERE m.account_id = p.account_id AND m.manifest_id = p.manifest_id AND m.part = p.part) AS members
    FROM manifest_parts p WHERE p.status = 'created' AND p.connection_id IS NULL`.execute(db);
  for (const { shipment_ids, members } of rows)
    expect(members.toSorted()).toEqual(shipment_ids.toSorted());
  return rows
    .map(({ reference, tracking_codes }) => ({
      reference,
      tracking_codes: tracking_codes.toSorted(),
    }))
    .sort(byReference);
}

/**
 * A shipment and its pickup's part agree on which pickup it is in, while the driver is to come or was
 * there.
 */
async function orphanMemberships(db: Database): Promise<object[]> {
  const { rows } = await sql<object>`
    SELECT coalesce(s.id, m.shipment_id) AS shipment_id, s.pickup_id AS said_by_shipment, m.pickup_id AS said_by_pickup
    FROM (SELECT account_id, id, pickup_id FROM shipments WHERE pickup_id IS NOT NULL) AS s
    FULL JOIN (
      SELECT part.account_id, part.pickup_id, unnest(part.shipment_ids) AS shipment_id FROM pickup_parts part
      JOIN pickups p ON p.account_id = part.account_id AND p.id = part.pickup_id
      WHERE part.status IN ('scheduled', 'confirmed', 'cancelling', 'picked_up')
        -- What nobody came for may be in another pickup by now.
        AND p.date >= to_char(now() AT TIME ZONE 'America/Toronto', 'YYYY-MM-DD')) AS m
      ON m.account_id = s.account_id AND m.shipment_id = s.id AND m.pickup_id = s.pickup_id
    WHERE s.id IS NULL OR m.shipment_id IS NULL`.execute(db);
  return rows;
}

function byReference(a: { reference: string }, b: { reference: string }): number {
  return a.reference < b.reference ? -1 : 1;
}
