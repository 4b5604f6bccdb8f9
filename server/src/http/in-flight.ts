import { setTimeout as wait } from "node:timers/promises";
import { ApiError } from "../domain/errors/errors.ts";
import type { StoredResponse } from "./idempotency.ts";
import type { IdempotencyClaim, IdempotencyKey, Keyed } from "../context.ts";
import type { Found } from "./idempotency-claims.ts";

/**
 * Concurrent duplicates: requests with the same Idempotency-Key. Those of one process wait for the first in
 * memory, which costs nothing; those of different processes wait by the table, which one request of each
 * process polls for all.
 */
interface InFlightRequests {
  /**
   * Becomes the first request of its key, or waits for the first and returns its answer. Throws 409
   * `idempotency_conflict` for another request, `idempotency_in_progress` when the wait was too long.
   */
  enter: (wanted: Wanted) => Promise<IdempotencyClaim | StoredResponse>;
  /** Ends what `enter` began, for the duplicates that wait; null when there is no answer to repeat. */
  leave: (key: IdempotencyKey, answer: StoredResponse | null) => void;
}

export type Wanted = Keyed;

/** The request of this process that holds the key, or polls the table for it. */
interface First {
  fingerprint: Buffer;
  /** Resolves once the table has confirmed that the fingerprint is the key's. */
  confirmed: Promise<unknown>;
  finished: Promise<StoredResponse | null>;
  finish(answer: StoredResponse | null): void;
}

const pollMs = 100;

/**
 * `claim` asks the table once, and is repeated while another process has the key. A duplicate waits for `waitMs`
 * at most.
 */
export function inFlightRequests(
  claim: (wanted: Wanted) => Promise<Found>,
  waitMs: number,
): InFlightRequests {
  const firsts = new Map<string, First>();

  function leave(key: IdempotencyKey, answer: StoredResponse | null): void {
    const first = firsts.get(nameOf(key));
    firsts.delete(nameOf(key));
    first?.finish(answer);
  }

  /** Enters the key in memory, then in the table, repeatedly while another process has it. */
  async function contend(wanted: Wanted, deadline: number): Promise<Found> {
    let asked = claim(wanted);
    firsts.set(nameOf(wanted), firstOf(wanted.fingerprint, asked));
    let found: Found | undefined;
    try {
      found = await asked;
      while (found.state === "running" && performance.now() < deadline) {
        await wait(Math.min(pollMs, Math.max(1, deadline - performance.now())));
        asked = claim(wanted);
        found = await asked;
      }
      return found;
    } finally {
      if (found?.state !== "claimed")
        leave(wanted, found?.state === "answered" ? found.answer : null);
    }
  }

  async function enter(wanted: Wanted): Promise<IdempotencyClaim | StoredResponse> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const first = firsts.get(nameOf(wanted));
      if (!first) return claimOrReplay(await contend(wanted, deadline));
      if (first.fingerprint.equals(wanted.fingerprint)) {
        const answer = await before(deadline, first.finished);
        if (answer) return answer;
      } else {
        await first.confirmed;
        if (firsts.get(nameOf(wanted)) === first) throw new ApiError("idempotency_conflict");
      }
    }
  }

  return { enter, leave };
}

function claimOrReplay(found: Found): IdempotencyClaim | StoredResponse {
  if (found.state === "claimed") return found.claim;
  if (found.state === "answered") return found.answer;
  throw found.state === "conflict" ? new ApiError("idempotency_conflict") : inProgress();
}

function firstOf(fingerprint: Buffer, asked: Promise<Found>): First {
  const { promise, resolve } = Promise.withResolvers<StoredResponse | null>();
  return {
    fingerprint,
    confirmed: asked.catch(() => null),
    finished: promise,
    finish: resolve,
  };
}

/** Throws `idempotency_in_progress` at the deadline. */
async function before<T>(deadline: number, promise: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const timer = wait(Math.max(0, deadline - performance.now()), undefined, { signal: stop.signal });
  const late = timer.then(
    () => Promise.reject(inProgress()),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop.abort();
  }
}

function nameOf({ account_id, key }: IdempotencyKey): string {
  return `${account_id} ${key}`;
}

function inProgress(): ApiError {
  return new ApiError("idempotency_in_progress", { retry_after: 1 });
}
