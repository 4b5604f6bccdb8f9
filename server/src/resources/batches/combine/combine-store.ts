import { sql } from "kysely";
import { inTransaction } from "../../../database/connect.ts";
import type { Database, StoredDocument } from "../../../database/tables.ts";
import type { BatchRow } from "../../../shipping/batches/store.ts";

/** The SQL of combining labels: whose turn it is, and which files there are. */

/** A batch whose labels this process is to combine, as it was when its run ended. */
export type DueBatch = Pick<BatchRow, "account_id" | "id" | "label_format" | "processed_at">;

/** Takes one batch whose labels are due and nobody who lives combines; null when there is none. */
export async function takeDue(
  db: Database,
  { process_id, lease_seconds }: { process_id: string; lease_seconds: number },
): Promise<DueBatch | null> {
  const take = sql<DueBatch>`
    WITH due AS (
      SELECT account_id, id FROM batches
      WHERE combine_at <= now() AND (combine_holder_id IS NULL OR NOT EXISTS (
        SELECT FROM processes
        WHERE processes.id = combine_holder_id
          AND heartbeat_at > now() - make_interval(secs => ${lease_seconds})))
      ORDER BY combine_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE batches SET combine_holder_id = ${process_id}
    FROM due WHERE batches.account_id = due.account_id AND batches.id = due.id
    RETURNING batches.account_id, batches.id, label_format, processed_at`;
  const { rows } = await inTransaction(db, (tx) => take.execute(tx));
  return rows[0] ?? null;
}

/** Lets go of what this process took and does no more: the answer to the taking was lost. */
export async function letGoOfAll(db: Database, process_id: string): Promise<void> {
  await sql`UPDATE batches SET combine_holder_id = NULL WHERE combine_holder_id = ${process_id}
    AND combine_at IS NOT NULL`.execute(db);
}

/** Its key, size and SHA-256. */
export interface CombinedFile {
  file_key: string;
  bytes: number;
  sha256: string;
}

/** Keeps the file, unless the batch was processed again meanwhile: then it is to have another one. */
export async function storeCombined(
  db: Database,
  batch: DueBatch,
  { process_id, file }: { process_id: string; file: CombinedFile | null },
): Promise<void> {
  const { file_key = null, bytes = null, sha256 = null } = file ?? {};
  await sql`
    UPDATE batches
    SET combined_file_key = ${file_key}, combined_bytes = ${bytes}, combined_sha256 = ${sha256},
      combine_at = NULL, combine_holder_id = NULL
    WHERE ${own(batch, process_id)}`.execute(db);
}

/** It did not work: again after a pause. */
export async function combineLater(
  db: Database,
  batch: DueBatch,
  { process_id, pause_seconds }: { process_id: string; pause_seconds: number },
): Promise<void> {
  await sql`
    UPDATE batches
    SET combine_at = now() + make_interval(secs => ${pause_seconds}), combine_holder_id = NULL
    WHERE ${own(batch, process_id)}`.execute(db);
}

function own({ account_id, id, processed_at }: DueBatch, process_id: string) {
  return sql`account_id = ${account_id} AND id = ${id} AND processed_at = ${processed_at}
    AND combine_holder_id = ${process_id}`;
}

export interface LabelToCombine {
  place: number;
  shipment_id: string;
  ship_code: string;
  documents: StoredDocument[];
}

/** The next shipments of the batch behind that place whose labels it bought and that are not voided. */
export async function nextLabels(
  db: Database,
  { account_id, id }: DueBatch,
  { after, limit }: { after: number; limit: number },
): Promise<LabelToCombine[]> {
  const { rows } = await sql<LabelToCombine>`
    SELECT place, item.shipment_id, ship_code, documents
    FROM batch_items AS item
    JOIN shipments ON shipments.account_id = item.account_id AND shipments.id = item.shipment_id
    WHERE item.account_id = ${account_id} AND item.batch_id = ${id} AND item.status = 'succeeded'
      AND place > ${after} AND shipments.status NOT IN ('void_pending', 'voided', 'cancelled')
    ORDER BY place LIMIT ${limit}`.execute(db);
  return rows;
}
