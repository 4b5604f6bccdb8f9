import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FoundOperator, FoundUser, Platform } from "../context.ts";
import type { Principal } from "../domain/accounts/principal.ts";
import { requireStrong } from "../domain/accounts/strong.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { acceptBodies, bytesOf, largeBodyRefusal, readJson } from "./bodies.ts";
import { readCookie, setCookie, type CookieKind } from "./cookies.ts";
import { refuseCrossOrigin, refuseOtherSites } from "./cross-origin.ts";
import { documentAuth } from "./openapi-auth.ts";
import { unknownRoutes } from "./methods.ts";
import { refusePlainHttp } from "./plain-http.ts";
import { publicOrigin } from "./public-origin.ts";
import { pageLimit, rateLimits, type RateLimits } from "./rate-limits.ts";
import type { Routes } from "./routes.ts";
import { serveDocument } from "./serve-document.ts";
import { isInForce, sessionUses } from "./session-caller.ts";
import { hashToken, withoutTokens } from "./tokens.ts";
import { validateBySchemas } from "./validators.ts";

/**
 * `/api/auth`: who people are. By cookie alone, because a token that was stolen must never make a user. It
 * has the envelopes and errors of the API, and neither Idempotency-Keys nor a request log: none of its bodies
 * may be stored.
 */

const authBase = "/api/auth";

/**
 * Whom a route is for: `anyone`, or a session of a user or an operator; `strong` where the password was just
 * given, `unfinished` also where the sign-in still lacks its second factor.
 */
type Audience =
  | "anyone"
  | "user"
  | "strong_user"
  | "unfinished_user"
  | "operator"
  | "strong_operator"
  | "unfinished_operator";

/** The context of a verb of `/api/auth`. */
export interface Visit extends Platform {
  principal: Principal;
  request_id: string;
  ip: string;
  user_agent: string;
  /** Where links for people begin. */
  origin: string;
  /** The hash of the cookie that was sent, in force or not; null without one. */
  cookie_hash: Buffer | null;
  user: FoundUser | null;
  operator: FoundOperator | null;
  /** Counts a failure against the address: throws 429 in place of 401 from its limit on. */
  countFailure(): Promise<void>;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whom a route of `/api/auth` is for; every one states it. */
    audience?: Audience;
    /** A body in the form of a URL's query is accepted in addition to JSON. */
    urlencoded?: true;
  }
  interface FastifyRequest {
    visit: Visit;
  }
}

/** Serves the routes under `/api/auth`. Throws at the start for a route that states no audience. */
export function openAuthApi(app: FastifyInstance, platform: Platform, routes: Routes[]): void {
  const limits = rateLimits(platform.config);
  const anonymous = pageLimit(platform.config);
  const origin = publicOrigin(app, platform.config);
  const use = sessionUses(platform);
  let documented: FastifyInstance;
  serveDocument(app, authBase, () => documented);
  app.register(
    async (scope) => {
      documented = scope;
      await documentAuth(scope);
      scope.decorateRequest("visit", null as never);
      acceptBodies(scope, platform.config);
      limitStrangersBodies(scope);
      validateBySchemas(scope);
      const refusalOf = unknownRoutes(scope);
      refuseRoutesWithoutAudience(scope);
      scope.addHook("onRequest", async (request, reply) => {
        void reply.header("cache-control", "no-store");
        const tooLarge = largeBodyRefusal(request);
        if (tooLarge) throw tooLarge;
        if (request.is404) throw refusalOf(request, reply);
        const visit = await visitOf(platform, request, { origin, limits, reply });
        const person = visit.user ?? visit.operator;
        if (person) await limits.spend(reply, { token_id: person.id, account_id: person.id });
        else await anonymous(reply, request.ip);
        refuseOutsiders(visit, request.routeOptions.config.audience!);
        if (person) use(person);
        request.is_caller_known = person !== null;
        request.visit = visit;
      });
      scope.addHook("preValidation", async (request) => {
        if (request.method === "GET" || request.method === "HEAD") return;
        const isForm = request.routeOptions.config.urlencoded && isUrlencoded(request);
        const bytes = bytesOf(request);
        request.body = isForm ? formOf(bytes) : await readJson(request, bytes);
      });
      for (const register of routes) await register(scope);
    },
    { prefix: authBase },
  );
}

/** What anybody may send is read and parsed before it is known who it is: no such body has more than a few texts. */
const strangersBytesMax = 16_384;

/**
 * Node takes seconds to parse a mebibyte of separators. RFC 8628 has three texts beside `grant_type`; ours are of at
 * most 200 characters, which are up to 12 bytes each in a form.
 */
const formBytesMax = 8192;

function limitStrangersBodies(scope: FastifyInstance): void {
  scope.addHook("onRoute", (route) => {
    if (route.config?.urlencoded) route.bodyLimit = formBytesMax;
    else if (route.config?.audience === "anyone") route.bodyLimit = strangersBytesMax;
  });
}

function isUrlencoded({ headers }: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded *(;|$)/i.test(headers["content-type"] ?? "");
}

function formOf(bytes: Buffer): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(bytes.toString()));
}

/** Who visits, by the cookie of the route's audience. */
async function visitOf(
  platform: Platform,
  request: FastifyRequest,
  { origin, limits, reply }: { origin: () => string; limits: RateLimits; reply: FastifyReply },
): Promise<Visit> {
  const { config, callers, clock } = platform;
  const audience = request.routeOptions.config.audience!;
  const kind: CookieKind = isForOperators(request, audience) ? "ops" : "ses";
  const cookie = readCookie(request, kind, config);
  if (cookie === null) refuseOtherSites(request, origin());
  else refuseCrossOrigin(request, origin());
  if (request.method !== "GET") refusePlainHttp(request, config);
  if (audience === "anyone" && request.method !== "GET")
    await limits.refuseFailed(reply, request.ip);
  const cookie_hash = cookie === null ? null : hashToken(cookie);
  const find = async <Found extends FoundUser | FoundOperator>(found: Promise<Found | null>) => {
    const person = await found;
    return person && isInForce(person, kind, clock.now()) ? person : null;
  };
  const user = cookie_hash && kind === "ses" ? await find(callers.findUser(cookie_hash)) : null;
  const operator =
    cookie_hash && kind === "ops" ? await find(callers.findOperator(cookie_hash)) : null;
  return {
    ...platform,
    principal: principalOf(user, operator),
    request_id: withoutTokens(request.id),
    ip: request.ip,
    user_agent: withoutTokens(request.headers["user-agent"] ?? "").slice(0, 300),
    origin: origin(),
    cookie_hash,
    user,
    operator,
    countFailure: () => limits.spendFailure(reply, request.ip),
  };
}

function isForOperators({ routeOptions }: FastifyRequest, audience: Audience): boolean {
  return (
    audience.endsWith("operator") || (routeOptions.url ?? "").startsWith(`${authBase}/operator/`)
  );
}

/** A visitor without a session acts as the platform, until a verb learns who it is. */
function principalOf(user: FoundUser | null, operator: FoundOperator | null): Principal {
  if (user) return { kind: "user", id: user.user_id };
  if (operator) return { kind: "operator", name: operator.email };
  return { kind: "system", name: "auth" };
}

function refuseOutsiders({ user, operator, clock }: Visit, audience: Audience): void {
  if (audience === "anyone") return;
  const person = audience.endsWith("operator") ? operator : user;
  const isFinished = person?.needs === null;
  if (!person || (!isFinished && !audience.startsWith("unfinished")))
    throw new ApiError("unauthenticated", { message: "Sign in first." });
  if (audience.startsWith("strong")) requireStrong(person, clock.now());
}

/** A verb's result whose cookie begins, or ends, a session. */
export interface WithCookie<Data> {
  data: Data;
  /** The cookie's new value; null ends it, undefined leaves it. */
  cookie?: { kind: CookieKind; value: string | null };
}

/** Sets the cookie of a verb's result, and returns its data in an envelope. */
export function sendWithCookie<Data>(
  request: FastifyRequest,
  reply: FastifyReply,
  { data, cookie }: WithCookie<Data>,
): { data: Data } {
  if (cookie) setCookie(reply, cookie, request.visit.config);
  return { data };
}

/** A route without an audience must stop the start, not be open to all. */
function refuseRoutesWithoutAudience(scope: FastifyInstance): void {
  scope.addHook("onRoute", ({ method, url, config }) => {
    if (!config?.audience) throw new Error(`${String(method)} ${url} does not state its audience`);
  });
}
