import type { Context } from "../../context.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { describeQuote } from "../../domain/timeline/describe-facts.ts";
import type { TimelinePage } from "./schemas.ts";
import { sourcesOf } from "./sources.ts";
import { findShipmentSubject, type ShipmentSubject } from "./subject-store.ts";
import { scopeOf, showTimeline, descriptionContextOf } from "./timeline.ts";

/** All that happened to a shipment, in ten reads. Throws 404. */
export async function shipmentTimeline(ctx: Context, id: string, query: TimelinePage) {
  const { db, account } = ctx;
  const subject = await findShipmentSubject(db, account.account_id, id);
  if (!subject) throw notFound();
  const { batch_id, batch_request_id, rule } = subject;
  const batch = batch_id === null ? null : { id: batch_id, request_id: batch_request_id };
  const scope = scopeOf(ctx, [id]);
  const sources = sourcesOf(db, scope, descriptionContextOf(ctx, { batch, rule }));
  const quotes = quotesOf(id, subject);
  return showTimeline(ctx, {
    subject,
    query,
    sources: [async () => quotes, ...Object.values(sources)],
  });
}

function quotesOf(shipment_id: string, { rates, quoted_at, expires_at }: ShipmentSubject) {
  if (!rates || !quoted_at || !expires_at) return [];
  return [describeQuote({ shipment_id, rates, quoted_at, expires_at })];
}
