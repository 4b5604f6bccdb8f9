import type { FastifyReply, FastifyRequest } from "fastify";
import { positionOf } from "../../events/feed/cursor.ts";
import { readPage, type Page, type Selection } from "../../events/feed/read-store.ts";
import type { Tail } from "../../events/feed/tail.ts";
import { toPayload } from "../../events/payload.ts";
import type { EventPage } from "./schemas.ts";
import { readTypes } from "./types.ts";

interface EventQuery {
  after?: string;
  types?: string;
  subject_id?: string;
  limit?: number;
  wait?: number;
}

/** `GET /events`: a page of the feed; with `wait`, once there is one matching event or the seconds are over. */
export async function listEvents(
  request: FastifyRequest,
  reply: Pick<FastifyReply, "raw">,
  { after, types, subject_id, limit = 100, wait = 0 }: EventQuery,
  { tail, ends }: { tail: Tail; ends: AbortSignal },
): Promise<EventPage> {
  const { db, account } = request.ctx;
  const until = performance.now() + wait * 1000;
  const selection: Selection = { types: readTypes(types), subject_id: subject_id ?? null, limit };
  const read = (position: number | null) =>
    readPage(db, account.account_id, {
      ...selection,
      begin: (feed) =>
        position ?? (after === undefined ? feed.pruned_position : positionOf(after, feed, "after")),
    });
  let page = await read(null);
  const isToWait = () =>
    page.events.length === 0 && performance.now() < until && !ends.aborted && !reply.raw.destroyed;
  while (isToWait()) {
    const { next_position, is_caught_up } = page;
    if (is_caught_up)
      await request.withoutSlot(() =>
        news(tail, { request, reply, next_position, ms: until - performance.now(), ends }),
      );
    page = await read(next_position);
  }
  return toPage(page, account.environment);
}

interface Wait {
  request: FastifyRequest;
  reply: Pick<FastifyReply, "raw">;
  next_position: number;
  ms: number;
  ends: AbortSignal;
}

/** Resolves when the feed moves, the time is over, the client is gone or the process ends. */
async function news(tail: Tail, { request, reply, next_position, ms, ends }: Wait): Promise<void> {
  const done = new AbortController();
  const stop = () => done.abort();
  const timer = setTimeout(stop, ms);
  const leave = tail.listen(request.ctx.account.account_id, next_position, stop);
  reply.raw.once("close", stop);
  ends.addEventListener("abort", stop);
  if (!ends.aborted)
    await new Promise((resolve) => done.signal.addEventListener("abort", resolve, { once: true }));
  clearTimeout(timer);
  leave();
  reply.raw.off("close", stop);
  ends.removeEventListener("abort", stop);
}

function toPage(
  { events, next_position, is_caught_up }: Page,
  environment: "live" | "test",
): EventPage {
  return {
    data: events.map((event) => toPayload(event, environment)),
    meta: { next_cursor: String(next_position), caught_up: is_caught_up },
  };
}
