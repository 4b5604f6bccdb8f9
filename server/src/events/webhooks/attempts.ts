import { onNobodysBehalf } from "../../database/driver/on-behalf-of.ts";
import { consequenceOf } from "../../domain/events/webhook-health.ts";
import { step } from "../../domain/scheduling/step.ts";
import { groupedEnds } from "../../jobs/grouped-ends.ts";
import type { PublicCall } from "../../transport/public-call.ts";
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
  /** Gives up what is still under way; what is known is written once more. */
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
  const ends = endsOf(context, stopping.signal);

  function beginAll(): void {
    while (!isAbandoned && !ends.isDatabaseUnavailable() && kept.size < keptMax) {
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
    const outcome = "url" in request ? await send(context, request) : request;
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
    count(context, end, job.created_at);
    if (!is_success) await drawConsequence(context, lanes, { lane, outcome, now });
  }

  return {
    beginAll,
    idle: (wait_ms) => untilEmpty(kept, wait_ms),
    abandon() {
      isAbandoned = true;
      stopping.abort();
    },
    isGivenUp: () => ends.isGivenUp(),
  };
}

/** What is known of attempts is written in groups. */
function endsOf({ db, log, process_id }: DispatchContext, stopping: AbortSignal) {
  const writeAll = (all: readonly AttemptEnd[]) => writeEnds(db, process_id, all);
  const group = { name: "webhooks", together, wait_ms: waitMs, writeAll };
  return onNobodysBehalf(() => groupedEnds<AttemptEnd>(log, group, stopping));
}

/** Resolves when the set has become empty, or after so long. */
async function untilEmpty(kept: ReadonlySet<Promise<void>>, wait_ms: number): Promise<void> {
  const over = new AbortController();
  const late = setTimeout(() => over.abort(), wait_ms);
  const isOver = new Promise<void>((resolve) =>
    over.signal.addEventListener("abort", () => resolve()),
  );
  while (kept.size > 0 && !over.signal.aborted) await Promise.race([Promise.all(kept), isOver]);
  clearTimeout(late);
}

function send(context: DispatchContext, request: PublicCall): Promise<Outcome> {
  return step(context, { name: "send", of: ofWebhook }, () => context.post(request));
}

function count(
  { metrics }: DispatchContext,
  { becomes, status, at, ms }: AttemptEnd,
  happened_at: Date | null,
): void {
  const result = becomes === "delivered" ? becomes : status === null ? "no_answer" : "refused";
  metrics.webhook_deliveries.inc({ result });
  // A test's event has not happened.
  if (becomes === "delivered" && happened_at)
    metrics.webhook_delivery_seconds.observe((at.getTime() + ms - happened_at.getTime()) / 1000);
}

async function drawConsequence(
  context: DispatchContext,
  lanes: Lanes,
  { lane, outcome, now }: { lane: Lane; outcome: Outcome; now: Date },
): Promise<void> {
  const consequence = consequenceOf(lane.health, now);
  if (isGone(outcome) || consequence === "disable") {
    const reason = isGone(outcome) ? "gone" : "failing";
    lanes.close(lane);
    const isDone = await step(context, { name: "disable", of: ofWebhook }, () =>
      disableWebhook(context.db, lane, { reason, now }),
    );
    // This process does not hold it any more.
    lane.is_lost = true;
    if (isDone) context.metrics.webhooks_disabled.inc({ reason });
  } else if (consequence === "tell") {
    await tellFailing(context.db, lane);
    lane.health = { ...lane.health, is_failing_told: true };
  }
}

/** The receiver says that nothing is to be sent to it any more. */
function isGone({ status }: Outcome): boolean {
  return status === 410;
}
