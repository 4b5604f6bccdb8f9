import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Account, Platform } from "../context.ts";
import { onBehalfOf } from "../database/driver/on-behalf-of.ts";
import type { Environment } from "../database/tables.ts";
import { readSettings } from "../domain/accounts/account-settings.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { activityOf } from "../domain/scheduling/activity.ts";
import { aboutSubject } from "../domain/logs/call-subject.ts";
import { operatorsAccountId } from "../events/audit-log.ts";
import { acceptedType } from "./accept.ts";
import { admission, type Admission } from "./admission.ts";
import { ownWork, type OwnWork } from "./own-work.ts";
import {
  authenticator,
  baseOf,
  operatorAuthenticator,
  type Authenticate,
  type BeforeLookup,
} from "./authenticate.ts";
import { acceptBodies, bytesOf, largeBodyRefusal, readJson } from "./bodies.ts";
import { isForm, readForm } from "./forms.ts";
import type { StoredResponse } from "./idempotency.ts";
import { idempotentRequests, type IdempotentRequests } from "./idempotent-requests.ts";
import { unknownRoutes } from "./methods.ts";
import { documentRoutes } from "./openapi.ts";
import { publicOrigin } from "./public-origin.ts";
import { rateLimits, type RateLimits } from "./rate-limits.ts";
import { logRequests } from "./request-log.ts";
import { send, type Routes } from "./routes.ts";
import { serveDocument } from "./serve-document.ts";
import { allows, requireScope } from "../domain/accounts/scopes.ts";
import { withoutTokens } from "./tokens.ts";
import { validateBySchemas } from "./validators.ts";

/**
 * The order in which every request is checked (decision 2), and the only place that knows it:
 * size → authentication → rate limit → route/method → scope → admission → idempotency → body → validation →
 * handler.
 *
 * `wiring/app.ts` calls `openApi(app, platform, [shipmentRoutes, labelRoutes, …])` once: it serves the
 * routes at both base addresses, each for the tokens of its own environment, with `request.ctx` set.
 */
export function openApi(app: FastifyInstance, platform: Platform, routes: Routes[]): void {
  const limits = rateLimits(platform.config);
  const admitted = admission(platform.config);
  const work = ownWork(platform.config);
  for (const environment of ["live", "test"] as const) {
    openBase(app, platform, { environment, limits, admitted, work, routes });
  }
}

interface Base {
  environment: Environment;
  limits: RateLimits;
  admitted: Admission;
  work: OwnWork;
  routes: Routes[];
}

function openBase(
  app: FastifyInstance,
  platform: Platform,
  { environment, limits, admitted, work, routes }: Base,
): void {
  const base = baseOf[environment];
  const authenticate = countingFailures(
    authenticator(platform, environment, beforeLookup(limits)),
    limits,
  );
  const idempotency = idempotentRequests(platform, limits);
  const origin = publicOrigin(app, platform.config);
  let documented: FastifyInstance;
  serveDocument(app, base, () => documented);
  app.register(
    async (scope) => {
      documented = scope;
      await documentRoutes(scope, { environment, config: platform.config });
      acceptBodies(scope, platform.config);
      validateBySchemas(scope);
      const refusalOf = unknownRoutes(scope);
      refuseRoutesWithoutScopes(scope);

      scope.addHook("onRequest", async (request, reply) => {
        const tooLarge = largeBodyRefusal(request);
        const caller = await authenticate(request, reply).catch((error: unknown) => {
          throw tooLarge ?? error;
        });
        const {
          scopes = [],
          ltl_scopes = [],
          verb_scopes = [],
          limit,
          file_type,
        } = request.routeOptions.config;
        const token_id = caller.session?.id ?? caller.token.id;
        const counted = { token_id, account_id: caller.account.account_id };
        await limits.spend(reply, counted, limit);
        request.is_caller_known = true;
        activityOf(platform.db).note();
        if (tooLarge) throw tooLarge;
        request.ctx = {
          ...platform,
          ...caller,
          request_id: withoutTokens(request.id),
          operation: operationOf(request),
          verb_scopes,
          claim: null,
          base_url: origin() + base,
        };
        if (request.is404) throw refusalOf(request, reply);
        acceptedType(request.headers.accept, file_type);
        requireScope(caller.token, [...scopes, ...ltl_scopes]);
        if (!allows(caller.token.scopes, scopes)) request.ctx.ltl_only = { needs: scopes };
        await admitted.enter(request, reply, caller.account);
      });
      beginOnBehalf(scope, admitted, work);
      beginClaims(scope, platform, idempotency);
      endClaims(scope, idempotency);
      leaveWhenAnswered(scope, admitted, work);
      logRequests(scope, platform, base);
      for (const register of routes) await register(scope);
    },
    { prefix: base },
  );
}

/** Leaves the slot while the request waits, and enters again. */
function pausing(
  admitted: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyRequest["withoutSlot"] {
  return async (wait) => {
    admitted.leave(request);
    await wait();
    await admitted.enter(request, reply, request.ctx.account);
  };
}

/** Its name in the audit log. */
function operationOf({ method, routeOptions }: FastifyRequest): string {
  const { operationId } = routeOptions.schema ?? {};
  return operationId ?? `${method} ${routeOptions.url ?? ""}`;
}

/** Claims the request's key and reads its body, or repeats what the key has been answered with. */
function beginClaims(
  scope: FastifyInstance,
  platform: Platform,
  idempotency: IdempotentRequests,
): void {
  scope.addHook("preValidation", async (request, reply) => {
    if (request.method === "GET" || request.method === "HEAD") return;
    const bytes = bytesOf(request);
    const earlier = await idempotency.begin(request, bytes);
    if (earlier) return replay(platform, reply, earlier);
    request.body = await (isForm(request) ? readForm : readJson)(request, bytes);
  });
}

/** Stores the response for the request's key, or releases the key, before the response is sent. */
function endClaims(scope: FastifyInstance, idempotency: IdempotentRequests): void {
  scope.addHook("onSend", async (request, reply, payload) => {
    // Null when the request was refused before its caller was known.
    const ctx = request.ctx as typeof request.ctx | null;
    return ctx?.claim ? idempotency.end(request, reply, payload) : payload;
  });
}

/** The body has arrived: from here on the database is queried on behalf of the account. */
function beginOnBehalf(scope: FastifyInstance, admitted: Admission, work: OwnWork): void {
  scope.addHook("preValidation", (request, reply, done) => {
    if (request.is404) return done();
    const slot = admitted.begin(request, reply);
    if (slot) slot.then(() => done(), done);
    else done();
  });
  scope.addHook("preValidation", (request, reply, done) => {
    if (request.is404) return done();
    const { account, request_id } = request.ctx;
    const keeps_bodies = account.settings.request_log_bodies === "on";
    const begin = () =>
      aboutSubject({ request_id, keeps_bodies }, () => onBehalfOf(account.account_id, done));
    const turn = work.begin(request, reply);
    if (turn) turn.then(begin, done);
    else begin();
  });
}

function leaveWhenAnswered(scope: FastifyInstance, admitted: Admission, work: OwnWork): void {
  scope.addHook("onRequest", (request, reply, done) => {
    request.withoutSlot = pausing(admitted, request, reply);
    done();
  });
  scope.addHook("onSend", (request, reply, payload, done) => {
    const isText = typeof payload === "string" || payload instanceof Uint8Array;
    work.end(request, reply, isText ? payload.length : 0);
    admitted.leave(request);
    done();
  });
}

function replay({ metrics }: Platform, reply: FastifyReply, earlier: StoredResponse): FastifyReply {
  metrics.idempotent_replays.inc();
  void reply.header("idempotent-replay", "true");
  send(reply)(earlier);
  return reply;
}

/** A 401 counts against the client's address, and becomes 429 when there were too many. */
function countingFailures<Who>(
  authenticate: Authenticate<Who>,
  limits: RateLimits,
): Authenticate<Who> {
  return async (request, reply) => {
    try {
      return await authenticate(request, reply);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        await limits.spendFailure(reply, request.ip);
      throw error;
    }
  };
}

function beforeLookup(limits: RateLimits): BeforeLookup {
  return (request, reply) => limits.spendLookup(reply, request.ip);
}

/** A route without scopes must stop the start, not be open to every token. */
function refuseRoutesWithoutScopes(scope: FastifyInstance): void {
  scope.addHook("onRoute", ({ method, url, config }) => {
    if (!config?.scopes) throw new Error(`${String(method)} ${url} does not state its scopes`);
  });
}

declare module "fastify" {
  interface FastifyRequest {
    /** The operator's name, for requests under `/api/admin`. */
    operator: string;
  }
}

/**
 * Operators have no account. Their Idempotency-Keys are all kept under one account id that no account can
 * have: so a retry with another operator's token replays, and no key collides with an account's.
 */
const operators: Account = {
  account_id: operatorsAccountId,
  organization_id: "operators",
  environment: "live",
  currency: "",
  default_from_address: null,
  settings: readSettings({}),
};

/**
 * The same order for the operator's own API: operator tokens, no scopes, no rate limit of its own. Sets
 * `request.operator` to the token's name; verbs may use only the claim of `request.ctx`.
 */
export function openAdminApi(app: FastifyInstance, platform: Platform, routes: Routes[]): void {
  const limits = rateLimits(platform.config);
  const authenticate = countingFailures(
    operatorAuthenticator(platform, beforeLookup(limits)),
    limits,
  );
  const idempotency = idempotentRequests(platform);
  const origin = publicOrigin(app, platform.config);
  const prefix = "/api/admin";
  app.register(
    async (scope) => {
      scope.decorateRequest("operator", "");
      acceptBodies(scope, platform.config);
      validateBySchemas(scope);
      const refusalOf = unknownRoutes(scope);
      scope.addHook("onRequest", async (request, reply) => {
        const tooLarge = largeBodyRefusal(request);
        request.operator = await authenticate(request, reply).catch((error: unknown) => {
          throw tooLarge ?? error;
        });
        request.is_caller_known = true;
        activityOf(platform.db).note();
        if (tooLarge) throw tooLarge;
        const token = { id: request.operator, scopes: [] };
        const base_url = origin() + prefix;
        const principal = { kind: "operator" as const, name: request.operator };
        const request_id = withoutTokens(request.id);
        const acting = { principal, request_id, operation: operationOf(request) };
        request.ctx = { ...platform, account: operators, token, ...acting, claim: null, base_url };
        if (request.is404) throw refusalOf(request, reply);
      });
      scope.addHook("preValidation", async (request, reply) => {
        if (request.method === "GET" || request.method === "HEAD") return;
        const bytes = bytesOf(request);
        const earlier = await idempotency.begin(request, bytes);
        if (earlier) return replay(platform, reply, earlier);
        request.body = await readJson(request, bytes);
      });
      endClaims(scope, idempotency);
      for (const register of routes) await register(scope);
    },
    { prefix },
  );
}
