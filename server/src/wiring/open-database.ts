import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { connect, onOneConnection } from "../database/connect.ts";
import { startContinuity } from "../database/health/continuity.ts";
import { continuityFile } from "../database/health/continuity-file.ts";
import { startEmbedded } from "../database/embedded-postgres/embedded-postgres.ts";
import { checkDatabase } from "../database/check-database.ts";
import { migrate } from "../database/migrate.ts";
import { startLoops } from "../jobs/loops.ts";
import { prepareDataDirectory } from "./secret.ts";

interface Finding {
  log?: Logger | undefined;
  /** Refuses a database without Waybill's tables, and makes no embedded one. */
  must_exist?: boolean | undefined;
}

/**
 * The address of the operator's own PostgreSQL, or of the embedded one, which is started. Not migrated here. Throws why
 * there is no connection with it.
 */
export async function findDatabase(
  config: Config,
  undo: (() => Promise<unknown>)[],
  { log, must_exist = false }: Finding = {},
): Promise<string> {
  if (config.database_url !== "") {
    await checkDatabase(config.database_url, { has_schema: must_exist });
    return config.database_url;
  }
  prepareDataDirectory(config, { must_exist });
  const embedded = await startEmbedded({ data_dir: config.data_dir, log });
  undo.push(() => embedded.stop());
  if (must_exist) await checkDatabase(embedded.url, { has_schema: true });
  return embedded.url;
}

/** The same with the schema of this release, and a connection to it. */
export async function openDatabase(
  config: Config,
  undo: (() => Promise<unknown>)[],
  { log, must_exist, isPatient = false }: Finding & { isPatient?: boolean } = {},
) {
  const options = {
    url: await findDatabase(config, undo, { log, must_exist }),
    connections_max: config.database_connections_max,
    application_name: "waybill",
  };
  const noTimeout = connect({ ...options, statement_timeout_ms: 0 });
  undo.push(() => noTimeout.close());
  await migrate(noTimeout.db);
  const no_timeout_db = noTimeout.db;
  const { url } = options;
  if (isPatient || !log) return { url, db: no_timeout_db, no_timeout_db };
  const memory = continuityFile(config.data_dir);
  const continuity = await onOneConnection(no_timeout_db, (ask) =>
    startContinuity(ask, { memory, log }),
  );
  const { check } = continuity;
  const database = connect({ ...options, watch: log, check });
  undo.push(() => database.close());
  const counting = startLoops(
    [
      {
        name: "database.continuity",
        every_ms: 1000,
        run: async () => {
          await onOneConnection(database.db, continuity.count);
          return false;
        },
      },
    ],
    log,
  );
  undo.push(() => counting.stop());
  return { url, db: database.db, no_timeout_db };
}
