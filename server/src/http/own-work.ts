import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import {
  aBound,
  bulkhead,
  BulkheadFull,
  usedTime,
  type Seeker,
} from "../domain/scheduling/bulkhead.ts";
import { isOnlyActiveAccount, timeUsed } from "../domain/scheduling/active-accounts.ts";
import { isLarge, tooMany, waitOptionsOf, whilePresent } from "./admission.ts";
import { bytesOf } from "./bodies.ts";

/**
 * An account that is not alone has few requests of its own in work at once, and large ones in a queue of
 * their own; an account that uses more than its share of the time waits in between (decision 21, ADR 20).
 * Waiting for a carrier or a card processor does not count.
 */
export interface OwnWork {
  /**
   * To be called once the body has arrived: returns what to wait for before the work begins, or null to begin
   * at once. Throws 429 `too_many_requests` when the account keeps itself waiting for too long.
   */
  begin(request: FastifyRequest, reply: FastifyReply): Promise<void> | null;
  /** The request is answered with so many bytes; a no-op for one that did not begin. */
  end(request: FastifyRequest, reply: FastifyReply, bytes: number): void;
}

/**
 * Small requests in work at once with others active, for an account that has lately used up none of its
 * time.
 */
const fewAtOnce = 8;
/**
 * A request that takes longer waits for something, such as a lock or a stalled database: the next one may
 * begin.
 */
const aloneMs = 50;
/**
 * The most of a large request's time that counts: one that others slow down must not make its account
 * wait for long.
 */
const largeMsMax = 2000;
/**
 * What a small request reads, writes and sends in a millisecond, measured with pages and bulks of long
 * rows.
 */
const bytesPerMs = 16 * 1024;

/** Bounds what one account does at a time in this process; an account that is alone has no bound (ADR 20). */
export function ownWork(config: Config): OwnWork {
  const turns = bulkhead();
  const most = config.requests_in_work_max;
  const large = aBound("large", most, { each: (owner) => (isOnlyActiveAccount(owner) ? most : 1) });
  const small = aBound("small", most, {
    each: (owner) =>
      isOnlyActiveAccount(owner) ? most : usedTime(small, owner) > 0 ? 1 : fewAtOnce,
  });
  const waitOptions = waitOptionsOf(config);
  const ends = new WeakMap<FastifyRequest, (status: number, bytes: number) => void>();

  function seekerFor(request: FastifyRequest): Seeker {
    const bounds = [isLarge(request) ? large : small];
    return { owner: request.ctx.account.account_id, rank: 0, bounds };
  }

  function begun(request: FastifyRequest, seeker: Seeker, leave: () => void): void {
    const owner = request.ctx.account.account_id;
    const bytesRead = bytesOf(request).length;
    const since = performance.now();
    const goesOn = isOnlyActiveAccount(owner) ? undefined : setTimeout(leave, aloneMs);
    ends.set(request, (status, bytesSent) => {
      clearTimeout(goesOn);
      // A small request's own time is short beside what a busy machine adds to it: its bytes are the
      // better measure.
      const workedMs = seeker.bounds.includes(large)
        ? Math.min(performance.now() - since, largeMsMax)
        : (bytesRead + bytesSent) / bytesPerMs;
      // Without the database no work was done.
      if (status !== 503) turns.use(seeker, timeUsed(owner, workedMs));
      leave();
    });
  }

  return {
    begin(request, reply) {
      if (waitsForOthers(request)) return null;
      const seeker = seekerFor(request);
      const leave = turns.enterNow(seeker);
      if (leave) {
        begun(request, seeker, leave);
        return null;
      }
      return whilePresent(reply, waitOptions, turns, seeker).then(
        (later) => begun(request, seeker, later),
        (error: unknown) => {
          throw error instanceof BulkheadFull ? tooMany(error) : error;
        },
      );
    },
    end(request, reply, bytes) {
      ends.get(request)?.(reply.statusCode, bytes);
      ends.delete(request);
    },
  };
}

function waitsForOthers({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.limit === "carrier" || config.limit === "top_up";
}
