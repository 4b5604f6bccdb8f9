import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { aBound, bulkhead, NoPlace } from "../domain/bulkhead.ts";
import { isAlone, timeUsed } from "../domain/neighbours.ts";
import { cpuMsOfThread } from "./blocked-loop.ts";
import { isLarge, patienceOf, tooMany, whilePresent } from "./admission.ts";

/**
 * An account that is not alone does its own work one request after the other, and what is large in a line of its
 * own; who uses more than his share of the time waits in between (decision 21, ADR 20). What waits for a carrier or
 * a card processor is no such work.
 */
export interface OwnWork {
  /**
   * To be asked once the body is there: what to wait for before the work begins, or null to begin at once. Throws
   * 429 `too_many_requests` when the account keeps itself waiting for too long.
   */
  begin(request: FastifyRequest, reply: FastifyReply): Promise<void> | null;
  /** The request is answered; does no harm to one that did not begin. */
  end(request: FastifyRequest, reply: FastifyReply): void;
}

/** What takes longer waits for something, such as a lock or a database that has stopped: the next one may begin. */
const aloneMs = 50;
/** On a machine that is busy with something else, an answer takes longer than its work. */
const waitingMs = 100;
/** The most of one request that counts: what is slow because others are must not make its account wait for long. */
const countedMsMax = { small: 250, large: 2000 };

export function ownWork(config: Config): OwnWork {
  const turns = bulkhead();
  const most = config.requests_in_work_max;
  const each = (owner: string) => (isAlone(owner) ? most : 1);
  const bounds = { small: aBound("small", most, { each }), large: aBound("large", most, { each }) };
  const patience = patienceOf(config);
  const ends = new WeakMap<FastifyRequest, (status: number) => void>();

  function seekerFor(request: FastifyRequest) {
    const size = isLarge(request) ? ("large" as const) : ("small" as const);
    const owner = request.ctx.account.account_id;
    return { size, owner, rank: 0, bounds: [bounds[size]] };
  }

  function begun(
    request: FastifyRequest,
    seeker: ReturnType<typeof seekerFor>,
    leave: () => void,
  ): void {
    const { owner, size } = seeker;
    const [since, cpuBefore] = [performance.now(), cpuMsOfThread()];
    const goesOn = isAlone(owner) ? undefined : setTimeout(leave, aloneMs);
    ends.set(request, (status) => {
      clearTimeout(goesOn);
      const tookMs = performance.now() - since;
      // A small one's work is that of this thread, and the database's where that takes long.
      const workedMs =
        size === "large" ? tookMs : Math.max(cpuMsOfThread() - cpuBefore, tookMs - waitingMs);
      // Without the database nothing was done.
      if (status !== 503)
        turns.use(seeker, timeUsed(owner, Math.min(workedMs, countedMsMax[size])));
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
      return whilePresent(reply, patience, turns, seeker).then(
        (later) => begun(request, seeker, later),
        (error: unknown) => {
          throw error instanceof NoPlace ? tooMany(error) : error;
        },
      );
    },
    end(request, reply) {
      ends.get(request)?.(reply.statusCode);
      ends.delete(request);
    },
  };
}

function waitsForOthers({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.limit === "carrier" || config.limit === "top_up";
}
