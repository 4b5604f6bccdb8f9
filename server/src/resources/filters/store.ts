import type { Selectable } from "kysely";
import { json, type Database, type FiltersTable, type Tx } from "../../database/tables.ts";
import { notFound } from "../../domain/errors.ts";
import { onPage, type Page } from "../../http/paging.ts";

export type FilterRow = Selectable<FiltersTable>;
export type FilterContent = Pick<FilterRow, "name" | "target" | "criteria">;

/** Throws a unique violation of `filters_name` for a name that the account has. */
export async function insertFilter(tx: Tx, { criteria, ...row }: FilterRow): Promise<void> {
  await tx
    .insertInto("filters")
    .values({ ...row, criteria: json(criteria) })
    .execute();
}

/** Throws 404, and a unique violation of `filters_name` for a name that another filter has. */
export async function replaceFilter(
  tx: Tx,
  { account_id, id }: Pick<FilterRow, "account_id" | "id">,
  { criteria, ...content }: FilterContent & { updated_at: Date },
): Promise<FilterRow> {
  const row = await tx
    .updateTable("filters")
    .set({ ...content, criteria: json(criteria) })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** Throws 404, the same for a missing filter and another account's. */
export async function deleteFilter(tx: Tx, accountId: string, id: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom("filters")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
}

export async function findFilter(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<FilterRow | null> {
  const row = await db
    .selectFrom("filters")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export async function listFilters(
  db: Database,
  accountId: string,
  page: Page,
): Promise<FilterRow[]> {
  const filters = db.selectFrom("filters").selectAll().where("account_id", "=", accountId);
  return onPage(filters, page, "id").execute();
}

export async function countFilters(db: Database, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom("filters")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return count;
}
