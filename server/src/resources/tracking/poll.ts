import { aboutSubject } from "../../domain/logs/call-subject.ts";
import { CarrierError, type Carrier } from "../../carriers/carrier.ts";
import { overBudget } from "../../carriers/guard/circuit.ts";
import type { CarrierTracking } from "../../carriers/tracking.ts";
import { contextOn } from "../../shipping/connections/connection-book.ts";
import type { Platform } from "../../context.ts";
import { backoffSeconds } from "../../domain/scheduling/backoff.ts";
import { isScanned } from "../../domain/shipments/tracking.ts";
import type { Loop } from "../../jobs/loops.ts";
import { applyTracking, isSame, stateFrom, toEvents } from "./apply-tracking.ts";
import {
  schedule,
  takeDue,
  type DueTracker,
  type NextPoll,
} from "../../shipping/tracking/follow-store.ts";
import { nextPollSeconds } from "./next-poll.ts";
import { listEventsOfAll, type EventRow } from "../../shipping/tracking/store.ts";

/** Polls carriers for the status of parcels (decision 19): a loop for each, so that none delays another. */

/** Longer than a poll takes with all its writes. */
const leaseSeconds = 60;
const lookupTimeoutMs = 8_000;

export function trackingLoops(platform: Platform): Loop[] {
  return platform.carriers.all.map((carrier) => {
    const backoff = backoffOnTimeouts();
    return {
      name: `tracking.${carrier.descriptor.code}`,
      every_ms: 1000,
      // Never another round at once: parcels beyond a second's share wait for the next, or another worker.
      run: async (signal) => {
        if (backoff.isElapsed()) backoff.record(await pollDue(platform, carrier, signal));
        return false;
      },
    };
  });
}

/** One round. Returns whether the carrier responded at all; null when nothing was due. */
async function pollDue(
  platform: Platform,
  carrier: Carrier,
  signal: AbortSignal,
): Promise<boolean | null> {
  const { db, config, metrics } = platform;
  const { code } = carrier.descriptor;
  const limit = config.tracking_polls_per_second;
  const due = await takeDue(db, code, { limit, lease_seconds: leaseSeconds });
  metrics.tracking_lag_seconds.set(
    { carrier: code },
    Math.max(0, ...due.map(({ late_seconds }) => late_seconds)),
  );
  if (due.length === 0) return null;
  const known = await listEventsOfAll(db, due);
  const looks = await Promise.all(
    due.map((tracker) =>
      look(platform, carrier, { tracker, known: known.get(tracker.id) ?? [], signal }),
    ),
  );
  await schedule(
    db,
    looks.map(({ next }) => next),
  );
  return looks.some(({ isSilent }) => !isSilent);
}

interface Look {
  next: NextPoll;
  /** The carrier cannot be reached, or does not respond in time. */
  isSilent: boolean;
}

async function look(
  platform: Platform,
  carrier: Carrier,
  { tracker, known, signal }: { tracker: DueTracker; known: EventRow[]; signal: AbortSignal },
): Promise<Look> {
  const { account_id, id, carrier: code } = tracker;
  const stop = { account_id, id, failure_count: 0, look_in_seconds: null };
  if (isPointless(tracker)) return { next: stop, isSilent: false };
  try {
    const told = await ask(platform, carrier, { tracker, signal });
    const isNews = told !== null && hasNews(tracker, known, told);
    const state = isNews ? await applyTracking(platform, tracker, told) : null;
    platform.metrics.tracking_looks.inc({ carrier: code, result: state ? "changed" : "unchanged" });
    const now = { ...tracker, ...state, quiet_seconds: state ? 0 : tracker.quiet_seconds };
    return { next: nextPoll(platform, { ...now, failure_count: 0 }), isSilent: false };
  } catch (error) {
    // The process stops: parcels without a response are due again at once, for another process.
    if (signal.aborted) return { next: { ...stop, look_in_seconds: 0 }, isSilent: false };
    if (error instanceof CarrierError && error.carrier_code === overBudget)
      return { next: later(tracker, error), isSilent: false };
    platform.metrics.tracking_looks.inc({ carrier: code, result: "failed" });
    platform.log.warn({ tracking_code: tracker.tracking_code, err: error }, "tracking.poll_failed");
    const failure_count = tracker.failure_count + 1;
    return { next: nextPoll(platform, { ...tracker, failure_count }), isSilent: isTimeout(error) };
  }
}

/** Its contract allows no more calls for now: that is no failure. */
function later(
  { account_id, id, failure_count }: DueTracker,
  { retry_after_seconds }: CarrierError,
): NextPoll {
  return { account_id, id, failure_count, look_in_seconds: retry_after_seconds ?? 60 };
}

async function ask(
  { metrics, connections }: Platform,
  carrier: Carrier,
  { tracker, signal }: { tracker: DueTracker; signal: AbortSignal },
): Promise<CarrierTracking | null> {
  const { tracking_code, carrier_data } = tracker;
  metrics.carrier_calls.inc({ carrier: carrier.descriptor.code, operation: "track" });
  const context = await contextOn({ connections }, tracker);
  const timed = AbortSignal.any([signal, AbortSignal.timeout(lookupTimeoutMs)]);
  return aboutSubject({ shipment_id: tracker.shipment_id }, () =>
    carrier.track({ context, tracking_code, carrier_data }, timed),
  );
}

/**
 * What is void and refunded, or was cancelled, does not move. While a refund is pending, a scan decides it.
 */
function isPointless({ shipment_status, refund_status }: DueTracker): boolean {
  return (
    shipment_status === "cancelled" || (shipment_status === "voided" && refund_status !== "pending")
  );
}

/** Whether anything would change: most polls find nothing new, and need no transaction. */
function hasNews(tracker: DueTracker, known: EventRow[], told: CarrierTracking): boolean {
  const keys = new Set(known.map(keyOf));
  const isKnown = toEvents(tracker, told).every((event) => keys.has(keyOf(event)));
  const isNumbered = Boolean(told.pro_number) && tracker.pro_number === null;
  const { shipment_status } = tracker;
  const state = stateFrom(tracker, { events: known, told, shipment_status });
  return !isKnown || isNumbered || !isSame(tracker, state) || isBehind(tracker);
}

/** The shipment could not follow because of a void in progress, which failed. */
function isBehind({ status, shipment_status }: DueTracker): boolean {
  return isScanned(status) && ["purchased", "booked", "voided"].includes(shipment_status);
}

function keyOf({ occurred_at, carrier_code, city, description }: EventRow): string {
  return [occurred_at.getTime(), carrier_code, city, description].join("\n");
}

function nextPoll({ config }: Platform, tracker: DueTracker): NextPoll {
  const { account_id, id, failure_count, environment, status, shipment_status } = tracker;
  const isLive = environment === "live";
  const base_seconds = isLive
    ? config.tracking_poll_seconds_live
    : config.tracking_poll_seconds_test;
  const limits = { base_seconds, quiet_days_max: config.tracking_quiet_days_max };
  // The shipment of a delivered parcel follows when its void has failed: until then it stays scheduled.
  const waits = status === "delivered" && shipment_status === "void_pending";
  const look_in_seconds = nextPollSeconds(
    { ...tracker, status: waits ? "out_for_delivery" : status },
    limits,
    Math.random(),
  );
  return { account_id, id, failure_count, look_in_seconds };
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof CarrierError)) return false;
  if (error.carrier_code === "carrier_busy") return false;
  return error.kind === "unreachable" || error.carrier_code === "timeout";
}

const pauses = { first: 2, max: 300 };

/** A carrier that did not respond for a whole round is not polled for a while, for longer each time. */
function backoffOnTimeouts() {
  let rounds = 0;
  let until = 0;
  return {
    isElapsed: () => performance.now() >= until,
    record(answered: boolean | null): void {
      if (answered === null) return;
      rounds = answered ? 0 : rounds + 1;
      if (rounds > 0) until = performance.now() + 1000 * backoffSeconds(rounds, pauses);
    },
  };
}
