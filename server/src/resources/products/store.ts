import { sql, type Selectable } from "kysely";
import { countUpTo } from "../../database/count-up-to.ts";
import { insertOf } from "../../database/insert-of.ts";
import { isOneOf } from "../../database/rows.ts";
import { json, type Database, type ProductsTable, type Tx } from "../../database/tables.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { onPage, type Page } from "../../http/paging.ts";

export type ProductRow = Selectable<ProductsTable>;

/** Throws 404, the same for a missing product and another account's. */
export async function getProduct(
  db: Database | Tx,
  accountId: string,
  sku: string,
): Promise<ProductRow> {
  const [row] = await productsOf(db, accountId, [sku]).execute();
  if (!row) throw notFound();
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockProduct(tx: Tx, accountId: string, sku: string): Promise<ProductRow> {
  const [row] = await lockProducts(tx, accountId, [sku]);
  if (!row) throw notFound();
  return row;
}

/** Those of these that exist, locked in the order of their skus. */
export async function lockProducts(
  tx: Tx,
  accountId: string,
  skus: readonly string[],
): Promise<ProductRow[]> {
  return productsOf(tx, accountId, skus).orderBy("sku").forUpdate().execute();
}

/** Those of these that exist, as they are at the moment. */
export async function listBySku(
  db: Database,
  accountId: string,
  skus: readonly string[],
): Promise<ProductRow[]> {
  return productsOf(db, accountId, skus).execute();
}

function productsOf(db: Database | Tx, accountId: string, skus: readonly string[]) {
  return db
    .selectFrom("products")
    .selectAll()
    .where("account_id", "=", accountId)
    .where(sql<boolean>`sku = ANY(${skus}::text[])`);
}

interface ProductFilters {
  account_id: string;
  status?: string[] | undefined;
}

export async function listProducts(
  db: Database,
  filters: ProductFilters,
  page: Page,
): Promise<ProductRow[]> {
  return onPage(filtered(db, filters).selectAll(), page, "id").execute();
}

/** At most `most`. */
export async function countProducts(
  db: Database,
  filters: ProductFilters,
  most: number,
): Promise<number> {
  return countUpTo(db, filtered(db, filters), most);
}

function filtered(db: Database, { account_id, status }: ProductFilters) {
  return db
    .selectFrom("products")
    .where("account_id", "=", account_id)
    .$if(status !== undefined, (query) => query.where(isOneOf("status", status!)));
}

/** Inserts those whose sku is free, in the order of their skus, and returns these. */
export async function insertProducts(tx: Tx, rows: readonly ProductRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const { rows: inserted } = await sql<{ sku: string }>`
    ${insertOf("products", rows)} ORDER BY sku
    ON CONFLICT (account_id, sku) DO NOTHING
    RETURNING sku`.execute(tx);
  return new Set(inserted.map(({ sku }) => sku));
}

const unchangeable = new Set(["account_id", "sku", "id", "created_at"]);

/** Writes rows that the transaction has locked. */
export async function rewriteProducts(tx: Tx, rows: readonly ProductRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!)
    .filter((column) => !unchangeable.has(column))
    .sort();
  const set = columns.map((column) => sql`${sql.ref(column)} = each.${sql.ref(column)}`);
  await sql`
    UPDATE products SET ${sql.join(set)}
    FROM jsonb_populate_recordset(NULL::products, ${json(rows)}::jsonb) AS each
    WHERE products.account_id = each.account_id AND products.sku = each.sku`.execute(tx);
}
