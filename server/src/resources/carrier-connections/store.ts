import { sql, type Insertable, type Updateable } from "kysely";
import { countUpTo } from "../../database/count-up-to.ts";
import { lockedRow, ownRow } from "../../database/own-row.ts";
import type { CarrierConnectionsTable, Database, Tx } from "../../database/tables.ts";
import { platformAccountId } from "../../domain/accounts/connection-status.ts";
import { onPage, type Page } from "../../http/paging.ts";
import type { ConnectionRow } from "../../shipping/connections/store.ts";

/** The SQL that changes and lists connections. */

type Key = Pick<ConnectionRow, "account_id" | "id">;

interface ConnectionFilters {
  account_id: string;
  carrier?: string | undefined;
  environment?: "live" | "test" | undefined;
  is_default?: true | undefined;
}

export async function listConnections(
  db: Database,
  filters: ConnectionFilters,
  page: Page,
): Promise<ConnectionRow[]> {
  return onPage(matching(db, filters).selectAll(), page, "id").execute();
}

/** At most `most`. */
export async function countConnections(
  db: Database | Tx,
  filters: ConnectionFilters,
  most: number,
): Promise<number> {
  return countUpTo(db, matching(db, filters), most);
}

function matching(
  db: Database | Tx,
  { account_id, carrier, environment, is_default }: ConnectionFilters,
) {
  return db
    .selectFrom("carrier_connections")
    .where("account_id", "=", account_id)
    .$if(carrier !== undefined, (all) => all.where("carrier", "=", carrier!))
    .$if(environment !== undefined, (all) => all.where("environment", "=", environment!))
    .$if(is_default !== undefined, (all) => all.where("is_default", "=", is_default!));
}

/** Throws 404, the same for a missing connection and another owner's. */
export async function getConnection(db: Database | Tx, { account_id, id }: Key) {
  return ownRow(db, "carrier_connections", { account_id, id });
}

/** Throws 404. */
export async function lockConnection(tx: Tx, { account_id, id }: Key): Promise<ConnectionRow> {
  return lockedRow(tx, "carrier_connections", { account_id, id });
}

/** Lets one change at a time decide which connection of an owner is the default, and how many there are. */
export async function lockOwner(tx: Tx, owner: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`carrier_connections ${owner}`}, 0))`.execute(
    tx,
  );
}

export async function insertConnection(
  tx: Tx,
  row: Insertable<CarrierConnectionsTable>,
): Promise<void> {
  await tx.insertInto("carrier_connections").values(row).execute();
}

export async function changeConnection(
  tx: Tx,
  { account_id, id }: Key,
  change: Updateable<CarrierConnectionsTable>,
): Promise<void> {
  await tx
    .updateTable("carrier_connections")
    .set(change)
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

/** Of the same owner, carrier and environment there is no default from here on. */
export async function clearDefault(
  tx: Tx,
  {
    account_id,
    carrier,
    environment,
  }: Pick<ConnectionRow, "account_id" | "carrier" | "environment">,
): Promise<void> {
  await tx
    .updateTable("carrier_connections")
    .set({ is_default: false })
    .where("account_id", "=", account_id)
    .where("carrier", "=", carrier)
    .where("environment", "=", environment)
    .where("is_default", "=", true)
    .execute();
}

/** The oldest of them is the default from here on, a disabled one last. Null where there is none. */
export async function chooseDefault(
  tx: Tx,
  {
    account_id,
    carrier,
    environment,
  }: Pick<ConnectionRow, "account_id" | "carrier" | "environment">,
): Promise<string | null> {
  const oldest = await tx
    .selectFrom("carrier_connections")
    .select("id")
    .where("account_id", "=", account_id)
    .where("carrier", "=", carrier)
    .where("environment", "=", environment)
    .orderBy(sql`status = 'disabled'`)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return null;
  await changeConnection(tx, { account_id, id: oldest.id }, { is_default: true });
  return oldest.id;
}

export async function deleteConnection(tx: Tx, { account_id, id }: Key): Promise<void> {
  await tx
    .deleteFrom("carrier_connections")
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

/** What still has to be ended on a connection, by its own credentials. */
interface Open {
  /** Without an outcome. */
  open_attempts: number;
  pending_refunds: number;
  /** Of sold labels whose files the carrier has not delivered. */
  pending_files: number;
  /** That are not over: they may have to be cancelled. */
  open_pickups: number;
}

/** Counts it; the platform's connection serves every account. */
export async function countOpen(tx: Tx, { account_id, id }: Key): Promise<Open> {
  const { rows } = await (account_id === platformAccountId
    ? openOfAll(tx, id)
    : openOfAccount(tx, account_id, id));
  return rows[0]!;
}

const isOnIt = (id: string) =>
  sql`coalesce(input ->> 'connection_id', input -> 'look_up' ->> 'connection_id') = ${id}`;
const isOpenAttempt = sql`status IN ('sent', 'unknown', 'review')`;
// Somewhere it is still the day before.
const isOpenPart = sql`part.status IN ('scheduled', 'confirmed', 'cancelling') AND pickups.date >= (current_date - 1)::text`;

function openOfAccount(tx: Tx, accountId: string, id: string) {
  return sql<Open>`
    SELECT
      (SELECT count(*)::int FROM attempts
        WHERE account_id = ${accountId} AND ${isOpenAttempt} AND ${isOnIt(id)}) AS open_attempts,
      (SELECT count(*)::int FROM shipments
        WHERE account_id = ${accountId} AND refund_status = 'pending' AND connection_id = ${id}) AS pending_refunds,
      (SELECT count(*)::int FROM pending_files AS file
        JOIN shipments ON shipments.account_id = file.account_id AND shipments.id = file.shipment_id
        WHERE file.account_id = ${accountId} AND shipments.connection_id = ${id}) AS pending_files,
      (SELECT count(*)::int FROM pickup_parts AS part
        JOIN pickups ON pickups.account_id = part.account_id AND pickups.id = part.pickup_id
        WHERE part.account_id = ${accountId} AND part.connection_id = ${id} AND ${isOpenPart}) AS open_pickups`.execute(
    tx,
  );
}

function openOfAll(tx: Tx, id: string) {
  return sql<Open>`
    SELECT
      (SELECT count(*)::int FROM attempts WHERE ${isOpenAttempt} AND ${isOnIt(id)}) AS open_attempts,
      (SELECT count(*)::int FROM shipments
        WHERE refund_status = 'pending' AND connection_id = ${id}) AS pending_refunds,
      (SELECT count(*)::int FROM pending_files AS file
        JOIN shipments ON shipments.account_id = file.account_id AND shipments.id = file.shipment_id
        WHERE shipments.connection_id = ${id}) AS pending_files,
      (SELECT count(*)::int FROM pickup_parts AS part
        JOIN pickups ON pickups.account_id = part.account_id AND pickups.id = part.pickup_id
        WHERE part.connection_id = ${id} AND ${isOpenPart}) AS open_pickups`.execute(tx);
}
