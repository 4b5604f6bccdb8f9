import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import type { Account } from "../context.ts";
import {
  aBound,
  bulkhead,
  BulkheadFull,
  type Bound,
  type Bulkhead,
  type WaitOptions,
  type Seeker,
} from "../domain/scheduling/bulkhead.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { noteRequestOf } from "../domain/scheduling/active-accounts.ts";

/**
 * Bounds how many requests are in work at once, so that no account can occupy the whole process (decision
 * 21). A request that finds no free slot waits a while, before its body is read, rather than be refused:
 * production first, then the account that has the fewest in work.
 */
export interface Admission {
  /**
   * Resolves when the request may be worked on. Throws 429 `too_many_requests` when it has waited too long
   * for the account's own requests, 503 `unavailable` when it has waited too long for others'.
   */
  enter(request: FastifyRequest, reply: FastifyReply, account: Account): Promise<void>;
  /**
   * To be called once the body has arrived: what to wait for before the work on a large one begins, or null to begin at
   * once. Until then it occupies none of the few slots of large requests, which a client that sends its body slowly, or
   * never, would hold without any work. Throws as `enter`.
   */
  begin(request: FastifyRequest, reply: FastifyReply): Promise<void> | null;
  /** Frees the request's slots once it is answered; a no-op for one that was not admitted. */
  leave(request: FastifyRequest): void;
}

/** Of one account; a client that sends more at once is refused and has to wait. */
const waitingMax = 256;

/** Large bodies that are read at once, each into memory: of all accounts, and of one. */
const largeBodiesMax = 32;
const accountLargeBodiesMax = 2;

/**
 * Bounds the requests in work of this process: all together, an account's own, the sandbox's and the large ones
 * (ADR 20).
 */
export function admission(config: Config): Admission {
  const { requests_in_work_max, account_requests_in_work_max, bulk_requests_in_work_max } = config;
  const places = bulkhead();
  const all = aBound("all", requests_in_work_max, { each: () => account_requests_in_work_max });
  // Under pressure the sandbox waits first: a quarter of the slots is production's alone.
  const sandbox = aBound("sandbox", Math.ceil(requests_in_work_max * 0.75));
  const bulk = aBound("bulk", bulk_requests_in_work_max);
  const bodies = aBound("bodies", largeBodiesMax, { each: () => accountLargeBodiesMax });
  const waitOptions = waitOptionsOf(config);
  const leaves = new WeakMap<FastifyRequest, () => void>();

  function seekerFor(account: Account, bounds: readonly Bound[]): Seeker {
    const isSandbox = account.environment === "test";
    return { owner: account.account_id, rank: isSandbox ? 1 : 0, bounds };
  }

  /** Throws 429 where the account's own requests hold slots of the bound, 503 where only others' do. */
  async function waitFor(reply: FastifyReply, seeker: Seeker, bound: Bound): Promise<() => void> {
    try {
      return await whilePresent(reply, waitOptions, places, seeker);
    } catch (error) {
      if (!(error instanceof BulkheadFull)) throw error;
      throw bound.held.has(seeker.owner ?? "") ? tooMany(error) : overloaded(error);
    }
  }

  return {
    async enter(request, reply, account) {
      noteRequestOf(account.account_id);
      const seeker = seekerFor(account, [
        all,
        ...(account.environment === "test" ? [sandbox] : []),
        ...(isLarge(request) ? [hasBody(request) ? bodies : bulk] : []),
      ]);
      leaves.set(request, places.enterNow(seeker) ?? (await waitFor(reply, seeker, all)));
      // Fastify never stops waiting for the body of a closed connection, and the request would keep its slot.
      if (hasBody(request) && request.raw.destroyed) throw new ApiError("bad_request");
    },
    begin(request, reply) {
      if (!isLarge(request) || !hasBody(request)) return null;
      const leaveFirst = leaves.get(request);
      const begun = (leaveBulk: () => void) =>
        void leaves.set(request, () => {
          leaveBulk();
          leaveFirst?.();
        });
      const seeker = seekerFor(request.ctx.account, [bulk]);
      const entered = places.enterNow(seeker);
      return entered ? (begun(entered), null) : waitFor(reply, seeker, bulk).then(begun);
    },
    leave(request) {
      leaves.get(request)?.();
    },
  };
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

/** How long a request waits, and how many requests of one account do. */
export function waitOptionsOf({ admission_wait_seconds }: Config): WaitOptions {
  return { wait_ms: admission_wait_seconds * 1000, waiting_max: waitingMax };
}

/** Waits for a slot, and no longer than the client stays connected. */
export async function whilePresent(
  { raw }: FastifyReply,
  options: WaitOptions,
  places: Bulkhead,
  seeker: Seeker,
): Promise<() => void> {
  const gone = new AbortController();
  const hangUp = () => gone.abort();
  raw.once("close", hangUp);
  try {
    return await places.enter(seeker, { ...options, signal: gone.signal });
  } finally {
    raw.off("close", hangUp);
  }
}

/**
 * A body or page of at least this size occupies the event loop and the database long enough to slow others;
 * so may criteria that a client wrote.
 */
const largeBytes = 256 * 1024;
const largePage = 50;

/** By what the headers and the query say, before the body is read. */
export function isLarge({ headers, query, routeOptions }: FastifyRequest): boolean {
  const { per_page, filter_id } = query as { per_page?: unknown; filter_id?: unknown };
  if (Number(per_page) > largePage || filter_id !== undefined) return true;
  if (routeOptions.config.is_by_criteria) return true;
  const { "content-length": stated, "transfer-encoding": encoding } = headers;
  if (stated !== undefined) return Number(stated) > largeBytes;
  // A body of unstated length may be of any size; a purchase, which waits for a carrier, is never that
  // large.
  return encoding !== undefined && routeOptions.config.body === "bulk";
}

/** 429 `too_many_requests`, to be repeated after a second. */
export function tooMany(cause: Error): ApiError {
  const message = "Too many requests of this account are in work; send fewer at once.";
  return new ApiError("too_many_requests", { message, retry_after: 1, cause });
}

function overloaded(cause: Error): ApiError {
  return new ApiError("unavailable", { retry_after: 1, cause });
}
