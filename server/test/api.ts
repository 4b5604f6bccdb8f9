import type {
  FastifyBaseLogger,
  FastifyInstance,
  InjectOptions,
  LightMyRequestResponse,
} from "fastify";
import { bySystem } from "../src/domain/accounts/principal.ts";
import { pino } from "pino";
import { buildApp } from "../src/wiring/app.ts";
import { readConfig } from "../src/config.ts";
import type { Platform } from "../src/context.ts";
import { startHeartbeat } from "../src/database/health/heartbeat.ts";
import { json, type Database, type Environment } from "../src/database/tables.ts";
import { systemClock, type Clock } from "../src/domain/time/clock.ts";
import { newId } from "../src/domain/values/ids.ts";
import { openApi } from "../src/http/api.ts";
import { baseOf } from "../src/http/authenticate.ts";
import type { Routes } from "../src/http/routes.ts";
import { newServer } from "../src/http/server.ts";
import { assemble } from "../src/wiring/main.ts";
import { mintToken } from "../src/resources/tokens/service.ts";
import { assertDocumented } from "./documented-responses.ts";
import { testDatabase } from "./setup/database.ts";

/** The HTTP platform with routes of a test's own, for promises that no single resource makes. */
export interface TestApi {
  app: FastifyInstance;
  platform: Platform;
  db: Database;
  close(): Promise<void>;
}

export interface TestApiOptions {
  /** Routes of the test's own; without them the server has the whole product's. */
  routes?: Routes[];
  settings?: Record<string, string>;
  clock?: Clock;
  /** Another server on the same database, which behaves as a second process. */
  beside?: Pick<TestApi, "db">;
  secret?: string;
  previous_secrets?: readonly string[];
  log?: FastifyBaseLogger;
}

export async function testApi({
  routes,
  settings = {},
  clock = systemClock,
  beside,
  secret = "only-for-tests-only-for-tests-only",
  previous_secrets = [],
  log = pino({ level: "silent" }),
}: TestApiOptions): Promise<TestApi> {
  const config = readConfig({ WAYBILL_TOKEN_CACHE_MS: "0", ...settings });
  const database = beside ? { db: beside.db, close: async () => {} } : await testDatabase();
  const { db } = database;
  const heartbeat = await startHeartbeat(db, {
    role: "test",
    lease_seconds: config.lease_seconds,
    log,
  });
  const platform = assemble({
    config,
    db,
    clock,
    log,
    processId: heartbeat.process_id,
    secret,
    previous_secrets,
    // No server listens there: the promises of HTTP need no carrier.
    simulatorUrl: "http://127.0.0.1:9",
    address: { url: "http://127.0.0.1:8080" },
  });
  const app = routes ? await serveRoutes(platform, routes) : await buildApp(platform);
  return {
    app,
    platform,
    db,
    async close() {
      await app.close();
      await platform.threads.close();
      platform.journal.close();
      await heartbeat.stop();
      await database.close();
    },
  };
}

async function serveRoutes(platform: Platform, routes: Routes[]): Promise<FastifyInstance> {
  const app = newServer(platform);
  openApi(app, platform, routes);
  await app.ready();
  return app;
}

export interface TestAccount {
  account_id: string;
  environment: Environment;
}

export async function anAccount(
  { db }: Pick<TestApi, "db">,
  { environment = "test", settings = {} }: { environment?: Environment; settings?: object } = {},
): Promise<TestAccount> {
  const account_id = newId("acc");
  const organization_id = newId("org");
  await db
    .insertInto("accounts")
    .values({
      account_id,
      organization_id,
      environment,
      settings: json(settings),
      default_from_address: json(null),
      suspended_at: null,
    })
    .execute();
  return { account_id, environment };
}

export async function aToken(
  { db }: Pick<TestApi, "db">,
  account: TestAccount,
  {
    scopes = ["shipments:write"],
    expires_at = null,
  }: { scopes?: string[]; expires_at?: Date | null } = {},
): Promise<string> {
  const minting = {
    ...account,
    name: "Test",
    scopes,
    created_by: "operator",
    by: bySystem("test"),
    expires_at,
    now: new Date(),
  };
  return (await db.transaction().execute((tx) => mintToken(tx, minting))).token;
}

interface TestCall {
  token: string;
  method?: InjectOptions["method"];
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Calls a path of the environment's base with the token; a body that is no string is sent as JSON. */
export async function call(api: Pick<TestApi, "app">, request: TestCall) {
  const response = await callUnchecked(api, request);
  assertResponseDocumented(request, response);
  return response;
}

/** Fails unless the document has the response, and its body keeps to the schema there. */
export function assertResponseDocumented(
  request: TestCall,
  response: LightMyRequestResponse,
): void {
  const { method = "GET" } = request;
  const isJson = String(response.headers["content-type"]).includes("json");
  assertDocumented({
    method,
    url: urlOf(request),
    status: response.statusCode,
    body: isJson && response.body !== "" ? response.json<unknown>() : null,
  });
}

function urlOf({ token, path }: TestCall): string {
  return (token.startsWith("wb_live_") ? baseOf.live : baseOf.test) + path;
}

/** The same without comparing the response with the document, which takes the event loop of what is measured. */
export async function callUnchecked({ app }: Pick<TestApi, "app">, request: TestCall) {
  const { token, method = "GET", body, headers } = request;
  return app.inject({
    method,
    url: urlOf(request),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { payload: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}
