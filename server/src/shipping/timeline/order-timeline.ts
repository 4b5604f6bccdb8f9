import type { Context } from "../../context.ts";
import { notFound } from "../../domain/errors/errors.ts";
import type { TimelinePage } from "./schemas.ts";
import { sourcesOf } from "./sources.ts";
import { findOrderSubject } from "./subject-store.ts";
import { scopeOf, showTimeline, descriptionContextOf } from "./timeline.ts";

/** The events by which shipments change their order; each links to its shipment's own timeline. */
const ofShipments = [
  "shipment.created",
  "shipment.purchased",
  "shipment.purchase_failed",
  "shipment.voided",
  "ltl.booked",
  "ltl.cancelled",
];

/** What happened to an order itself, and what its shipments became. Throws 404. */
export async function orderTimeline(ctx: Context, id: string, query: TimelinePage) {
  const { db, account } = ctx;
  const subject = await findOrderSubject(db, account.account_id, id);
  if (!subject) throw notFound();
  const context = descriptionContextOf(ctx);
  const own = sourcesOf(db, scopeOf(ctx, [id]), context);
  const scope = { ...scopeOf(ctx, subject.shipment_ids), event_types: ofShipments };
  const { events: ofItsShipments } = sourcesOf(db, scope, context);
  const { requests, runs, events, deliveries, actions } = own;
  return showTimeline(ctx, {
    subject,
    query,
    sources: [requests, runs, events, deliveries, actions, ofItsShipments],
  });
}
