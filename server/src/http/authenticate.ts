import type { FastifyReply, FastifyRequest } from "fastify";
import type { Account, FoundToken, Platform, SessionIdentity, TokenIdentity } from "../context.ts";
import type { Environment } from "../database/tables.ts";
import type { Principal } from "../domain/accounts/principal.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { knownSecrets } from "./known-secrets.ts";
import { operatorSessionAuthenticator, sessionAuthenticator } from "./session-caller.ts";
import { findOperatorToken, noteTokenUse } from "./token-store.ts";
import { hashToken, kindOfToken, tokenMissing, type TokenKind } from "./tokens.ts";

/**
 * Authentication (spec 5, decision 3). Everything that is not a valid token or session is 401, with its
 * reason. A session counts only where no Authorization header was sent.
 */

export interface Caller {
  account: Account;
  token: TokenIdentity;
  principal: Principal;
  session?: SessionIdentity;
}

/** The base addresses by environment, for the hint that a token was sent to the wrong one. */
export const baseOf: Record<Environment, string> = { live: "/api/v5", test: "/sandbox/api/v5" };

export type Authenticate<Who> = (request: FastifyRequest, reply: FastifyReply) => Promise<Who>;

/** Throws when the database must not be queried for a token that this process has not seen to exist. */
export type BeforeLookup = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Makes the check for one environment's base address. Throws 401 `unauthenticated`, `token_expired`,
 * `token_revoked`, 403 `account_suspended`, and what `beforeLookup` throws.
 */
export function authenticator(
  platform: Platform,
  environment: Environment,
  beforeLookup: BeforeLookup,
): Authenticate<Caller> {
  const use = tokenUses(platform);
  const known = knownSecrets();
  const bySession = sessionAuthenticator(platform, environment, beforeLookup);
  return async (request, reply) => {
    const { authorization, cookie } = request.headers;
    if (authorization === undefined && cookie !== undefined) return bySession(request, reply);
    const text = bearerOf(request);
    const kind = kindOfToken(text);
    if (kind !== environment) throw wrongKind(kind);
    const hash = hashToken(text);
    const isKnown = known.has(hash);
    if (!isKnown) await beforeLookup(request, reply);
    const found = await platform.callers.find(hash);
    if (!found) throw new ApiError("unauthenticated");
    if (!isKnown) known.add(hash);
    request.known_caller = found;
    refuseUnlessInForce(found, platform.clock.now());
    use(found);
    return found;
  };
}

/** The same for `/api/admin`: returns the name of an operator's token, or of the operator who signed in. */
export function operatorAuthenticator(
  platform: Platform,
  beforeLookup: BeforeLookup,
): Authenticate<string> {
  const known = knownSecrets();
  const bySession = operatorSessionAuthenticator(platform, beforeLookup);
  return async (request, reply) => {
    const { authorization, cookie } = request.headers;
    if (authorization === undefined && cookie !== undefined)
      return (await bySession(request, reply)).email;
    const text = bearerOf(request);
    if (kindOfToken(text) !== "op") throw new ApiError("unauthenticated");
    const hash = hashToken(text);
    if (!known.has(hash)) await beforeLookup(request, reply);
    const operator = await findOperatorToken(platform.db, hash);
    if (!operator) throw new ApiError("unauthenticated");
    known.add(hash);
    return operator.name;
  };
}

function bearerOf(request: FastifyRequest): string {
  const match = /^bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? "");
  if (!match) throw tokenMissing();
  return match[1]!;
}

function wrongKind(kind: TokenKind | null): ApiError {
  if (kind === "live" || kind === "test") {
    const name = kind === "live" ? "production" : "sandbox";
    return new ApiError("unauthenticated", {
      message: `This is a ${name} token; its base address is ${baseOf[kind]}.`,
    });
  }
  return new ApiError("unauthenticated");
}

function refuseUnlessInForce(found: FoundToken, now: Date): void {
  if (found.revoked_at && found.revoked_at <= now) throw new ApiError("token_revoked");
  if (found.expires_at && found.expires_at <= now) throw new ApiError("token_expired");
  if (found.suspended_at) throw new ApiError("account_suspended");
}

const useNotedMs = 60_000;
// Enough for every token in use; an evicted one is noted, or seen, once more.
const notedMax = 10_000;

/** Notes each token's use at most once a minute; no request waits for it. */
function tokenUses({ db, clock, log }: Platform): (found: FoundToken) => void {
  const noted = new Map<string, number>();
  return ({ account, token }) => {
    const now = clock.now();
    const last = noted.get(token.id);
    if (last !== undefined && Math.abs(now.getTime() - last) < useNotedMs) return;
    if (noted.size >= notedMax) noted.clear();
    noted.set(token.id, now.getTime());
    noteTokenUse(db, { account_id: account.account_id, id: token.id }, now).catch(
      (error: unknown) => {
        log.debug({ err: error, token_id: token.id }, "token.use_not_noted");
      },
    );
  };
}
