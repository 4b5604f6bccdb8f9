import type { FastifyReply, FastifyRequest } from "fastify";
import type { FoundOperator, FoundUser, Membership, Platform } from "../context.ts";
import type { Environment } from "../database/tables.ts";
import { scopesOf } from "../domain/accounts/roles.ts";
import { ApiError, notFound } from "../domain/errors/errors.ts";
import type { BeforeLookup, Caller } from "./authenticate.ts";
import { readCookie, type CookieKind } from "./cookies.ts";
import { refuseCrossOrigin } from "./cross-origin.ts";
import { knownSecrets } from "./known-secrets.ts";
import { publicOrigin } from "./public-origin.ts";
import { noteSessionUse } from "./session-store.ts";
import { hashToken, tokenMissing } from "./tokens.ts";

/**
 * A signed-in person as a caller: a cookie in place of a token. The account is the organization's for the
 * base address, the scopes are the role's, and from here on nothing knows the difference.
 */

/**
 * The authentication by cookie. Throws 401 `unauthenticated`, 403 `cross_origin` and `account_suspended`,
 * 400 `organization_required`, 404 for an organization that the person is no member of.
 */
export function sessionAuthenticator(
  platform: Platform,
  environment: Environment,
  beforeLookup: BeforeLookup,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Caller> {
  const find = sessionFinder(platform, { kind: "ses", beforeLookup });
  return async (request, reply) => {
    const found = await find(request, reply, (hash) => platform.callers.findUser(hash));
    const membership = membershipOf(found, request.headers["x-waybill-organization"]);
    const caller = callerOf(found, membership, environment);
    request.known_caller = caller;
    const its = membership.accounts.find(({ account }) => account === caller.account);
    if (its?.suspended_at) throw new ApiError("account_suspended");
    return caller;
  };
}

/** The same for `/api/admin`. */
export function operatorSessionAuthenticator(
  platform: Platform,
  beforeLookup: BeforeLookup,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FoundOperator> {
  const find = sessionFinder(platform, { kind: "ops", beforeLookup });
  return (request, reply) => find(request, reply, (hash) => platform.callers.findOperator(hash));
}

/** Reads the cookie, and finds a session that is in force and lacks nothing. */
function sessionFinder(
  platform: Platform,
  { kind, beforeLookup }: { kind: CookieKind; beforeLookup: BeforeLookup },
) {
  const known = knownSecrets();
  const use = sessionUses(platform);
  return async <Found extends FoundUser | FoundOperator>(
    request: FastifyRequest,
    reply: FastifyReply,
    lookUp: (hash: Buffer) => Promise<Found | null>,
  ): Promise<Found> => {
    const text = readCookie(request, kind, platform.config);
    if (text === null) throw tokenMissing();
    refuseCrossOrigin(request, publicOrigin(request.server, platform.config)());
    const hash = hashToken(text);
    const isKnown = known.has(hash);
    if (!isKnown) await beforeLookup(request, reply);
    const found = await lookUp(hash);
    if (!found) throw new ApiError("unauthenticated");
    if (!isKnown) known.add(hash);
    if (found.needs !== null || !isInForce(found, kind, platform.clock.now()))
      throw new ApiError("unauthenticated");
    use(found);
    return found;
  };
}

const idleMs: Record<CookieKind, number> = { ses: 14 * 86_400_000, ops: 30 * 60_000 };

/** Whether a session has neither ended nor been idle for too long, and its person may still sign in. */
export function isInForce(
  { seen_at, expires_at, is_disabled }: FoundUser | FoundOperator,
  kind: CookieKind,
  now: Date,
): boolean {
  return !is_disabled && expires_at > now && now.getTime() - seen_at.getTime() < idleMs[kind];
}

function membershipOf(
  { memberships }: FoundUser,
  named: string | string[] | undefined,
): Membership {
  if (named !== undefined) {
    const found = memberships.find(({ organization_id }) => organization_id === named);
    if (!found) throw notFound();
    return found;
  }
  const [only, ...others] = memberships;
  if (!only) throw notFound();
  if (others.length === 0) return only;
  throw new ApiError("organization_required", {
    details: {
      organizations: memberships.map(({ organization_id, organization_name }) => ({
        id: organization_id,
        name: organization_name,
      })),
    },
  });
}

function callerOf(
  found: FoundUser,
  { accounts, role }: Membership,
  environment: Environment,
): Caller {
  const its = accounts.find(({ account }) => account.environment === environment);
  if (!its) throw notFound();
  const { user_id, strong_until } = found;
  return {
    account: its.account,
    token: { id: user_id, scopes: scopesOf(role, environment) },
    principal: { kind: "user", id: user_id },
    session: { id: found.id, role, strong_until },
  };
}

const useNotedMs = 60_000;
const notedMax = 10_000;

/** Notes each session's use at most once a minute; no request waits for it. */
export function sessionUses({ db, clock, log }: Platform): (found: { id: string }) => void {
  const noted = new Map<string, number>();
  return ({ id }) => {
    const now = clock.now();
    const last = noted.get(id);
    if (last !== undefined && Math.abs(now.getTime() - last) < useNotedMs) return;
    if (noted.size >= notedMax) noted.clear();
    noted.set(id, now.getTime());
    noteSessionUse(db, id, now).catch((error: unknown) => {
      log.debug({ err: error, session_id: id }, "session.use_not_noted");
    });
  };
}
