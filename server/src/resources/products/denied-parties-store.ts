import { sql } from "kysely";
import { json, type Database, type Tx } from "../../database/tables.ts";
import type { DeniedParty } from "../../domain/products/denied-parties.ts";

/** The version of the list in force; 0 when none was ever loaded. */
export async function listVersion(db: Database): Promise<number> {
  const row = await db.selectFrom("denied_party_lists").select("version").executeTakeFirst();
  return row?.version ?? 0;
}

export async function listDeniedParties(db: Database): Promise<DeniedParty[]> {
  return db.selectFrom("denied_parties").select(["name", "source"]).orderBy("place").execute();
}

/** Appends parties to the list. */
export async function addDeniedParties(
  tx: Tx,
  { parties, after }: { parties: readonly DeniedParty[]; after: number },
): Promise<void> {
  const rows = parties.map((party, index) => ({ ...party, place: after + index + 1 }));
  await sql`INSERT INTO denied_parties (place, name, source)
    SELECT place, name, source FROM jsonb_populate_recordset(NULL::denied_parties, ${json(rows)}::jsonb)`.execute(
    tx,
  );
}

/** Empties the list, and gives it a new version for every process; concurrent loads wait for each other. */
export async function beginNewList(tx: Tx): Promise<void> {
  await sql`
    INSERT INTO denied_party_lists (is_current, version) VALUES (true, 1)
    ON CONFLICT (is_current) DO UPDATE SET version = denied_party_lists.version + 1`.execute(tx);
  await tx.deleteFrom("denied_parties").execute();
}
