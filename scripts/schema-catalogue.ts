import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  catalogueText,
  migrationsDigest,
  readCatalogue,
} from "../server/src/database/catalogue.ts";
import { connect } from "../server/src/database/connect.ts";
import { startEmbedded } from "../server/src/database/embedded-postgres/embedded-postgres.ts";
import { migrate } from "../server/src/database/migrate.ts";

/**
 * `server/migrations/catalogue.json`: what an empty database is made to be by the migrations. As long as they are
 * those of the text that is there, it is that text, and no database is started.
 */
export async function schemaCatalogue(there: string | null): Promise<string> {
  const migrations = migrationsDigest();
  if (there?.startsWith(`{"migrations": "${migrations}"`)) return there;
  const data_dir = mkdtempSync(join(tmpdir(), "waybill-generate-"));
  chmodSync(data_dir, 0o755);
  const embedded = await startEmbedded({ data_dir, fsync: false });
  const { url } = embedded;
  const { db, close } = connect({ url, connections_max: 2, application_name: "generate" });
  try {
    await migrate(db);
    return catalogueText({ migrations, entries: await readCatalogue(db) });
  } finally {
    await close();
    await embedded.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}
