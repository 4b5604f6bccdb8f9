import type { FastifyReply, FastifyRequest } from "fastify";
import type { Platform } from "../context.ts";
import { insist } from "../database/patience.ts";
import { DatabaseAway, isUnavailable } from "../database/trouble.ts";
import { ApiError, type ErrorCode } from "../domain/errors.ts";
import {
  claimKey,
  fingerprintOf,
  leaveClaimOpen,
  releaseClaim,
  storeAnswer,
  type Answer,
  type IdempotencyClaim,
} from "./idempotency.ts";
import { twins, type Wanted } from "./twins.ts";

/** Runs the first request of each Idempotency-Key and repeats its answer to the others (decision 4). */
export interface IdempotentRequests {
  /** Before the body is read: claims the key, or returns the answer to repeat. Throws 400 and 409. */
  begin(request: FastifyRequest, body: Buffer): Promise<Answer | null>;
  /** Before the answer goes out: stores it, unless the verb did, or lets go of the key. Never throws. */
  end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void>;
}

export function idempotentRequests(platform: Platform): IdempotentRequests {
  const { config, db, clock, log, process_id } = platform;
  const { enter, leave } = twins(
    (wanted) =>
      claimKey(db, wanted, {
        holder_id: process_id,
        lease_seconds: config.lease_seconds,
        window_hours: config.idempotency_window_hours,
        now: clock.now(),
      }),
    config.idempotency_twin_wait_ms,
  );

  /**
   * A claim that the database's absence left in our name would keep other processes waiting for as
   * long as we live. It is entered like any other, so that it is not taken from a request of ours.
   */
  function letGo(wanted: Wanted): void {
    insist(async () => {
      const entered = await enter(wanted);
      if ("status" in entered) return;
      await leaveClaimOpen(db, entered, process_id).finally(() => leave(entered, null));
    }).catch((error: unknown) => log.info({ err: error, key: wanted.key }, "idempotency.not_left"));
  }

  return {
    async begin(request, body) {
      const key = readKey(request);
      if (key === null) return null;
      const { account_id } = request.ctx.account;
      const fingerprint = fingerprintOf(request.method, request.originalUrl, body);
      const wanted = { account_id, key, fingerprint };
      const entered = await enter(wanted).catch((error: unknown) => {
        if (error instanceof DatabaseAway && error.may_have_run) letGo(wanted);
        throw error;
      });
      if ("status" in entered) return entered;
      request.ctx.claim = entered;
      return null;
    },

    async end(request, reply, payload) {
      const { claim } = request.ctx;
      if (!claim) return;
      let final: Answer | null = null;
      try {
        final = await settle(platform, claim, { request, reply, payload });
      } catch (error) {
        // The answer is true all the same. The claim is left in our name: our next request with this
        // key resumes it, and once we have let go of it, so does another process's.
        request.log.error({ err: error, key: claim.key }, "idempotency.not_stored");
        if (isUnavailable(error)) letGo(claim);
      } finally {
        leave(claim, final);
      }
    },
  };
}

/** The request's key, or null when it has none. Throws 400 for what is not one usable key. */
function readKey(request: FastifyRequest): string | null {
  if (request.headers["idempotency-key"] === undefined) return null;
  // The parsed headers would show two of them as one, joined by a comma.
  const { rawHeaders } = request.raw;
  const values = rawHeaders.filter(
    (_value, place) =>
      place % 2 === 1 && rawHeaders[place - 1]!.toLowerCase() === "idempotency-key",
  );
  const key = values.length === 1 ? values[0]!.replace(/^"(.*)"$/, "$1") : "";
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw new ApiError("invalid_idempotency_key");
  return key;
}

/** Writes how the request ended. Returns the answer that later requests with the key will get, if any. */
async function settle(
  { db, process_id }: Platform,
  claim: IdempotencyClaim,
  sent: { request: FastifyRequest; reply: FastifyReply; payload: unknown },
): Promise<Answer | null> {
  const { request, reply, payload } = sent;
  const code = request.refusal?.code;
  const status = reply.statusCode;
  const body = payload ?? "";
  if (claim.recorded?.status === status && claim.recorded.body === body) return claim.recorded;
  if (claim.unresolved || isUnknown(status, code)) {
    await leaveClaimOpen(db, claim, process_id);
    return null;
  }
  if (typeof body !== "string" || !isFinal(status, code)) {
    await releaseClaim(db, claim, process_id);
    return null;
  }
  const final: Answer = { status, headers: replayedHeaders(reply), body };
  return (await storeAnswer(db, { claim, holder_id: process_id }, final)) ? final : null;
}

/** Something may have happened outside: whoever finds out can still record the answer for the key. */
function isUnknown(status: number, code: ErrorCode | undefined): boolean {
  return status === 500 || status === 503 || code === "purchase_pending";
}

// Refusals that say something about this moment or this token, not about the request.
const passing = new Set([400, 401, 403, 406, 408, 413, 415, 429]);

function isFinal(status: number, code: ErrorCode | undefined): boolean {
  return status < 500 && !passing.has(status) && code !== "idempotency_in_progress";
}

function replayedHeaders(reply: FastifyReply): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of ["content-type", "location"]) {
    const value = reply.getHeader(name);
    if (typeof value === "string") headers[name] = value;
  }
  return headers;
}
