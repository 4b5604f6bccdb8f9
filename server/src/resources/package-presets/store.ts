import type { Selectable } from "kysely";
import { lockedRow, ownRow } from "../../database/own-row.ts";
import type { Database, PackagePresetsTable, Tx } from "../../database/tables.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { onPage, type Page } from "../../http/paging.ts";

export type PresetRow = Selectable<PackagePresetsTable>;

export async function listPresets(db: Database, accountId: string, page: Page) {
  const select = db.selectFrom("package_presets").selectAll().where("account_id", "=", accountId);
  return onPage(select, page, "id").execute();
}

export async function countPresets(db: Database | Tx, accountId: string): Promise<number> {
  const { total } = await db
    .selectFrom("package_presets")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return total;
}

export async function hasPreset(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("package_presets")
    .select("id")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Throws 404, the same for a missing preset and another account's. */
export async function getPreset(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<PresetRow> {
  return ownRow(db, "package_presets", { account_id: accountId, id });
}

/** The same, locked until the transaction ends. */
export async function lockPreset(tx: Tx, accountId: string, id: string): Promise<PresetRow> {
  return lockedRow(tx, "package_presets", { account_id: accountId, id });
}

/** Throws a unique violation of `package_presets_name` for a name that the account has. */
export async function putPreset(tx: Tx, row: PresetRow): Promise<void> {
  const { account_id: _account, id: _id, created_at: _created, ...facts } = row;
  await tx
    .insertInto("package_presets")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account_id", "id"]).doUpdateSet(facts))
    .execute();
}

export async function deletePreset(tx: Tx, accountId: string, id: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom("package_presets")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
}
