import { sql, type Selectable, type SqlBool, type UpdateObject } from "kysely";
import { insertOf } from "../../database/insert-of.ts";
import { lockedRow, ownRow } from "../../database/own-row.ts";
import {
  json,
  type Database,
  type ManifestPartsTable,
  type ManifestsTable,
  type StoredManifestFile,
  type Tables,
  type Tx,
} from "../../database/tables.ts";
import type { ManifestStatus } from "../../domain/manifests/manifest-states.ts";
import { onPage, type Page } from "../../http/paging.ts";

/** The SQL of manifests. A transaction that changes a manifest locks its row first. */

type ManifestRow = Selectable<ManifestsTable>;
export type PartRow = Selectable<ManifestPartsTable>;
/** A manifest with its parts in order. */
export interface WholeManifest extends ManifestRow {
  parts: PartRow[];
}

export interface PartKey {
  account_id: string;
  manifest_id: string;
  part: number;
}

/** A manifest that was asked for, and has no answer yet. */
export function unanswered(
  about: Omit<ManifestRow, "status">,
  parts: readonly AskedPart[],
): WholeManifest {
  const { account_id, id: manifest_id } = about;
  return {
    ...about,
    status: "creating",
    parts: parts.map((part) => ({
      account_id,
      manifest_id,
      ...part,
      status: "creating",
      reference: null,
      carrier_manifest_id: null,
      carrier_data: null,
      documents: [],
      error: null,
    })),
  };
}

/** A part as it is asked for. */
export type AskedPart = Pick<
  PartRow,
  "part" | "shipment_ids" | "connection_id" | "from_address" | "ship_date"
>;

/** Writes a new manifest with its parts. Throws a unique violation where one of its shipments is on another. */
export async function insertManifest(tx: Tx, { parts, ...row }: WholeManifest): Promise<void> {
  await insertOf("manifests", [row]).execute(tx);
  await insertOf("manifest_parts", parts).execute(tx);
  const members = parts.flatMap(({ account_id, manifest_id, part, shipment_ids }) =>
    shipment_ids.map((shipment_id) => ({ account_id, shipment_id, manifest_id, part })),
  );
  await insertOf("manifest_shipments", members).execute(tx);
}

/** Throws 404, the same for a missing manifest and another account's. */
export async function getManifest(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<WholeManifest> {
  const row = await ownRow(db, "manifests", { account_id: accountId, id });
  return (await withParts(db, accountId, [row]))[0]!;
}

/** The same, with the manifest locked until the transaction ends. */
export async function lockManifest(tx: Tx, accountId: string, id: string): Promise<WholeManifest> {
  const row = await lockedRow(tx, "manifests", { account_id: accountId, id });
  return (await withParts(tx, accountId, [row]))[0]!;
}

const partColumns = [
  "account_id",
  "manifest_id",
  "part",
  "status",
  "shipment_ids",
  "connection_id",
  "from_address",
  "reference",
  "carrier_manifest_id",
  "carrier_data",
  "documents",
  "error",
] as const;

async function withParts(
  db: Database | Tx,
  accountId: string,
  rows: ManifestRow[],
): Promise<WholeManifest[]> {
  const parts = await db
    .selectFrom("manifest_parts")
    .select(partColumns)
    // A day, which the driver would make a moment of.
    .select(sql<string>`ship_date::text`.as("ship_date"))
    .where("account_id", "=", accountId)
    .where(sql<SqlBool>`manifest_id = ANY(${rows.map(({ id }) => id)}::text[])`)
    .orderBy("part")
    .execute();
  return rows.map((row) => ({
    ...row,
    parts: parts.filter(({ manifest_id }) => manifest_id === row.id),
  }));
}

/** One page, newest first: ids are made in the order of time. */
export async function listManifests(
  db: Database,
  accountId: string,
  page: Page,
): Promise<WholeManifest[]> {
  const select = db.selectFrom("manifests").selectAll().where("account_id", "=", accountId);
  return withParts(db, accountId, await onPage(select, page, "id").execute());
}

export async function countManifests(db: Database, accountId: string): Promise<number> {
  const { total } = await db
    .selectFrom("manifests")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return total;
}

/** Throws for a part that has an outcome: the holder of the manifest's lock has read that it had none. */
export async function endPart(
  tx: Tx,
  { account_id, manifest_id, part }: PartKey,
  change: UpdateObject<Tables, "manifest_parts", "manifest_parts"> & { status: ManifestStatus },
): Promise<void> {
  await tx
    .updateTable("manifest_parts")
    .set(change)
    .where("account_id", "=", account_id)
    .where("manifest_id", "=", manifest_id)
    .where("part", "=", part)
    .where("status", "=", "creating")
    .returning("part")
    .executeTakeFirstOrThrow();
}

/** The shipments of a part that was not made are on no manifest. */
export async function freeShipments(tx: Tx, { account_id, manifest_id, part }: PartKey) {
  await tx
    .deleteFrom("manifest_shipments")
    .where("account_id", "=", account_id)
    .where("manifest_id", "=", manifest_id)
    .where("part", "=", part)
    .execute();
}

export async function changeManifest(
  tx: Tx,
  { account_id, id }: ManifestRow,
  change: { status: ManifestStatus; updated_at: Date },
): Promise<void> {
  await tx
    .updateTable("manifests")
    .set(change)
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

/** Its files, which its carrier gave later or once more. */
export async function recordDocuments(
  db: Database,
  { account_id, manifest_id, part }: PartKey,
  documents: readonly StoredManifestFile[],
): Promise<void> {
  await db
    .updateTable("manifest_parts")
    .set({ documents: json(documents) })
    .where("account_id", "=", account_id)
    .where("manifest_id", "=", manifest_id)
    .where("part", "=", part)
    .execute();
}
