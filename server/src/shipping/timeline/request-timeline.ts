import type { Context } from "../../context.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { describeRequest } from "../../domain/timeline/describe-logs.ts";
import * as logs from "./log-store.ts";
import type { TimelinePage } from "./schemas.ts";
import { sourcesOf } from "./sources.ts";
import { findLastGap } from "./subject-store.ts";
import { scopeOf, showTimeline, descriptionContextOf } from "./timeline.ts";

/** A request and all that it did, also in the background. Throws 404. */
export async function requestTimeline(ctx: Context, id: string, query: TimelinePage) {
  const { db, account } = ctx;
  const { with_bodies } = scopeOf(ctx, []);
  const line = await logs.findRequest(db, account.account_id, { id, with_bodies });
  if (!line) throw notFound();
  const scope = { ...scopeOf(ctx, line.subjects), request: line };
  const { runs, attempts, calls, transactions, events, deliveries, actions } = sourcesOf(
    db,
    scope,
    descriptionContextOf(ctx),
  );
  return showTimeline(ctx, {
    subject: { created_at: line.at, last_gap: await findLastGap(db) },
    query,
    sources: [
      async () => [describeRequest(line)],
      ...[runs, attempts, calls, transactions, events, deliveries, actions],
    ],
  });
}
