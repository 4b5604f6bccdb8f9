import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { addProblem, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { selects, typesFor } from "../../domain/events/catalogue.ts";
import { endOf, startOf } from "../../domain/time/day-or-moment.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { cursorProblem, positionOf } from "../../events/feed/cursor.ts";
import { readEnds, type FeedEnds } from "../../events/feed/read-store.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { refuseDisabled, wakeWebhook } from "../deliveries/service.ts";
import * as replays from "./replay-store.ts";
import { Replay, Replayed } from "./schemas.ts";
import * as store from "./store.ts";

const matchesMax = 100_000;
const sliceSize = 2000;

/**
 * Sends events of the feed to a webhook, again or for the first time. Throws 422, also for more than 100,000
 * of them, 410 `cursor_expired`, and 409 `conflict` when the webhook is disabled.
 */
export async function replayWebhook(
  ctx: Context,
  id: string,
  body: unknown,
): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  const feed = await readEnds(ctx.db, account_id);
  const asked = readReplay(body, feed);
  const webhook = await store.getWebhook(ctx.db, account_id, id);
  refuseDisabled(webhook);
  const options: replays.ReplayOptions = {
    account_id,
    webhook_id: id,
    types: typesFor(webhook.types).filter((type) => selects(asked.types ?? ["*"], type)),
    after: asked.after == null ? feed.pruned_position : positionOf(asked.after, feed, "after"),
    // Events that are placed from now on go to it by themselves.
    to: feed.last_position,
    since: asked.since == null ? null : startOf(asked.since),
    until: asked.until == null ? null : endOf(asked.until),
    only: asked.only,
  };
  if ((await replays.countMatching(ctx.db, options, matchesMax)) > matchesMax)
    throwIfAny(tooMany(asked));
  return deliverInSlices(ctx, options);
}

/** The checks that the schema cannot express. Throws 422 that names every failing field. */
function readReplay(body: unknown, feed: FeedEnds): Replay {
  const problems = problemsOf(Replay, body);
  const { after, since, until } = (body ?? {}) as Partial<Replay>;
  const wrong = typeof after === "string" ? cursorProblem(after, feed) : null;
  if (wrong !== null) addProblem(problems, "after", wrong);
  if (after != null && since != null)
    addProblem(problems, "since", "must not be combined with after.");
  const isRange = !problems["since"] && !problems["until"] && since != null && until != null;
  if (isRange && endOf(until) < startOf(since))
    addProblem(problems, "until", "must not be before since.");
  throwIfAny(problems);
  return body as Replay;
}

/** Names the end that the caller can move: a cursor is where it stands. */
function tooMany({ after, since }: Replay): Problems {
  const sentence = `must select at most ${matchesMax} events; narrow it.`;
  return { [after == null && since == null ? "since" : "until"]: [sentence] };
}

/**
 * A slice is committed by itself. Of one that was not, a request with the same key does the rest: what was
 * made pending no longer matches. The response is stored with the last slice.
 */
async function deliverInSlices(
  ctx: Context,
  options: replays.ReplayOptions,
): Promise<StoredResponse> {
  const { account_id, webhook_id, only } = options;
  let [after, matched] = [options.after, 0];
  for (;;) {
    const slice = await inTransaction(ctx.db, async (tx) => {
      refuseDisabled(await store.lockWebhook(tx, account_id, webhook_id));
      const events = await replays.readMatching(tx, { ...options, after }, sliceSize);
      await replays.deliverAgain(tx, options, events);
      if (events.length > 0) await wakeWebhook(tx, options);
      if (events.length === sliceSize) return { events, response: null };
      const data = { matched: matched + events.length };
      const response = await recordResponse(tx, ctx, {
        answer: answer(202, Replayed, data),
        subject_id: webhook_id,
        details: { only, ...data },
      });
      return { events, response };
    });
    if (slice.response) return slice.response;
    matched += slice.events.length;
    after = slice.events.at(-1)!.position;
  }
}
