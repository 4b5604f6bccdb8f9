import { sql, type Selectable } from "kysely";
import { columnsOf } from "../../database/columns.ts";
import { releaseClaim, takeNext, type LeasedWork } from "../../database/leases/take-next.ts";
import { json, type AccountsTable, type Database, type Tx } from "../../database/tables.ts";
import type { ProductFields } from "../../domain/products/product.ts";
import type { ImportRow, StagedRow } from "./store.ts";

/** The SQL of processing imports: which one is next, which rows wait, and their results. */

export interface DueImport {
  account_id: string;
  id: string;
  actor: string | null;
  request_id: string | null;
  account: Omit<Selectable<AccountsTable>, "time_zone" | "suspended_at" | "created_at">;
}

const imports: LeasedWork = {
  table: "imports",
  is_waiting: "status = 'processing'",
  due: "taken_at",
  holder: "holder_id",
  on_claim: "taken_at = now()",
};

/** Takes an import that no living process works on, of the next account; null when there is none. */
export const takeDue = takeNext<DueImport>(imports, {
  returning:
    "imports.account_id, imports.id, imports.actor, imports.request_id, to_jsonb(accounts) AS account",
  source: sql`due JOIN accounts ON accounts.account_id = due.account_id`,
});

/** Releases an import without a change, so that any process may take it. */
export const releaseClaimOf = (
  db: Database,
  { account_id, id }: Pick<DueImport, "account_id" | "id">,
  process_id: string,
): Promise<void> => releaseClaim(db, imports, { account_id, id, process_id });

interface WaitingRow {
  row: number;
  sku: string;
  fields: Partial<ProductFields>;
}

export async function nextRows(
  db: Database,
  { account_id, id }: Pick<DueImport, "account_id" | "id">,
  limit: number,
): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    SELECT row, sku, fields FROM import_rows
    WHERE account_id = ${account_id} AND import_id = ${id} AND status = 'waiting'
    ORDER BY row LIMIT ${limit}`.execute(db);
  return rows;
}

/** Locks an import that this process still holds. False when another process took it over. */
export async function lockOwn(
  tx: Tx,
  { account_id, id }: Pick<DueImport, "account_id" | "id">,
  process_id: string,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM imports WHERE account_id = ${account_id} AND id = ${id} AND holder_id = ${process_id}
    FOR UPDATE`.execute(tx);
  return rows.length === 1;
}

/** The result of a row. */
type EndedRow = Pick<StagedRow, "row" | "status" | "error">;

/**
 * Writes the rows' results, counts them, ends the import after its last, and releases it. Returns the import
 * that ended.
 */
export async function endRows(
  tx: Tx,
  { account_id, id }: Pick<DueImport, "account_id" | "id">,
  { rows, now }: { rows: readonly EndedRow[]; now: Date },
): Promise<ImportRow | null> {
  await sql`
    UPDATE import_rows AS own SET status = each.status, error = each.error, fields = NULL
    FROM jsonb_populate_recordset(NULL::import_rows, ${json(rows)}::jsonb) AS each
    WHERE own.account_id = ${account_id} AND own.import_id = ${id} AND own.row = each.row`.execute(
    tx,
  );
  const countOf = (status: EndedRow["status"]) =>
    rows.filter((row) => row.status === status).length;
  await sql`
    UPDATE imports SET holder_id = NULL, processed_count = processed_count + ${rows.length},
      created_count = created_count + ${countOf("created")},
      updated_count = updated_count + ${countOf("updated")},
      error_count = error_count + ${countOf("error")}
    WHERE account_id = ${account_id} AND id = ${id}`.execute(tx);
  const ended = await sql<ImportRow>`
    UPDATE imports SET completed_at = ${now},
      status = CASE error_count WHEN 0 THEN 'completed' ELSE 'completed_with_errors' END
    WHERE account_id = ${account_id} AND id = ${id} AND status = 'processing'
      AND processed_count = row_count
    RETURNING ${columnsOf("imports")}`.execute(tx);
  return ended.rows[0] ?? null;
}

const prunedAtOnce = 1000;

/**
 * Deletes rows of one of the account's imports that ended before that moment, a limited number; returns whether there may
 * be more. The import stays, with its counts.
 */
export async function pruneImportRows(
  db: Database,
  accountId: string,
  before: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    WITH ended AS (
      SELECT id FROM imports WHERE account_id = ${accountId} AND completed_at < ${before}
        AND EXISTS (SELECT FROM import_rows WHERE import_rows.account_id = imports.account_id AND import_id = imports.id)
      ORDER BY id LIMIT 1)
    DELETE FROM import_rows WHERE account_id = ${accountId} AND (import_id, row) IN (
      SELECT import_id, row FROM import_rows
      WHERE account_id = ${accountId} AND import_id = (SELECT id FROM ended)
      ORDER BY row LIMIT ${prunedAtOnce})`.execute(db);
  return Number(numAffectedRows ?? 0) > 0;
}
