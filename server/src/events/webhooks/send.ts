import { nextWaitSeconds, type RetrySchedule } from "../../domain/events/retry-schedule.ts";
import { afterFailure, afterSuccess } from "../../domain/events/webhook-health.ts";
import type { PublicAnswer, PublicCall } from "../../transport/public-call.ts";
import { toPayload } from "../payload.ts";
import type { AttemptEnd } from "./end-store.ts";
import type { DueDelivery } from "./lane-store.ts";
import type { Lane } from "./lanes.ts";
import { signatureHeader } from "./sign.ts";

/** One attempt: its request, and what its answer means. */

/** What came of an attempt, or why none was made. */
export type Outcome =
  | PublicAnswer
  | {
      status: null;
      error: "event_gone" | "no_secret";
      ms: 0;
      excerpt: null;
      retry_after_seconds: null;
    };

/**
 * The body is the event's at every attempt, byte for byte. Null when the event is gone, which only pending
 * deliveries of a damaged database are, or when no secret is left that could sign it.
 */
export function requestOf(lane: Lane, job: DueDelivery, now: Date): PublicCall | Outcome {
  if (job.sample === null && !job.is_event_there) return notMade("event_gone");
  if (lane.secrets.length === 0) return notMade("no_secret");
  const body = JSON.stringify(
    job.sample ?? toPayload({ ...job, id: job.event_id }, lane.environment),
  );
  const timestamp_seconds = Math.floor(now.getTime() / 1000);
  return {
    url: lane.url,
    headers: {
      "content-type": "application/json",
      "user-agent": "Waybill-Webhooks/1",
      "webhook-id": job.event_id,
      "webhook-timestamp": String(timestamp_seconds),
      "webhook-signature": signatureHeader(lane.secrets, {
        id: job.event_id,
        timestamp_seconds,
        body,
      }),
      "waybill-delivery": job.delivery_id,
      "waybill-attempt": String(job.attempt_count + 1),
      ...(isHeaderValue(job.request_id) ? { "request-id": job.request_id } : {}),
    },
    body,
  };
}

function notMade(error: "event_gone" | "no_secret"): Outcome {
  return { status: null, error, ms: 0, excerpt: null, retry_after_seconds: null };
}

function isHeaderValue(text: string | null): text is string {
  return text !== null && /^[\x21-\x7e]+$/.test(text);
}

/** Any 2xx. A redirect is a failure, and is not followed. */
export function isSuccess({ status }: Outcome): boolean {
  return status !== null && status >= 200 && status < 300;
}

export interface Attempted {
  lane: Lane;
  job: DueDelivery;
  at: Date;
  now: Date;
  outcome: Outcome;
  schedule: RetrySchedule;
  random: number;
}

/** What is written of an attempt. The webhook's health is the lane's, which this attempt changes. */
export function endOf({ lane, job, at, now, outcome, schedule, random }: Attempted): AttemptEnd {
  const number = job.attempt_count + 1;
  lane.health = isSuccess(outcome) ? afterSuccess(now) : afterFailure(lane.health, now);
  const { account_id, webhook_id, fence, health } = lane;
  const { ms, status, error, excerpt, retry_after_seconds } = outcome;
  const wait = isSuccess(outcome)
    ? null
    : nextWaitSeconds(schedule, {
        attempt_count: number - job.attempts_before,
        // With other statuses the header means something else: of a redirect, for example.
        retry_after_seconds: status === 429 || status === 503 ? retry_after_seconds : null,
        random,
      });
  const becomes = isSuccess(outcome) ? "delivered" : wait === null ? "failed" : "pending";
  return {
    account_id,
    webhook_id,
    fence,
    delivery_id: job.delivery_id,
    number,
    at,
    ms,
    status,
    error,
    // PostgreSQL has no text with this character.
    excerpt: excerpt?.replaceAll("\0", "") ?? null,
    becomes,
    wait_seconds: wait,
    ended_at: wait === null ? now : null,
    health,
  };
}
