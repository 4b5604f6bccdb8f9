import { sql, type Selectable, type SqlBool, type UpdateObject } from "kysely";
import {
  claimByParty,
  type DueAtParties,
  type Places,
} from "../../database/leases/claim-by-party.ts";
import { insertOf } from "../../database/insert-of.ts";
import { lockedRow, ownRow } from "../../database/own-row.ts";
import type {
  Database,
  Environment,
  PickupPartsTable,
  PickupsTable,
  Tables,
  Tx,
} from "../../database/tables.ts";
import {
  partStatesBefore,
  type PartStatus,
  type PickupStatus,
} from "../../domain/pickups/pickup-states.ts";
import { onPage, type Page } from "../../http/paging.ts";

/** The SQL of pickups. A transaction that changes a pickup and its shipments locks the pickup first. */

export type PickupRow = Selectable<PickupsTable>;
export type PartRow = Selectable<PickupPartsTable>;
/** A pickup with its parts, in the order of their carriers' codes. */
export interface WholePickup extends PickupRow {
  parts: PartRow[];
}

interface PickupKey {
  account_id: string;
  pickup_id: string;
}
export interface PartKey extends PickupKey {
  carrier: string;
}

/** The fields of a part that only its carrier's response fills. */
export const unanswered = {
  status: "scheduled",
  reference: null,
  carrier_pickup_id: null,
  confirmation_number: null,
  fee_cents: 0,
  tax_cents: 0,
  carrier_fee_cents: 0,
  error: null,
  cancel_at: null,
  connection_id: null,
  carrier_data: null,
  shared: false,
} as const satisfies Partial<PartRow>;

/** Writes a new pickup with its parts, and puts its shipments into it. */
export async function insertPickup(tx: Tx, { parts, ...row }: WholePickup): Promise<void> {
  await insertRow(tx, row);
  await insertParts(tx, row, { parts, at: row.created_at });
}

/** The pickup, locked as by `lockPickup`; created here, without parts, where it did not exist. */
export async function openPickup(tx: Tx, row: PickupRow): Promise<WholePickup> {
  await insertRow(tx, row);
  return lockPickup(tx, row.account_id, row.id);
}

/** Writes one more part of a locked pickup, and puts its shipments into that. */
export async function addPart(tx: Tx, part: PartRow, at: Date): Promise<WholePickup> {
  const { account_id, pickup_id, shipment_ids } = part;
  await insertParts(tx, { account_id, id: pickup_id }, { parts: [part], at });
  await sql`
    UPDATE pickups SET shipment_ids = shipment_ids || ${shipment_ids}::text[]
    WHERE account_id = ${account_id} AND id = ${pickup_id}`.execute(tx);
  return getPickup(tx, account_id, pickup_id);
}

async function insertRow(tx: Tx, row: PickupRow): Promise<void> {
  await sql`
    ${insertOf("pickups", [row])}
    ON CONFLICT (account_id, id) DO NOTHING`.execute(tx);
}

async function insertParts(
  tx: Tx,
  { account_id, id }: Pick<PickupRow, "account_id" | "id">,
  { parts, at }: { parts: readonly PartRow[]; at: Date },
): Promise<void> {
  if (parts.length > 0) await insertOf("pickup_parts", parts).execute(tx);
  const ids = parts.flatMap(({ shipment_ids }) => shipment_ids);
  await sql`
    UPDATE shipments SET pickup_id = ${id}, updated_at = ${at}
    WHERE account_id = ${account_id} AND id = ANY(${ids}::text[])`.execute(tx);
}

/** Throws 404, the same for a missing pickup and another account's. */
export async function getPickup(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<WholePickup> {
  const row = await ownRow(db, "pickups", { account_id: accountId, id });
  return (await withParts(db, accountId, [row]))[0]!;
}

/** The same, with the pickup and its parts locked until the transaction ends. */
export async function lockPickup(tx: Tx, accountId: string, id: string): Promise<WholePickup> {
  const row = await lockedRow(tx, "pickups", { account_id: accountId, id });
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

/** The part of a pickup that belongs to this carrier; null where there is none. */
export async function findPart(
  db: Database,
  { account_id, pickup_id, carrier }: PartKey,
): Promise<PartRow | null> {
  const row = await db
    .selectFrom("pickup_parts")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("pickup_id", "=", pickup_id)
    .where("carrier", "=", carrier)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Moves a part to another state, if the table of states allows it from its current one. Throws when it does
 * not: the holder of the pickup's lock has read the current state.
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

/** The carrier is to be cancelled in so many seconds, or, with null, not any more. */
export async function cancelIn(
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

export interface PartToCancel extends PartKey {
  environment: Environment;
}

const partsToCancel: DueAtParties = {
  table: "pickup_parts",
  key: ["pickup_id", "carrier"],
  party: "carrier",
  at: "cancel_at",
  is_listed: "cancel_at IS NOT NULL",
  is_backlog: "cancel_at IS NOT NULL",
};

/**
 * Takes parts that are to be cancelled, of each carrier as many as it has slots, and postpones each by a
 * minute in case this process dies.
 */
export async function takePartsToCancel(db: Database, places: Places): Promise<PartToCancel[]> {
  return claimByParty<PartToCancel>(db, partsToCancel, {
    places,
    is_due: sql`cancel_at <= now()`,
    take: (due) => sql`
      WITH ${due}
      UPDATE pickup_parts AS part SET cancel_at = now() + interval '1 minute'
      FROM due, accounts
      WHERE part.account_id = due.account_id AND part.pickup_id = due.pickup_id AND part.carrier = due.carrier
        AND accounts.account_id = part.account_id
      RETURNING part.account_id, part.pickup_id, part.carrier, accounts.environment`,
  });
}

interface PickupFilters {
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
