import { isUnavailable } from "../../database/errors.ts";
import { pause } from "../../database/retry.ts";
import { step } from "../../domain/scheduling/step.ts";
import { newAttempts } from "./attempts.ts";
import { claimWebhooks } from "./claim.ts";
import { ofWebhook, type DispatchContext } from "./dispatch-context.ts";
import { newFiller } from "./fill-lanes.ts";
import { isEnded, isToClose, isToFill, newLanes, poolNames, type Lane } from "./lanes.ts";
import { newLeaver } from "./leave-lanes.ts";

/**
 * Sends deliveries that are due: claims webhooks, sends what each has due, and leaves them. A round goes on
 * while this process holds webhooks. When one of the database's answers is lost, or the process dies, the next
 * holder sends again what was under way: at least once, never less.
 */
export function webhookDispatch(
  context: DispatchContext,
): (signal: AbortSignal) => Promise<boolean> {
  const unsure = new Set<string>();
  return async (signal) => {
    const round = newRound(context, unsure);
    await round.claim();
    if (round.isEmpty()) return false;
    try {
      await round.work(signal);
    } finally {
      await round.end();
    }
    return false;
  };
}

/** How often webhooks are claimed, and lanes are looked at that nothing happens to. */
const tickMs = 200;
/** How long a process that stops waits for answers. */
const stopMs = 10_000;

function newRound(context: DispatchContext, unsure: Set<string>) {
  const lanes = newLanes();
  const leaver = newLeaver(context, lanes, unsure);
  const filler = newFiller(context, lanes, review);
  const attempts = newAttempts(context, lanes, review);
  let isStopping = false;
  let woken = new AbortController();

  /** After anything that happened to a lane. */
  function review(lane: Lane): void {
    if (isToClose(lane)) lanes.close(lane);
    if (isEnded(lane)) {
      leaver.want(lane);
      woken.abort();
    } else if (!isStopping && isToFill(lane)) filler.want(lane);
    if (!isStopping) attempts.beginAll();
  }

  async function claim(): Promise<void> {
    const { db, process_id, lease_seconds } = context;
    const heldOf = (account_id: string) =>
      lanes.heldOf(account_id).map(({ webhook_id }) => webhook_id);
    const request = { process_id, lease_seconds, room: lanes.room(), heldOf, unsure };
    const claimed = await step(context, { name: "claim", of: ofWebhook }, () =>
      claimWebhooks(db, request),
    );
    for (const each of claimed) filler.want(lanes.open(each));
  }

  async function work(signal: AbortSignal): Promise<void> {
    let claimed_at = performance.now();
    while (!signal.aborted && !attempts.isGivenUp() && lanes.size() > 0) {
      await pause(tickMs, AbortSignal.any([signal, woken.signal]));
      woken = new AbortController();
      // Several are left together.
      await pause(leaveMs, signal);
      await leaver.leave();
      for (const lane of lanes.all()) review(lane);
      show(context, lanes.all(), (pool) => lanes.taken(pool));
      if (performance.now() - claimed_at < tickMs && lanes.size() > 0) continue;
      claimed_at = performance.now();
      // The next tick claims what this one could not, unless there is nothing else to do.
      await claim().catch((error: unknown) => {
        if (!isUnavailable(error) || lanes.size() === 0) throw error;
      });
    }
  }

  async function end(): Promise<void> {
    isStopping = true;
    await filler.idle();
    for (const lane of lanes.all()) lanes.close(lane);
    await attempts.idle(stopMs);
    attempts.abandon();
    await attempts.idle(writeMs);
    for (const lane of lanes.all()) leaver.want(lane);
    await leaver.leave();
    for (const { account_id } of lanes.all()) unsure.add(account_id);
    show(context, [], () => 0);
  }

  return { claim, isEmpty: () => lanes.size() === 0, work, end };
}

/** How long lanes wait for others that are left with them. */
const leaveMs = 20;
/** How long the last ends may take to be written. */
const writeMs = 1_000;

/** For the metrics. */
function show(
  { metrics, clock }: DispatchContext,
  lanes: Iterable<Lane>,
  taken: (pool: "healthy" | "failing") => number,
): void {
  const counts = { healthy: 0, failing: 0 };
  let oldest = 0;
  const now = clock.now().getTime();
  for (const { pool, due_at } of lanes) {
    counts[pool]++;
    oldest = Math.max(oldest, now - due_at.getTime());
  }
  for (const pool of poolNames) {
    metrics.webhook_lanes.set({ pool }, counts[pool]);
    metrics.webhook_places.set({ pool }, taken(pool));
  }
  metrics.webhook_pending_oldest_seconds.set(oldest / 1000);
}
