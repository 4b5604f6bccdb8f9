import { sql, type Selectable } from "kysely";
import { lockedRow } from "../../database/own-row.ts";
import {
  json,
  type Database,
  type FiltersTable,
  type RulesTable,
  type Tx,
} from "../../database/tables.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { onPage, type Page } from "../../http/paging.ts";

export type FilterRow = Selectable<FiltersTable>;
export type FilterContent = Pick<FilterRow, "name" | "target" | "criteria">;

/** A filter as it is shown: with the number of rules that use it. */
export interface UsedFilter extends FilterRow {
  used_by_rules: number;
}

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
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("filters")
    .set({ ...content, criteria: json(criteria) })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
}

/** Throws 404. The rules that use the filter; none starts or stops using it until the transaction ends. */
export async function lockUsers(
  tx: Tx,
  { account_id, id }: Pick<FilterRow, "account_id" | "id">,
): Promise<Pick<Selectable<RulesTable>, "id" | "trigger" | "actions">[]> {
  await lockedRow(tx, "filters", { account_id, id });
  return tx
    .selectFrom("rules")
    .select(["id", "trigger", "actions"])
    .where("account_id", "=", account_id)
    .where("filter_id", "=", id)
    .orderBy("id")
    .execute();
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

/** With `share` it is locked against changes until the transaction ends. */
export async function findFilter(
  db: Database | Tx,
  accountId: string,
  id: string,
  lock?: "share",
): Promise<FilterRow | null> {
  const row = await db
    .selectFrom("filters")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .$if(lock === "share", (filter) => filter.forShare())
    .executeTakeFirst();
  return row ?? null;
}

function selectUsed(db: Database | Tx, accountId: string) {
  return db
    .selectFrom("filters")
    .selectAll()
    .select(
      sql<number>`(
        SELECT count(*) FROM rules
        WHERE rules.account_id = filters.account_id AND rules.filter_id = filters.id)`.as(
        "used_by_rules",
      ),
    )
    .where("filters.account_id", "=", accountId);
}

/** Throws 404, the same for a missing filter and another account's. */
export async function getFilter(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<UsedFilter> {
  const row = await selectUsed(db, accountId).where("filters.id", "=", id).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export async function listFilters(
  db: Database,
  accountId: string,
  page: Page,
): Promise<UsedFilter[]> {
  return onPage(selectUsed(db, accountId), page, "filters.id").execute();
}

export async function countFilters(db: Database, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom("filters")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return count;
}
