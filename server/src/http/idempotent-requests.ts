import { setTimeout as wait } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Platform } from "../context.ts";
import { ApiError, type ErrorCode } from "../domain/errors.ts";
import {
  claimKey,
  fingerprintOf,
  leaveClaimOpen,
  releaseClaim,
  storeAnswer,
  type Answer,
  type Found,
  type IdempotencyClaim,
  type IdempotencyKey,
} from "./idempotency.ts";

/**
 * Runs the first request of each Idempotency-Key and makes the others wait for it or repeat it
 * (decision 4). Requests of one process meet in memory; those of different processes in the table.
 */
export interface IdempotentRequests {
  /** Before the body is read: claims the key, or returns the answer to repeat. Throws 400 and 409. */
  begin(request: FastifyRequest, body: Buffer): Promise<Answer | null>;
  /** Before the answer goes out: stores it, unless the verb did, or lets go of the key. Never throws. */
  end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void>;
}

/** A request of this process that holds its key, or is about to. */
interface Running {
  fingerprint: Buffer;
  /** Resolves when the table has confirmed that the fingerprint is the key's. */
  confirmed: Promise<unknown>;
  finished: Promise<Answer | null>;
  finish(answer: Answer | null): void;
}

type Wanted = IdempotencyKey & { fingerprint: Buffer };

const pollMs = 100;

export function idempotentRequests(platform: Platform): IdempotentRequests {
  const { config, db, clock, process_id } = platform;
  const running = new Map<string, Running>();

  const claim = (wanted: Wanted): Promise<Found> =>
    claimKey(db, wanted, {
      holder_id: process_id,
      lease_seconds: config.lease_seconds,
      window_hours: config.idempotency_window_hours,
      now: clock.now(),
    });

  /** Enters the key in memory, then in the table; keeps it there while another process has it. */
  async function contend(wanted: Wanted, deadline: number): Promise<Found> {
    let attempt = claim(wanted);
    const entry = startRunning(wanted.fingerprint, attempt);
    running.set(nameOf(wanted), entry);
    let found: Found | undefined;
    try {
      found = await attempt;
      while (found.state === "running" && performance.now() < deadline) {
        await wait(Math.min(pollMs, Math.max(1, deadline - performance.now())));
        attempt = claim(wanted);
        found = await attempt;
      }
      return found;
    } finally {
      if (found?.state !== "claimed")
        leave(wanted, found?.state === "answered" ? found.answer : null);
    }
  }

  function leave(key: IdempotencyKey, answer: Answer | null): void {
    const entry = running.get(nameOf(key));
    running.delete(nameOf(key));
    entry?.finish(answer);
  }

  async function firstOrAnswer(wanted: Wanted): Promise<IdempotencyClaim | Answer> {
    const deadline = performance.now() + config.idempotency_twin_wait_ms;
    for (;;) {
      const twin = running.get(nameOf(wanted));
      if (!twin) {
        const found = await contend(wanted, deadline);
        if (found.state === "claimed") return found.claim;
        if (found.state === "answered") return found.answer;
        throw found.state === "conflict" ? conflict() : inProgress();
      }
      if (!twin.fingerprint.equals(wanted.fingerprint)) {
        await twin.confirmed;
        if (running.get(nameOf(wanted)) === twin) throw conflict();
        continue;
      }
      const answer = await before(deadline, twin.finished);
      if (answer === "late") throw inProgress();
      if (answer) return answer;
    }
  }

  return {
    async begin(request, body) {
      const key = readKey(request);
      if (key === null) return null;
      const { account_id } = request.ctx.account;
      const fingerprint = fingerprintOf(request.method, request.originalUrl, body);
      const result = await firstOrAnswer({ account_id, key, fingerprint });
      if ("status" in result) return result;
      request.ctx.claim = result;
      return null;
    },

    async end(request, reply, payload) {
      const held = request.ctx.claim;
      if (!held) return;
      let final: Answer | null = null;
      try {
        final = await settle(platform, held, { request, reply, payload });
      } catch (error) {
        // The answer is true all the same. The claim is left in our name: our next request with this
        // key, or anybody's after our death, resumes it.
        request.log.error({ err: error, key: held.key }, "idempotency.not_stored");
      } finally {
        leave(held, final);
      }
    },
  };
}

/** Writes how the request ended. Returns the answer that later requests with the key will get, if any. */
async function settle(
  { db, process_id }: Platform,
  claim: IdempotencyClaim,
  { request, reply, payload }: { request: FastifyRequest; reply: FastifyReply; payload: unknown },
): Promise<Answer | null> {
  const body = payload === undefined || payload === null ? "" : payload;
  const status = reply.statusCode;
  if (claim.recorded?.status === status && claim.recorded.body === body) return claim.recorded;
  if (claim.unresolved || status === 500 || status === 503 || request.refusal?.code === "purchase_pending") {
    await leaveClaimOpen(db, claim, process_id);
    return null;
  }
  if (typeof body !== "string" || !isFinal(status, request.refusal?.code)) {
    await releaseClaim(db, claim, process_id);
    return null;
  }
  const final: Answer = { status, headers: replayedHeaders(reply), body };
  return (await storeAnswer(db, { claim, holder_id: process_id }, final)) ? final : null;
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

/** The request's key, or null when it has none. Throws 400 for what is not one usable key. */
function readKey(request: FastifyRequest): string | null {
  if (request.headers["idempotency-key"] === undefined) return null;
  const values = request.raw.headersDistinct["idempotency-key"] ?? [];
  const key = values.length === 1 ? values[0]!.replace(/^"(.*)"$/, "$1") : "";
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw new ApiError("invalid_idempotency_key");
  return key;
}

function startRunning(fingerprint: Buffer, attempt: Promise<Found>): Running {
  const { promise, resolve } = Promise.withResolvers<Answer | null>();
  return { fingerprint, confirmed: attempt.catch(() => null), finished: promise, finish: resolve };
}

async function before<T>(deadline: number, promise: Promise<T>): Promise<T | "late"> {
  const stop = new AbortController();
  const late = wait(Math.max(0, deadline - performance.now()), "late" as const, {
    signal: stop.signal,
  });
  try {
    return await Promise.race([promise, late.catch(() => "late" as const)]);
  } finally {
    stop.abort();
  }
}

function nameOf({ account_id, key }: IdempotencyKey): string {
  return `${account_id} ${key}`;
}

function conflict(): ApiError {
  return new ApiError("idempotency_conflict");
}

function inProgress(): ApiError {
  return new ApiError("idempotency_in_progress", { retry_after: 1 });
}
