import { pino } from "pino";
import { buildApp } from "../server/src/wiring/app.ts";
import { readConfig } from "../server/src/config.ts";
import { connect } from "../server/src/database/connect.ts";
import { baseOf } from "../server/src/http/authenticate.ts";
import { assemble } from "../server/src/wiring/main.ts";

/**
 * The OpenAPI documents as both base addresses serve them by default, read from an app that is built as
 * it is served, on a connection that is never opened: needs no database and no network.
 */
export async function openApiDocuments(): Promise<{ live: object; test: object }> {
  const config = readConfig({});
  const database = connect({
    url: "postgres://127.0.0.1/never_connected",
    connections_max: 1,
    application_name: "generate",
  });
  const app = await buildApp(
    assemble({
      config,
      log: pino({ level: "error" }, pino.destination(2)),
      secret: "",
      db: database.db,
      simulatorUrl: "http://127.0.0.1",
      processId: "",
      address: { url: "" },
    }),
  );
  const read = async (base: string): Promise<object> => {
    const response = await app.inject({ url: `${base}/openapi.json` });
    if (response.statusCode !== 200)
      throw new Error(`the app answered its document with ${response.statusCode}`);
    return response.json<object>();
  };
  try {
    return { live: await read(baseOf.live), test: await read(baseOf.test) };
  } finally {
    await app.close();
    await database.close();
  }
}
