import { sql, type Selectable } from "kysely";
import { ownRow } from "../../database/own-row.ts";
import {
  json,
  type Database,
  type ImportRowsTable,
  type ImportsTable,
  type Tx,
} from "../../database/tables.ts";
import { ApiError, invalid } from "../../domain/errors/errors.ts";
import { onPage, type Page } from "../../http/paging.ts";

export type ImportRow = Selectable<ImportsTable>;
export type StagedRow = Omit<Selectable<ImportRowsTable>, "account_id" | "import_id">;

export async function insertImport(tx: Tx, row: ImportRow): Promise<void> {
  await tx.insertInto("imports").values(row).execute();
}

export async function insertRows(
  tx: Tx,
  { account_id, id }: Pick<ImportRow, "account_id" | "id">,
  rows: readonly StagedRow[],
): Promise<void> {
  await sql`
    INSERT INTO import_rows (account_id, import_id, row, line, sku, status, fields, error)
    SELECT ${account_id}, ${id}, row, line, sku, status, fields, error
    FROM jsonb_populate_recordset(NULL::import_rows, ${json(rows)}::jsonb)`.execute(tx);
}

/** Stores the rows' counts, once all are staged; with nothing left to process the import ends. */
export async function setCounts(
  tx: Tx,
  { account_id, id }: Pick<ImportRow, "account_id" | "id">,
  { row_count, error_count, now }: Pick<ImportRow, "row_count" | "error_count"> & { now: Date },
): Promise<ImportRow> {
  const isOver = error_count === row_count;
  return tx
    .updateTable("imports")
    .set({ row_count, error_count, processed_count: error_count })
    .$if(isOver, (all) => all.set({ status: "completed_with_errors", completed_at: now }))
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Throws 404, the same for a missing import and another account's. */
export async function getImport(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<ImportRow> {
  return ownRow(db, "imports", { account_id: accountId, id });
}

/** One page, newest first: ids are made in the order of time. */
export async function listImports(db: Database, accountId: string, page: Page) {
  const select = db.selectFrom("imports").selectAll().where("account_id", "=", accountId);
  return onPage(select, page, "id").execute();
}

export async function countImports(db: Database, accountId: string): Promise<number> {
  const { total } = await db
    .selectFrom("imports")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return total;
}

/** Throws 404 when there is no such account. */
export async function refuseUnknownAccount(db: Database, account_id: string): Promise<void> {
  const account = await db
    .selectFrom("accounts")
    .select("account_id")
    .where("account_id", "=", account_id)
    .executeTakeFirst();
  if (!account) throw new ApiError("not_found", { message: `There is no account ${account_id}.` });
}

interface OfImport {
  account_id: string;
  import_id: string;
}

/** A list's row has an id, by which its cursor names it. */
export type ListedRow = StagedRow & { id: string };

/** Processed rows, in their order. A cursor names a row by its number. */
export async function listRows(
  db: Database,
  { account_id, import_id }: OfImport,
  page: Page,
): Promise<ListedRow[]> {
  const { beside } = page;
  if (beside && !/^\d{1,9}$/.test(beside.id))
    throw invalid({ cursor: ["is not a cursor of this list."] });
  const isBack = beside?.direction === "prev";
  const rows = await doneRows(db, { account_id, import_id })
    .select(["row", "line", "sku", "status", "fields", "error"])
    .$if(beside !== null, (query) => query.where("row", isBack ? "<" : ">", Number(beside!.id)))
    .orderBy("row", isBack ? "desc" : "asc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({ ...row, id: String(row.row) }));
}

export async function countRows(db: Database, of: OfImport): Promise<number> {
  const { count } = await doneRows(db, of)
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function doneRows(db: Database, { account_id, import_id }: OfImport) {
  return db
    .selectFrom("import_rows")
    .where("account_id", "=", account_id)
    .where("import_id", "=", import_id)
    .where("status", "<>", "waiting");
}

const errorsAtOnce = 500;

/** Every row that was left out, in their order, a few hundred in memory at a time. */
export async function* errorsOf(
  db: Database,
  { account_id, import_id }: OfImport,
): AsyncGenerator<StagedRow> {
  for (let after = 0; ;) {
    const rows = await doneRows(db, { account_id, import_id })
      .select(["row", "line", "sku", "status", "fields", "error"])
      .where("status", "=", "error")
      .where("row", ">", after)
      .orderBy("row")
      .limit(errorsAtOnce)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < errorsAtOnce) return;
    after = last.row;
  }
}
