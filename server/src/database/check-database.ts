import pg from "pg";

/** The first connection with a database, which says why there is none, and what the database is. */

const timeoutMs = 10_000;

/**
 * Throws why no connection with the database of `DATABASE_URL` can be had, with where it was asked for and without the
 * password; with `has_schema` also where it has no table of Waybill.
 */
export async function checkDatabase(
  url: string,
  { has_schema = false }: { has_schema?: boolean } = {},
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "waybill",
    connectionTimeoutMillis: timeoutMs,
  });
  // A connection that breaks meanwhile fails what is asked of it, and must not end this process.
  client.on("error", () => undefined);
  const place = `the database ${client.database} at ${client.host}:${client.port}`;
  try {
    await client.connect().catch((cause: unknown) => {
      throw new Error(`DATABASE_URL: no connection with ${place}`, { cause });
    });
    if (!has_schema || (await hasSchema(client))) return;
    throw new Error(
      `${place} has no tables of Waybill; make them by \`waybill migrate\`, or name another by WAYBILL_DATA_DIR or DATABASE_URL`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function hasSchema(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is_there: boolean }>(
    "SELECT to_regclass('migration_checksums') IS NOT NULL AS is_there",
  );
  return rows[0]!.is_there;
}
