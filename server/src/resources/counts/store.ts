import { sql } from "kysely";
import type { Database } from "../../database/tables.ts";

/** The SQL of counting by status: each count reads an index, and no more rows than it may show. */

type Counted = "shipments" | "orders" | "products" | "batches";

export async function countByStatus(
  db: Database,
  accountId: string,
  { of, statuses, most }: { of: Counted; statuses: readonly string[]; most: number },
): Promise<{ status: string; count: number }[]> {
  const { rows } = await sql<{ status: string; count: number }>`
    SELECT status, (
      SELECT count(*)::int FROM (
        SELECT FROM ${sql.table(of)} AS counted
        WHERE counted.account_id = ${accountId} AND counted.status = wanted.status
        LIMIT ${most}) AS found) AS count
    FROM unnest(${statuses}::text[]) AS wanted (status)`.execute(db);
  return rows;
}
