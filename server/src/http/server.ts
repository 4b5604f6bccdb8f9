import compress from "@fastify/compress";
import cors from "@fastify/cors";
import { fastify, LogController, type FastifyInstance } from "fastify";
import type { Platform } from "../context.ts";
import { ApiError, noSuchPath } from "../domain/errors/errors.ts";
import { refuseWhatNodeWould } from "./answered-by-node.ts";
import { respondToErrors, respondToFrameworkError, respondToSocketError } from "./errors.ts";
import { isInNetworks, readNetworks } from "../domain/reach/reach.ts";
import { reportBlockedLoop } from "./blocked-loop.ts";
import { reportHealth } from "./health.ts";
import { refuseRepeatedHeaders } from "./repeated-headers.ts";
import { nameRequests, newRequestId } from "./request-id.ts";
import { endStalledResponses } from "./stalled-responses.ts";
import { endUnusedConnections } from "./unused-connections.ts";

/**
 * The server before it knows any resource. `wiring/app.ts` continues from here:
 *
 *     const app = newServer(platform);
 *     openApi(app, platform, [shipmentRoutes, rateRoutes, …]);  // both base addresses
 *     openAdminApi(app, platform, [accountRoutes, …]);          // /api/admin
 *     openAuthApi(app, platform, [authRoutes]);                 // /api/auth
 *     serveReference(app);                                      // /docs
 *     app.get("/files/:key", …);                                // not JSON, without a token
 *
 * To stop: `app.startDraining()`, wait for the balancer to notice, `await app.close()`.
 */
export function newServer(platform: Platform): FastifyInstance {
  const { config } = platform;
  const proxies = readNetworks(config.trusted_proxies);
  const app = fastify({
    trustProxy: proxies.length > 0 && ((address: string) => isInNetworks(address, proxies)),
    loggerInstance: platform.log,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "request_id",
    }),
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: config.body_limit_bytes,
    requestTimeout: config.request_timeout_seconds * 1000,
    // The product announces draining itself: a request that still arrives while it closes is answered.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 500 },
    http: {
      requireHostHeader: false,
      maxHeaderSize: 16_384,
      headersTimeout: config.headers_timeout_seconds * 1000,
      // How often Node checks for connections whose headers or request are late: every 30 s by default.
      connectionsCheckingInterval: 5000,
    },
    frameworkErrors: respondToFrameworkError,
    clientErrorHandler: respondToSocketError,
  });
  app.server.maxConnections = config.connections_max;
  endUnusedConnections(app, config);
  endStalledResponses(app);
  nameRequests(app);
  respondToErrors(app);
  refuseWhatNodeWould(app);
  refuseRepeatedHeaders(app);
  app.setNotFoundHandler(() => {
    throw noSuchPath();
  });
  app.decorateRequest("ctx", null as never);
  app.decorateRequest("withoutSlot", null as never);
  app.decorateRequest("known_caller", null);
  app.decorateRequest("logged_answer", null);
  allowOrigins(app, config.cors_origins);
  app.register(compress, {
    threshold: 1024,
    encodings: ["br", "gzip"],
    globalDecompression: false,
  });
  reportHealth(app, platform);
  reportBlockedLoop(app, platform);
  retireVersions(app);
  return app;
}

/** Browsers may call from the listed origins only; from none by default. */
function allowOrigins(app: FastifyInstance, origins: string): void {
  const origin = origins
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
  if (origin.length === 0) return;
  app.register(cors, {
    origin,
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    exposedHeaders: [
      "Request-Id",
      "ETag",
      "Location",
      "Retry-After",
      "RateLimit",
      "RateLimit-Policy",
      "Idempotent-Replay",
    ],
    maxAge: 3600,
  });
}

/** Versions 3 and 4 are gone (decision 21); their callers are referred to v5. */
function retireVersions(app: FastifyInstance): void {
  for (const base of ["/api", "/sandbox/api"]) {
    const onRequest = async () => {
      throw new ApiError("version_gone", { details: { current: `${base}/v5` } });
    };
    for (const version of ["v3", "v4"]) {
      app.all(`${base}/${version}`, { onRequest }, async () => null);
      app.all(`${base}/${version}/*`, { onRequest }, async () => null);
    }
  }
}
