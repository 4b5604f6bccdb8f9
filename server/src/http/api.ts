import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Platform } from "../context.ts";
import type { Environment } from "../database/tables.ts";
import { ApiError } from "../domain/errors.ts";
import { refuseUnlessJsonAccepted } from "./accept.ts";
import { authenticator, baseOf, operatorAuthenticator, type Caller } from "./authenticate.ts";
import { acceptBodies, bytesOf, isForm, readForm, readJson, refuseLargeBody } from "./bodies.ts";
import type { Answer } from "./idempotency.ts";
import { idempotentRequests } from "./idempotent-requests.ts";
import { answerUnknownRoutes } from "./methods.ts";
import { documentRoutes, serveDocument } from "./openapi.ts";
import { publicOrigin } from "./public-origin.ts";
import { rateLimits, type RateLimits } from "./rate-limits.ts";
import { send, type Routes } from "./routes.ts";
import { allows, requireScope } from "../domain/scopes.ts";
import { judgeBySchemas } from "./validators.ts";

/**
 * The order in which every request is checked (decision 2), and the only place that knows it:
 * size → authentication → rate limit → route/method → scope → idempotency → body → validation → handler.
 *
 * `app.ts` calls `openApi(app, platform, [shipmentRoutes, labelRoutes, …])` once: it serves the
 * routes at both base addresses, each for the tokens of its own environment, with `request.ctx` set.
 */
export function openApi(app: FastifyInstance, platform: Platform, routes: Routes[]): void {
  const limits = rateLimits(platform.config);
  for (const environment of ["live", "test"] as const) {
    openBase(app, platform, { environment, limits, routes });
  }
}

interface Base {
  environment: Environment;
  limits: RateLimits;
  routes: Routes[];
}

function openBase(
  app: FastifyInstance,
  platform: Platform,
  { environment, limits, routes }: Base,
): void {
  const base = baseOf[environment];
  const authenticate = countingFailures(authenticator(platform, environment), limits);
  const idempotency = idempotentRequests(platform);
  const origin = publicOrigin(app, platform.config);
  let documented: FastifyInstance;
  serveDocument(app, base, () => documented);
  app.register(
    async (scope) => {
      documented = scope;
      await documentRoutes(scope, environment);
      acceptBodies(scope, platform.config);
      judgeBySchemas(scope);
      answerUnknownRoutes(scope);
      refuseRoutesWithoutScopes(scope);

      scope.addHook("onRequest", async (request, reply) => {
        refuseLargeBody(request);
        const caller = await authenticate(request, reply);
        const { scopes = [], ltl_scopes = [], limit } = request.routeOptions.config;
        await limits.spend(reply, caller.token.id, limit);
        request.ctx = {
          ...platform,
          ...caller,
          claim: null,
          base_url: origin() + base,
        };
        if (request.is404) return;
        refuseUnlessJsonAccepted(request.headers.accept);
        requireScope(caller.token, [...scopes, ...ltl_scopes]);
        if (!allows(caller.token.scopes, scopes)) request.ctx.ltl_only = { needs: scopes };
      });

      scope.addHook("preValidation", async (request, reply) => {
        if (request.is404 || request.method === "GET" || request.method === "HEAD") return;
        const bytes = bytesOf(request);
        const earlier = await idempotency.begin(request, bytes);
        if (earlier) return replay(platform, reply, earlier);
        request.body = isForm(request) ? await readForm(request, bytes) : readJson(request, bytes);
      });

      scope.addHook("onSend", async (request, reply, payload) => {
        // Null when the request was refused before anybody knew whose it was.
        const ctx = request.ctx as typeof request.ctx | null;
        return ctx?.claim ? idempotency.end(request, reply, payload) : payload;
      });

      for (const register of routes) await scope.register(register);
    },
    { prefix: base },
  );
}

function replay({ metrics }: Platform, reply: FastifyReply, earlier: Answer): FastifyReply {
  metrics.idempotent_replays.inc();
  void reply.header("idempotent-replay", "true");
  send(reply)(earlier);
  return reply;
}

/** A 401 counts against the address that it goes to, and becomes 429 when there were too many. */
function countingFailures(
  authenticate: (request: FastifyRequest) => Promise<Caller>,
  limits: RateLimits,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Caller> {
  return async (request, reply) => {
    try {
      return await authenticate(request);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        await limits.spendFailure(reply, request.ip);
      throw error;
    }
  };
}

/** A forgotten scope must stop the start, not open a route. */
function refuseRoutesWithoutScopes(scope: FastifyInstance): void {
  scope.addHook("onRoute", ({ method, url, config }) => {
    if (!config?.scopes) throw new Error(`${String(method)} ${url} does not state its scopes`);
  });
}

declare module "fastify" {
  interface FastifyRequest {
    /** Who operates, under `/api/admin`. */
    operator: string;
  }
}

/**
 * The same order for the operator's own API: operator tokens, no scopes, no rate limit of its own, no
 * Idempotency-Keys. Sets `request.operator` to the token's name.
 */
export function openAdminApi(app: FastifyInstance, platform: Platform, routes: Routes[]): void {
  const authenticate = operatorAuthenticator(platform);
  const limits = rateLimits(platform.config);
  app.register(
    async (scope) => {
      scope.decorateRequest("operator", "");
      acceptBodies(scope, platform.config);
      judgeBySchemas(scope);
      answerUnknownRoutes(scope);
      scope.addHook("onRequest", async (request, reply) => {
        refuseLargeBody(request);
        try {
          request.operator = await authenticate(request);
        } catch (error) {
          if (error instanceof ApiError) await limits.spendFailure(reply, request.ip);
          throw error;
        }
      });
      scope.addHook("preValidation", async (request) => {
        if (!request.is404 && Buffer.isBuffer(request.body))
          request.body = readJson(request, bytesOf(request));
      });
      for (const register of routes) await scope.register(register);
    },
    { prefix: "/api/admin" },
  );
}
