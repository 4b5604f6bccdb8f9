import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context, IdempotencyClaim, IdempotencyKey, Platform, Seal } from "../context.ts";
import type { Database } from "../database/tables.ts";
import { sealingPurpose } from "../database/reseal.ts";
import { retryUntilAvailable } from "../database/retry.ts";
import { DatabaseUnavailable, isUnavailable } from "../database/errors.ts";
import { ApiError, type ErrorCode } from "../domain/errors/errors.ts";
import { allows } from "../domain/accounts/scopes.ts";
import type { Sealer } from "../domain/accounts/sealer.ts";
import { bodyOf, jsonType } from "./errors.ts";
import { storeResponse, takenOver, type StoredResponse } from "./idempotency.ts";
import type { RateLimits } from "./rate-limits.ts";
import { headerValues } from "./repeated-headers.ts";
import {
  claimKey,
  fingerprintOf,
  leaveClaimOpen,
  releaseClaim,
  storedResponse,
} from "./idempotency-claims.ts";
import { inFlightRequests, type Wanted } from "./in-flight.ts";

/** Runs the first request of each Idempotency-Key and repeats its answer to the others (decision 4). */
export interface IdempotentRequests {
  /** Before the body is read: claims the key, or returns the answer to repeat. Throws 400 and 409. */
  begin(request: FastifyRequest, body: Buffer): Promise<StoredResponse | null>;
  /**
   * Before the answer is sent: stores it, unless the verb did, or releases the key. Returns the answer
   * to send instead when this one could not become the key's one answer. Never throws.
   */
  end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown>;
}

/** How many bytes of answers an account may have stored: the only bound where a call has no effect. */
type StorageLimits = Pick<RateLimits, "refuseStored" | "spendStored">;

/** Without `limits` an account may have any number of bytes of answers stored. */
export function idempotentRequests(
  platform: Platform,
  limits: StorageLimits | null = null,
): IdempotentRequests {
  const { config, db, log, process_id } = platform;
  const { enter, leave } = inFlightRequests(
    (wanted) =>
      claimKey(db, wanted, {
        holder_id: process_id,
        lease_seconds: config.lease_seconds,
        window_hours: config.idempotency_window_hours,
      }),
    config.idempotency_in_flight_wait_ms,
  );

  /**
   * Releases a claim that stayed in this process's name while the database was unavailable: other
   * processes would wait for it as long as this one runs. It is entered like any other, so that no
   * concurrent request of this process loses it.
   */
  function letGo(wanted: Wanted): void {
    retryUntilAvailable(async () => {
      const entered = await enter(wanted);
      if ("status" in entered) return;
      await leaveClaimOpen(db, entered).finally(() => leave(entered, null));
    }).catch((error: unknown) => log.info({ err: error, key: wanted.key }, "idempotency.not_left"));
  }

  return {
    async begin(request, body) {
      const key = readKey(request);
      if (key === null && request.routeOptions.config.key === "required") throw keyMissing();
      if (key === null) return null;
      const { account_id } = request.ctx.account;
      const { secret_answer } = request.routeOptions.config;
      // A secret is shown again to the token that asked for it, and to no other.
      const asker = secret_answer ? ` ${request.ctx.token.id}` : "";
      const method = request.method + limitsOfSight(request.ctx) + asker;
      const fingerprint = fingerprintOf(method, request.originalUrl, body);
      const wanted: Wanted = { account_id, key, fingerprint };
      if (secret_answer) wanted.seal = sealOf(platform.sealer, wanted);
      const entered = await enter(wanted).catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable && error.may_have_run) letGo(wanted);
        throw error;
      });
      if ("status" in entered) return entered;
      request.ctx.claim = entered;
      // A request that resumes continues whatever the account's stored bytes.
      if (entered.subject_id === null) await limits?.refuseStored(account_id);
      return null;
    },

    async end(request, reply, payload) {
      const { claim } = request.ctx;
      if (!claim) return payload;
      const given = lastWord(request, reply, payload);
      let final: StoredResponse | null = null;
      let substitute: StoredResponse | null = null;
      try {
        if (given) {
          final = await keep(db, claim, given);
          await limits?.spendStored(claim.account_id, Buffer.byteLength(given.body));
          // Another process took the key over while this one stalled: only its answer counts.
          if (final !== given) substitute = final ?? refusal(takenOver());
        } else await letGoOf(platform, claim, { request, reply });
      } catch (error) {
        // The claim stays in this process's name: its next request with this key resumes, and once
        // the claim is released, so does another process's. That one may be answered differently.
        request.log.error({ err: error, key: claim.key }, "idempotency.not_stored");
        if (isUnavailable(error)) letGo(claim);
        if (given)
          substitute = refusal(new ApiError("unavailable", { retry_after: 1, cause: error }));
      } finally {
        leave(claim, final);
      }
      if (!substitute) return payload;
      if (substitute === final) void reply.header("idempotent-replay", "true");
      return tell(reply, substitute);
    },
  };
}

/** Bound to its row: what is sealed for one key opens for no other. */
function sealOf(sealer: Sealer, { account_id, key }: IdempotencyKey): Seal {
  const purpose = sealingPurpose("idempotency_keys", account_id, key);
  return {
    seal: (body) => sealer.seal(body, purpose),
    open: (sealed) => sealer.open(sealed, purpose),
  };
}

/** What a token may see is part of the fingerprint: one that may see less replays no other's answer. */
function limitsOfSight({ token, ltl_only, verb_scopes = [] }: Context): string {
  const missing = verb_scopes.filter((scope) => !allows(token.scopes, [scope]));
  return (ltl_only ? " ltl" : "") + missing.map((scope) => ` ${scope}`).join("");
}

/** The request's key, or null when it has none. Throws 400 for anything but one usable key. */
function readKey(request: FastifyRequest): string | null {
  if (request.headers["idempotency-key"] === undefined) return null;
  const values = headerValues(request.raw, "idempotency-key");
  const key = values.length === 1 ? values[0]!.replace(/^"(.*)"$/, "$1") : "";
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw new ApiError("invalid_idempotency_key");
  return key;
}

function keyMissing(): ApiError {
  return new ApiError("invalid_idempotency_key", {
    message: "This call needs an Idempotency-Key, so that repeating it moves no money twice.",
  });
}

/** The answer that the key replays from now on; null when this one is not final. */
function lastWord(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): StoredResponse | null {
  const { claim } = request.ctx;
  const { statusCode: status, answer } = reply;
  const body = payload ?? "";
  if (answer?.is_stored && answer.status === status && answer.body === body) return answer;
  const code = request.refusal?.code;
  if (claim?.unresolved || typeof body !== "string" || !isFinal(status, code)) return null;
  return { status, headers: replayedHeaders(reply), body };
}

/** Stores the answer. Returns what the key answers now: this, another process's, or none yet. */
async function keep(
  db: Database,
  claim: IdempotencyClaim,
  given: StoredResponse,
): Promise<StoredResponse | null> {
  if (given.is_stored || (await storeResponse(db, claim, given))) return given;
  const stored = await storedResponse(db, claim);
  const isSame = stored?.status === given.status && stored.body === given.body;
  return isSame ? given : stored;
}

async function letGoOf(
  { db }: Platform,
  claim: IdempotencyClaim,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const isUnresolved = claim.unresolved || isUnknown(reply.statusCode, request.refusal?.code);
  // A retry continues with what this request made, and makes no second one.
  const isOpen = isUnresolved || claim.subject_id !== null;
  await (isOpen ? leaveClaimOpen(db, claim) : releaseClaim(db, claim));
}

function refusal(error: ApiError): StoredResponse {
  const headers = { "content-type": jsonType, "retry-after": String(error.retry_after) };
  return { status: error.status, headers, body: bodyOf(error) };
}

/** Replaces the answer that is about to be sent; returns its body. */
function tell(reply: FastifyReply, { status, headers, body }: StoredResponse): string {
  for (const name of ["content-type", "location", "retry-after"]) reply.removeHeader(name);
  void reply.code(status).headers(headers);
  return body;
}

/** Something may have happened outside: the outcome can still be recorded for the key. */
function isUnknown(status: number, code: ErrorCode | undefined): boolean {
  return status === 500 || status === 503 || code === "purchase_pending";
}

// Refusals that depend on the moment or the token, not on the request.
const passing = new Set([400, 401, 403, 406, 408, 413, 415, 429]);
const openCodes = new Set<ErrorCode | undefined>([
  "criteria_too_slow",
  "idempotency_in_progress",
  "purchase_pending",
]);

function isFinal(status: number, code: ErrorCode | undefined): boolean {
  return status < 500 && !passing.has(status) && !openCodes.has(code);
}

function replayedHeaders(reply: FastifyReply): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of ["content-type", "location"]) {
    const value = reply.getHeader(name);
    if (typeof value === "string") headers[name] = value;
  }
  return headers;
}

declare module "fastify" {
  interface FastifyReply {
    /** The answer that `send` was given; absent for what the framework answers. */
    answer?: StoredResponse;
  }
}
