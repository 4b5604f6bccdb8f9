import { sql, type Selectable } from "kysely";
import type { Database, ProductsTable, Tx } from "../../database/tables.ts";

/** The approved products with these skus. */
export async function approvedProducts(
  db: Database | Tx,
  accountId: string,
  skus: readonly string[],
): Promise<Selectable<ProductsTable>[]> {
  return db
    .selectFrom("products")
    .selectAll()
    .where("account_id", "=", accountId)
    .where(sql<boolean>`sku = ANY(${skus}::text[])`)
    .where("status", "=", "Approved")
    .execute();
}
