import { sql } from "kysely";
import type { Database } from "../tables.ts";

/**
 * PostgreSQL guarantees that an answered request survives a power failure, but three of its settings revoke
 * that. Waybill handles labels and money, so it does not start on such a server by mistake.
 */
interface Hazard {
  setting: string;
  /** What may happen, and how to change it. */
  advice: string;
}

interface Row {
  name: string;
  source: string;
  database: string;
  role: string;
}

const consequences: Record<string, string> = {
  fsync: "a power cut may destroy the whole database",
  full_page_writes:
    "a power cut may leave pages half written, and the database with them destroyed",
  synchronous_commit: "a crash may lose purchases that were answered",
};

/** The settings in force for this connection that let PostgreSQL lose acknowledged commits. */
export async function findHazards(db: Database): Promise<Hazard[]> {
  const { rows } = await sql<Row>`
    SELECT name, source, current_database() AS database, current_user::text AS role
    FROM pg_settings
    WHERE name IN (${sql.join(Object.keys(consequences))}) AND setting = 'off'
    ORDER BY name`.execute(db);
  return rows.map((row) => ({
    setting: `${row.name} is off`,
    advice: `${consequences[row.name]}; ${remedy(row)}`,
  }));
}

/** Throws an error that names each hazard and what to change. */
export async function refuseHazards(db: Database): Promise<void> {
  const hazards = await findHazards(db);
  if (hazards.length === 0) return;
  const lines = hazards.map(({ setting, advice }) => `  ${setting}: ${advice}`);
  throw new Error(`This PostgreSQL does not keep what it acknowledges.\n${lines.join("\n")}`);
}

/** How to turn the setting on where it was turned off, by PostgreSQL's name of the source. */
function remedy({ name, source, database, role }: Row): string {
  switch (source) {
    case "database":
      return `undo it with ALTER DATABASE "${database}" RESET ${name}`;
    case "user":
      return `undo it with ALTER ROLE "${role}" RESET ${name}`;
    case "database user":
      return `undo it with ALTER ROLE "${role}" IN DATABASE "${database}" RESET ${name}`;
    case "client":
      return "take it out of DATABASE_URL or PGOPTIONS";
    case "command line":
      return "take it off the command line that starts the server";
    default:
      return `set ${name} = on in postgresql.conf, or with ALTER SYSTEM, and reload the server`;
  }
}
