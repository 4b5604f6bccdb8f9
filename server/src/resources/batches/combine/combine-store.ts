import { sql } from "kysely";
import { releaseClaim, takeNext, type LeasedWork } from "../../../database/leases/take-next.ts";
import type { Database, StoredDocument } from "../../../database/tables.ts";
import type { BatchRow } from "../../../shipping/batches/store.ts";

/** The SQL of combining labels: which batch is next, and which files it has. */

/** A batch whose labels this process is to combine, as it was when its run ended. */
export type DueBatch = Pick<BatchRow, "account_id" | "id" | "label_format" | "processed_at">;

const combining: LeasedWork = {
  table: "batches",
  is_waiting: "combine_at IS NOT NULL",
  due: "combine_at",
  holder: "combine_holder_id",
};

/**
 * Takes a due batch whose labels no living process combines, of the next account; null when there is none.
 */
export const takeDue = takeNext<DueBatch>(combining, {
  returning: "batches.account_id, batches.id, label_format, processed_at",
});

/** The stored file of a batch's combined labels: key, size in bytes, SHA-256. */
export interface CombinedFile {
  file_key: string;
  bytes: number;
  sha256: string;
}

/** Stores the file (null: the batch has no labels), unless the batch was processed again meanwhile, which makes another file necessary. */
export async function storeCombined(
  db: Database,
  { account_id, id, processed_at }: DueBatch,
  { process_id, file }: { process_id: string; file: CombinedFile | null },
): Promise<void> {
  const { file_key = null, bytes = null, sha256 = null } = file ?? {};
  await sql`
    UPDATE batches
    SET combined_file_key = ${file_key}, combined_bytes = ${bytes}, combined_sha256 = ${sha256},
      combine_at = NULL, combine_holder_id = NULL
    WHERE account_id = ${account_id} AND id = ${id} AND processed_at = ${processed_at}
      AND combine_holder_id = ${process_id}`.execute(db);
}

/** Schedules another attempt after a failure, unless the batch was processed again meanwhile. */
export async function combineLater(
  db: Database,
  { account_id, id }: DueBatch,
  { process_id, pause_seconds }: { process_id: string; pause_seconds: number },
): Promise<void> {
  const until = sql<Date>`now() + make_interval(secs => ${pause_seconds})`;
  await releaseClaim(db, combining, { account_id, id, process_id, until });
}

interface LabelToCombine {
  place: number;
  shipment_id: string;
  ship_code: string;
  documents: StoredDocument[];
}

/** The next shipments of the batch after that position whose labels it purchased and that are not voided. */
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
