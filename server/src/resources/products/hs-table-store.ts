import { sql } from "kysely";
import { json, type Database, type Tx } from "../../database/tables.ts";
import type { HsEntry } from "../../domain/hs/nomenclature.ts";

/** The version of the table in force; 0 when none was ever loaded. */
export async function hsTableVersion(db: Database): Promise<number> {
  const row = await db.selectFrom("hs_tables").select("version").executeTakeFirst();
  return row?.version ?? 0;
}

export async function listHsEntries(db: Database): Promise<HsEntry[]> {
  return db.selectFrom("hs_codes").select(["code", "wording"]).orderBy("code").execute();
}

/** Replaces the table, and gives it a new version for every process; concurrent loads wait for each other. */
export async function replaceHsTable(tx: Tx, entries: readonly HsEntry[]): Promise<void> {
  await sql`
    INSERT INTO hs_tables (is_current, version) VALUES (true, 1)
    ON CONFLICT (is_current) DO UPDATE SET version = hs_tables.version + 1`.execute(tx);
  await tx.deleteFrom("hs_codes").execute();
  await sql`INSERT INTO hs_codes (code, wording)
    SELECT code, wording FROM jsonb_populate_recordset(NULL::hs_codes, ${json(entries)}::jsonb)`.execute(
    tx,
  );
}
