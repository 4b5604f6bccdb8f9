import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql, type RawBuilder } from "kysely";
import { readMigrations } from "./migrate.ts";
import type { Database } from "./tables.ts";

/**
 * The parts of the schema that refuse invalid data: constraints, indexes, triggers, functions and not-null
 * columns. `server/migrations/catalogue.json` lists what the migrations make, one line each, as PostgreSQL
 * spells it; `npm run generate` writes it from an empty database that was migrated.
 */

/** `function`s belong to no table; of a `table` it is the columns that are never null. */
interface CatalogueEntry {
  kind: "constraint" | "index" | "trigger" | "function" | "table";
  relation: string;
  name: string;
  definition: string;
}

export const cataloguePath = fileURLToPath(
  new URL("../../migrations/catalogue.json", import.meta.url),
);

/**
 * The file: the digest of its migrations, so that it is made anew only when a migration was added or changed,
 * and its entries.
 */
export interface Catalogue {
  migrations: string;
  entries: CatalogueEntry[];
}

let expected: Catalogue | null = null;

/** The catalogue of this release. */
export function expectedCatalogue(): Catalogue {
  expected ??= JSON.parse(readFileSync(cataloguePath, "utf8")) as Catalogue;
  return expected;
}

/** A digest of all migrations. */
export function migrationsDigest(): string {
  const checksums = readMigrations().map(({ name, checksum }) => `${name} ${checksum}`);
  return createHash("sha256").update(checksums.join("\n")).digest("hex");
}

/** Definitions name the schema, which is the operator's choice. */
const withoutSchema = (definition: RawBuilder<unknown>) =>
  sql`replace(${definition}, quote_ident(current_schema()) || '.', '')`;

/**
 * The same of this database, to select from. What exists but is not in force is marked in its definition. The
 * not-null constraints that PostgreSQL lists from 18 on are covered by `table`, which every release has. Partitions
 * follow from their table, and their number from the day.
 */
export const actualCatalogue = sql`(
  SELECT 'constraint' AS kind, relname::text AS relation, conname::text AS name,
    ${withoutSchema(sql`pg_get_constraintdef(con.oid)`)} AS definition
  FROM pg_constraint AS con JOIN pg_class AS class ON class.oid = conrelid
  WHERE relnamespace = current_schema()::regnamespace AND NOT relispartition AND contype IN ('c', 'f', 'p', 'u', 'x')
  UNION ALL
  SELECT 'index', class.relname::text, index.relname::text,
    ${withoutSchema(sql`pg_get_indexdef(indexrelid)`)} || CASE WHEN indisvalid AND indisready THEN '' ELSE ' (invalid)' END
  FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid JOIN pg_class AS class ON class.oid = indrelid
  WHERE class.relnamespace = current_schema()::regnamespace AND NOT class.relispartition
  UNION ALL
  SELECT 'trigger', relname::text, tgname::text,
    ${withoutSchema(sql`pg_get_triggerdef(trigger.oid)`)} || CASE tgenabled WHEN 'O' THEN '' ELSE ' (not enabled)' END
  FROM pg_trigger AS trigger JOIN pg_class AS class ON class.oid = tgrelid
  WHERE relnamespace = current_schema()::regnamespace AND NOT relispartition AND NOT tgisinternal
  UNION ALL
  SELECT 'function', '', proname || '(' || pg_get_function_identity_arguments(fun.oid) || ')',
    concat_ws(' ', lanname, provolatile, ${withoutSchema(sql`coalesce(pg_get_function_sqlbody(fun.oid), prosrc)`)})
  FROM pg_proc AS fun JOIN pg_language AS language ON language.oid = prolang
  WHERE pronamespace = current_schema()::regnamespace AND lanname IN ('sql', 'plpgsql')
  UNION ALL
  SELECT 'table', relname::text, 'not null', string_agg(attname, ' ' ORDER BY attname)
  FROM pg_class AS class JOIN pg_attribute ON attrelid = class.oid AND attnum > 0 AND attnotnull AND NOT attisdropped
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
  GROUP BY relname)`;

/** Reads the catalogue of a database, in the form of the file. */
export async function readCatalogue(db: Database): Promise<CatalogueEntry[]> {
  const { rows } = await sql<CatalogueEntry>`
    SELECT * FROM ${actualCatalogue} AS actual
    ORDER BY relation COLLATE "C", kind COLLATE "C", name COLLATE "C"`.execute(db);
  return rows;
}

/** The text of the file: one entry per line, so that changes of different tables do not conflict. */
export function catalogueText({ migrations, entries }: Catalogue): string {
  const lines = entries.map((entry) => JSON.stringify(entry)).join(",\n");
  return `{"migrations": ${JSON.stringify(migrations)}, "entries": [\n${lines}\n]}\n`;
}
