import { sql, type SelectQueryBuilder, type Selectable } from "kysely";
import { columnsOf } from "../../database/columns.ts";
import { lockedRow } from "../../database/own-row.ts";
import type { BatchesTable, Database, Tables, Tx } from "../../database/tables.ts";
import { batchStatesBefore, type BatchStatus } from "../../domain/batches/batch-states.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { onPage, type Page } from "../../http/paging.ts";

/** The SQL of batches and of their members; that of their items' work is in `purchasing/queue/`. */

export type BatchRow = Selectable<BatchesTable>;

type SelectBatches = SelectQueryBuilder<Tables & { live: Counts }, "batches" | "live", BatchRow>;

export interface Counts {
  success_count: number;
  error_count: number;
  total_cost_cents: number;
}

const counts = [
  sql<number>`count(*) FILTER (WHERE batch_items.status = 'succeeded')::int`.as("success_count"),
  sql<number>`count(*) FILTER (WHERE batch_items.status = 'failed')::int`.as("error_count"),
  sql<number>`coalesce(sum(cost_cents), 0)::bigint`.as("total_cost_cents"),
] as const;

/**
 * Batches with their counts: those of a run in progress are counted from its items in the same statement, so
 * that they only ever grow while it lasts, and concurrent purchases do not all write one row.
 */
function selectBatches(db: Database | Tx): SelectBatches {
  const count = (name: keyof Counts) =>
    sql<number>`CASE batches.status WHEN 'processing' THEN ${sql.ref(`live.${name}`)} ELSE ${sql.ref(`batches.${name}`)} END`.as(
      name,
    );
  return db
    .selectFrom("batches")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("batch_items")
          .select(counts)
          .whereRef("batch_items.account_id", "=", "batches.account_id")
          .whereRef("batch_items.batch_id", "=", "batches.id")
          .where(sql<boolean>`batches.status = 'processing'`)
          .as("live"),
      (join) => join.onTrue(),
    )
    .selectAll("batches")
    .select([count("success_count"), count("error_count"), count("total_cost_cents")]);
}

/** The counts and costs of a batch so far, from its items. */
export async function countItems(tx: Tx, accountId: string, id: string): Promise<Counts> {
  return tx
    .selectFrom("batch_items")
    .select(counts)
    .where("account_id", "=", accountId)
    .where("batch_id", "=", id)
    .executeTakeFirstOrThrow();
}

/** Throws 404, the same for a missing batch and another account's. */
export async function getBatch(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<BatchRow> {
  const row = await selectBatches(db)
    .where("batches.account_id", "=", accountId)
    .where("batches.id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** The batch as it is stored, locked until the transaction ends. Throws 404. */
export async function lockBatch(tx: Tx, accountId: string, id: string): Promise<BatchRow> {
  return lockedRow(tx, "batches", { account_id: accountId, id });
}

/**
 * The newest open batch of that name, locked until the transaction ends; null when there is none. The name
 * itself is locked as well, so that two transactions never create two.
 */
export async function lockOpenBatch(
  tx: Tx,
  accountId: string,
  name: string,
): Promise<BatchRow | null> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${accountId} ${name}`}, 0))`.execute(
    tx,
  );
  const { rows } = await sql<BatchRow>`
    SELECT ${columnsOf("batches")} FROM batches WHERE account_id = ${accountId} AND name = ${name} AND status = 'open'
    ORDER BY id DESC LIMIT 1 FOR UPDATE`.execute(tx);
  return rows[0] ?? null;
}

export async function insertBatch(tx: Tx, row: BatchRow): Promise<void> {
  await tx.insertInto("batches").values(row).execute();
}

type BatchKey = Pick<BatchRow, "account_id" | "id">;

/** Writes changes that need no change of state. */
export async function changeBatch(
  tx: Tx,
  { account_id, id }: BatchKey,
  change: Partial<Pick<BatchRow, "name" | "shipment_ids">>,
): Promise<void> {
  await tx
    .updateTable("batches")
    .set(change)
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

/** Moves a batch to another state, if the table of states allows it from its current one. */
export async function moveBatch(
  tx: Tx,
  { account_id, id }: BatchKey,
  change: Partial<BatchRow> & { status: BatchStatus },
): Promise<boolean> {
  const moved = await tx
    .updateTable("batches")
    .set(change)
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .where(sql<boolean>`status = ANY(${batchStatesBefore(change.status)})`)
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

/** The label format of all of a batch's parcels; pdf when they differ, since they make one file. */
export async function agreedFormat(
  tx: Tx,
  { account_id, id }: BatchKey,
): Promise<NonNullable<BatchRow["label_format"]>> {
  const named = await tx
    .selectFrom("shipments")
    .select("label_format")
    .distinct()
    .where("account_id", "=", account_id)
    .where("batch_id", "=", id)
    .where("type", "=", "courier")
    .where("status", "=", "draft")
    .execute();
  const [only, ...others] = named;
  return (others.length === 0 ? only?.label_format : null) ?? "pdf";
}

export async function deleteBatch(tx: Tx, { account_id, id }: BatchKey): Promise<void> {
  await tx
    .deleteFrom("batches")
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

/** One page, newest first. */
export async function listBatches(
  db: Database,
  accountId: string,
  page: Page,
): Promise<BatchRow[]> {
  const batches = selectBatches(db).where("batches.account_id", "=", accountId);
  return onPage(batches, page, "batches.id").execute();
}

export async function countBatches(db: Database, accountId: string): Promise<number> {
  const { total } = await db
    .selectFrom("batches")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return total;
}

/**
 * A label of the shipment's batch was voided, or is valid again: the combined file is outdated, and another
 * one is made of the then valid labels, also when one is being made at the moment.
 */
export async function combineAgain(
  tx: Tx,
  { account_id, batch_id }: { account_id: string; batch_id: string | null },
): Promise<void> {
  await sql`
    UPDATE batches SET combined_file_key = NULL, combine_at = now(), combine_holder_id = NULL
    WHERE account_id = ${account_id} AND id = ${batch_id} AND success_count > 0
      AND status IN ('completed', 'completed_with_errors')`.execute(tx);
}
