import type { Context } from "../../context.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { describeBatch } from "../../domain/timeline/describe-batch.ts";
import type { TimelinePage } from "./schemas.ts";
import { sourcesOf } from "./sources.ts";
import { countItems, findBatchSubject } from "./subject-store.ts";
import { scopeOf, showTimeline, descriptionContextOf } from "./timeline.ts";

/** What happened to a batch, and what became of its shipments in sum. Throws 404. */
export async function batchTimeline(ctx: Context, id: string, query: TimelinePage) {
  const { db, account } = ctx;
  const { account_id, currency } = account;
  const subject = await findBatchSubject(db, account_id, id);
  if (!subject) throw notFound();
  const begun = { batch: subject, rule: null };
  const own = sourcesOf(db, scopeOf(ctx, [id]), descriptionContextOf(ctx, begun));
  const { requests, events, deliveries, actions } = own;
  const sum = async () => describeBatch(subject, await countItems(db, account_id, id), currency);
  return showTimeline(ctx, {
    subject,
    query,
    sources: [requests, events, deliveries, actions, sum],
  });
}
