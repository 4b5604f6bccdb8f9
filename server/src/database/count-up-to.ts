import { sql } from "kysely";
import type { Compilable } from "./driver/sending.ts";
import type { Database, Tx } from "./tables.ts";

/**
 * How many rows a query without columns has: at most `most`, after which it ends. To count all rows costs more with
 * each row that is added.
 */
export async function countUpTo(
  db: Database | Tx,
  query: { limit(rows: number): Compilable<unknown> },
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (${query.limit(most)}) AS counted`.execute(db);
  return rows[0]!.count;
}
