import { onNobodysBehalf } from "../../database/driver/on-behalf-of.ts";
import { consequenceOf } from "../../domain/events/webhook-health.ts";
import { step } from "../../domain/scheduling/step.ts";
import { groupedEnds } from "../../jobs/grouped-ends.ts";
import { disableWebhook, tellFailing } from "./disable.ts";
import { ofWebhook, type DispatchContext } from "./dispatch-context.ts";
import { writeEnds, type AttemptEnd } from "./end-store.ts";
import type { Begun, Lane, Lanes } from "./lanes.ts";
import { endOf, isSuccess, requestOf, type Outcome } from "./send.ts";

/** Sends what the lanes hand out, and writes what came of it. */
export interface Attempts {
  /** Begins as many as may be sent now. */
  beginAll(): void;
  /** Resolves when none is under way and all ends are written, or after so long. */
  idle(wait_ms: number): Promise<void>;
  /** What is still under way is nobody's any more; what is known is written once more. */
  abandon(): void;
  /** Whether an end could not be written because of a bug. */
  isGivenUp(): boolean;
}

/** Written together at most, and how long the first waits for others. */
const together = 200;
const waitMs = 40;
/** Attempts under way and ends not written yet, of a process: nothing more is sent while there are as many. */
const keptMax = 1_000;

export function newAttempts(
  context: DispatchContext,
  lanes: Lanes,
  onEnded: (lane: Lane) => void,
): Attempts {
  const stopping = new AbortController();
  const kept = new Set<Promise<void>>();
  let isAbandoned = false;
  const ends = onNobodysBehalf(() =>
    groupedEnds<AttemptEnd>(
      context.log,
      {
        name: "webhooks",
        together,
        wait_ms: waitMs,
        writeAll: (all) => writeEnds(context.db, context.process_id, all),
      },
      stopping.signal,
    ),
  );

  function beginAll(): void {
    while (!isAbandoned && !ends.isAway() && kept.size < keptMax) {
      const begun = lanes.next();
      if (!begun) return;
      const attempt = onNobodysBehalf(() => carryOut(begun))
        .catch((error: unknown) => context.log.error({ err: error }, "webhooks.attempt_failed"))
        .finally(() => {
          kept.delete(attempt);
          begun.lane.in_hand.delete(begun.job.delivery_id);
          onEnded(begun.lane);
        });
      kept.add(attempt);
    }
  }

  async function carryOut(begun: Begun): Promise<void> {
    const { lane, job } = begun;
    const at = context.clock.now();
    const request = requestOf(lane, job, at);
    const outcome: Outcome =
      "url" in request
        ? await step(context, { name: "send", of: ofWebhook }, () => context.post(request))
        : request;
    const is_success = isSuccess(outcome);
    if (isGone(outcome)) lanes.close(lane);
    const now = context.clock.now();
    const { schedule } = context;
    const end = endOf({ lane, job, at, now, outcome, schedule, random: Math.random() });
    if (!isAbandoned) await step(context, { name: "end", of: ofWebhook }, () => ends.write(end));
    // Not before the end is written: until then the next holder would send it again, so it is under way.
    lanes.leave(begun, { is_success, is_answered: outcome.status !== null });
    if (isAbandoned) return;
    beginAll();
    count(end, job.created_at, now);
    if (!is_success) await drawConsequence(lane, outcome, now);
  }

  function count({ becomes, status }: AttemptEnd, happened_at: Date | null, now: Date): void {
    const { webhook_deliveries, webhook_delivery_seconds } = context.metrics;
    const result = becomes === "delivered" ? becomes : status === null ? "no_answer" : "refused";
    webhook_deliveries.inc({ result });
    // A test's event has not happened.
    if (becomes === "delivered" && happened_at)
      webhook_delivery_seconds.observe((now.getTime() - happened_at.getTime()) / 1000);
  }

  async function drawConsequence(lane: Lane, outcome: Outcome, now: Date): Promise<void> {
    const consequence = consequenceOf(lane.health, now);
    if (isGone(outcome) || consequence === "disable") {
      const reason = isGone(outcome) ? "gone" : "failing";
      lanes.close(lane);
      const isDone = await step(context, { name: "disable", of: ofWebhook }, () =>
        disableWebhook(context.db, lane, { reason, now }),
      );
      // It is nobody's now.
      lane.is_lost = true;
      if (isDone) context.metrics.webhooks_disabled.inc({ reason });
    } else if (consequence === "tell") {
      await tellFailing(context.db, lane);
      lane.health = { ...lane.health, is_failing_told: true };
    }
  }

  return {
    beginAll,
    async idle(wait_ms) {
      const over = new AbortController();
      const late = setTimeout(() => over.abort(), wait_ms);
      const isOver = new Promise<void>((resolve) =>
        over.signal.addEventListener("abort", () => resolve()),
      );
      while (kept.size > 0 && !over.signal.aborted) await Promise.race([Promise.all(kept), isOver]);
      clearTimeout(late);
    },
    abandon() {
      isAbandoned = true;
      stopping.abort();
    },
    isGivenUp: () => ends.isGivenUp(),
  };
}

/** The receiver says that nothing is to be sent to it any more. */
function isGone({ status }: Outcome): boolean {
  return status === 410;
}
