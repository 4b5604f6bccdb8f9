import { isScanned } from "../../domain/shipments/tracking.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";
import { dayIn, listIn, textIn } from "../protocol/json.ts";
import {
  statusOfEvent,
  type CarrierTracking,
  type CarrierTrackingEvent,
  type TrackingEventCodes,
} from "../tracking.ts";
import { refusalText, successOf, unreadable } from "./errors.ts";

/** Tracking of a package. No I/O. */

export function trackingPath(trackingCode: string): string {
  return `/tracking/v3/tracking/${encodeURIComponent(trackingCode)}?expand=DETAIL`;
}

/** Null where USPS does not know the number. Throws the `CarrierError` of every other answer. */
export function fromTracking(
  answer: HttpAnswer,
  codes: TrackingEventCodes,
): CarrierTracking | null {
  if (answer.status === 404 && refusalText(answer) !== "") return null;
  const body = successOf(answer);
  if (!("trackingEvents" in body) && textIn(body, "trackingNumber") === null) throw unreadable();
  const events = listIn(body, "trackingEvents").flatMap((event) => fromEvent(event, codes) ?? []);
  return {
    estimated_delivery_date:
      dayIn(body, "expectedDeliveryTimeStamp") ?? dayIn(body, "expectedDeliveryDate"),
    signed_by: textIn(listIn(body, "trackingEvents")[0], "name"),
    events,
  };
}

/**
 * Whether USPS has the parcel, or had it. `TM` is no scan on the way: it has received a container of parcels, and this
 * one is on its list.
 */
export function showsUse(tracking: CarrierTracking | null): boolean {
  return (tracking?.events ?? []).some(
    ({ status, carrier_code }) => isScanned(status) || carrier_code === "TM",
  );
}

function fromEvent(event: unknown, codes: TrackingEventCodes): CarrierTrackingEvent | null {
  const occurred_at = momentOf(event);
  if (occurred_at === null) return null;
  const code = textIn(event, "eventCode") ?? "unknown";
  const description = textIn(event, "eventType");
  const city = textIn(event, "eventCity");
  const country = textIn(event, "eventCountry");
  return {
    occurred_at,
    status: statusOfEvent(codes, { code, description }),
    description,
    location: city
      ? {
          city,
          province_code: textIn(event, "eventState"),
          // USPS names other countries only, and in words.
          country_code: country && /^[A-Z]{2}$/.test(country) ? country : "US",
        }
      : null,
    carrier_code: code,
  };
}

/** In UTC where USPS states it, else by its offset; without either, the local time is taken as UTC. */
function momentOf(event: unknown): Date | null {
  const utc = textIn(event, "GMTTimestamp");
  const local = textIn(event, "eventTimestamp");
  const offset = /^[+-]\d{2}:\d{2}$/.exec(textIn(event, "GMTOffset") ?? "")?.[0] ?? "Z";
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;
  const [text, zone] = form.exec(utc ?? local ?? "") ?? [];
  if (text === undefined) return null;
  const moment = new Date(zone ? text : `${text}${utc ? "Z" : offset}`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}
