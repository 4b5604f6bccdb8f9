import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  catalogueText,
  migrationsDigest,
  readCatalogue,
} from "../server/src/database/catalogue.ts";
import { columnsText, readColumns } from "../server/src/database/columns.ts";
import { connect } from "../server/src/database/connect.ts";
import { startEmbedded } from "../server/src/database/embedded-postgres/embedded-postgres.ts";
import { migrate } from "../server/src/database/migrate.ts";

interface SchemaFiles<Text = string> {
  catalogue: Text;
  columns: Text;
}

/**
 * `catalogue.json` and `columns.json` of `server/migrations`: the schema that the migrations make of an empty
 * database. As long as the files were made from the current migrations they are returned, and no database is
 * started.
 */
export async function schemaFiles(there: SchemaFiles<string | null>): Promise<SchemaFiles> {
  const migrations = migrationsDigest();
  const { catalogue, columns } = there;
  const isOfThese = (text: string | null): text is string =>
    text?.startsWith(`{"migrations": "${migrations}"`) ?? false;
  if (isOfThese(catalogue) && isOfThese(columns)) return { catalogue, columns };
  const data_dir = mkdtempSync(join(tmpdir(), "waybill-generate-"));
  chmodSync(data_dir, 0o755);
  const embedded = await startEmbedded({ data_dir, fsync: false });
  const { url } = embedded;
  const { db, close } = connect({ url, connections_max: 2, application_name: "generate" });
  try {
    await migrate(db);
    return {
      catalogue: catalogueText({ migrations, entries: await readCatalogue(db) }),
      columns: columnsText({ migrations, columns: await readColumns(db) }),
    };
  } finally {
    await close();
    await embedded.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}
