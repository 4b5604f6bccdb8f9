import { eventTypes, type EventType } from "../events/catalogue.ts";
import type { CapturedRate } from "../pricing/captured-rate.ts";
import { fromCents, type Cents } from "../values/money.ts";
import { ranks, type Entry } from "./entry.ts";
import {
  amountOf,
  counted,
  origin,
  type DescribedRow,
  type DescriptionContext,
} from "./description.ts";

/** Quotes, transactions, events with their deliveries, and what operators did. */

interface DescribedQuote {
  shipment_id: string;
  rates: readonly Pick<CapturedRate, "carrier" | "service" | "service_name">[];
  quoted_at: Date;
  expires_at: Date;
}

/** A shipment keeps its newest quote. What carriers charge is the platform's own, and not shown. */
export function describeQuote({
  shipment_id,
  rates,
  quoted_at,
  expires_at,
}: DescribedQuote): Entry {
  const carriers = [...new Set(rates.map(({ carrier }) => carrier.name))];
  const offers = `${counted(rates.length, "service")}: ${carriers.join(", ")}`;
  return {
    at: quoted_at,
    rank: ranks.quote,
    id: `${shipment_id}.quote`,
    kind: "quote",
    title: rates.length > 0 ? `Carriers offered ${offers}` : "No carrier offered a service",
    request_id: null,
    cause: null,
    details: {
      services: rates.map(({ carrier, service, service_name }) => ({
        carrier: carrier.code,
        service,
        service_name,
      })),
      expires_at: expires_at.toISOString(),
    },
    links: { rates: `/rates/${shipment_id}` },
  };
}

export interface DescribedTransaction extends DescribedRow {
  type: string;
  amount_cents: Cents;
  currency: string;
  shipment_id: string | null;
}

const paidFor: Record<string, string> = {
  label: "for the label",
  ltl: "for the booking",
  fee: "as a fee",
  adjustment: "as an adjustment",
};

/** A transaction of the ledger; `amount_cents` is below zero where the account paid. */
export function describeTransaction(
  posted: DescribedTransaction,
  context: DescriptionContext,
): Entry {
  const { at, rank, id, type, amount_cents, currency, shipment_id } = posted;
  const amount = amountOf(Math.abs(amount_cents), currency);
  const title =
    type === "refund"
      ? `Refunded ${amount}`
      : `${amount_cents < 0 ? "Charged" : "Credited"} ${amount} ${paidFor[type] ?? ""}`.trim();
  return {
    at,
    rank,
    id,
    kind: "ledger",
    title,
    ...origin(posted, context),
    details: { type, amount: fromCents(amount_cents), currency, shipment_id },
    links: { transaction: `/credits/transactions/${id}` },
  };
}

export interface DescribedEvent extends DescribedRow {
  type: string;
  subject_id: string;
  sequence: number | null;
  data: object;
}

/** The events of a purchase, which a worker may make on behalf of a rule. */
const ofPurchases = [
  "shipment.purchased",
  "shipment.purchase_failed",
  "shipment.label_ready",
  "ltl.booked",
  "review.needed",
];

/** An event, also of a type that a later release has added: that one is told by its name. */
export function describeEvent(event: DescribedEvent, context: DescriptionContext): Entry {
  const { at, rank, id, type, subject_id, sequence } = event;
  const known = eventTypes[type as EventType] as (typeof eventTypes)[EventType] | undefined;
  const of_shipment = subject_id.startsWith("shp_");
  return {
    at,
    rank,
    id,
    kind: "event",
    title: known ? `${known.summary.replace(/\.$/, "")} (${type})` : type,
    ...origin(event, context, ofPurchases.includes(type)),
    details: { type, subject_id, sequence, data: namedIn(known, event.data) },
    links: {
      event: `/events/${id}`,
      ...(of_shipment ? { shipment_timeline: `/shipments/${subject_id}/timeline` } : {}),
    },
  };
}

/** Of events from before the catalogue only what the catalogue knows: they may hold a carrier's own words. */
function namedIn(known: (typeof eventTypes)[EventType] | undefined, data: object): object {
  const fields = Object.keys(known?.data.properties ?? {});
  return Object.fromEntries(Object.entries(data).filter(([name]) => fields.includes(name)));
}

export interface DescribedDelivery extends DescribedRow {
  webhook_id: string;
  event_id: string;
  event_type: string;
  trigger: string;
  status: "pending" | "delivered" | "failed" | "cancelled";
  attempt_count: number;
  last_status: number | null;
  last_error: string | null;
  ended_at: Date | null;
}

/** At the moment at which it became due, whatever has become of it since: so that it keeps its place. */
export function describeDelivery(delivery: DescribedDelivery, context: DescriptionContext): Entry {
  const { at, rank, id, webhook_id, event_id, event_type, trigger, status } = delivery;
  const { attempt_count, last_status, last_error, ended_at } = delivery;
  return {
    at,
    rank,
    id,
    kind: "delivery",
    title: `Webhook ${webhook_id} and ${event_type}: ${endOfDelivery(delivery)}`,
    ...origin(delivery, context, ofPurchases.includes(event_type)),
    details: {
      webhook_id,
      event_id,
      event_type,
      trigger,
      status,
      attempt_count,
      last_status,
      last_error,
      ended_at: ended_at?.toISOString() ?? null,
    },
    links: { delivery: `/deliveries/${id}`, event: `/events/${event_id}` },
  };
}

function endOfDelivery({
  status,
  attempt_count,
  last_status,
  last_error,
}: DescribedDelivery): string {
  const after = `after ${counted(attempt_count, "attempt")}`;
  const last = last_error ?? (last_status === null ? null : `answer ${last_status}`);
  if (status === "delivered") return `delivered ${after}, answer ${last_status ?? "unknown"}`;
  if (status === "cancelled") return "cancelled, the webhook was disabled or deleted";
  const so_far = status === "failed" ? `given up ${after}` : `not delivered yet, ${after}`;
  return last === null ? so_far : `${so_far}: ${last}`;
}

export interface DescribedAction extends DescribedRow {
  action: string;
}

/** What an operator did, as the audit log names it; without its details, which are the platform's own. */
export function describeAction(line: DescribedAction, context: DescriptionContext): Entry {
  const { at, rank, id, action } = line;
  return {
    at,
    rank,
    id,
    kind: "operator",
    title: `The operator: ${action.replaceAll(/[._]/g, " ")}`,
    ...origin(line, context),
    details: { action },
    links: {},
  };
}
