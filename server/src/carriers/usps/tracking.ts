import { isScanned } from "../../domain/shipments/tracking.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";
import { dayIn, listIn, textIn } from "../protocol/json.ts";
import {
  statusOfEvent,
  type CarrierTracking,
  type CarrierTrackingEvent,
  type TrackingEventCodes,
} from "../tracking.ts";
import { errorTable, refusalText, successOf, unreadable } from "./errors.ts";

/** Tracking of a package. No I/O. */

export function trackingPath(trackingCode: string): string {
  return `/tracking/v3/tracking/${encodeURIComponent(trackingCode)}?expand=DETAIL`;
}

/** USPS's refusals of a number that has no scan so far, as every new label's (its list of errors). */
const notYet = new Set(["150001", "150002", "150003", "150009"]);

/** Null where USPS does not know the number, or nothing of it yet. Throws the `CarrierError` of every other answer. */
export function fromTracking(
  answer: HttpAnswer,
  codes: TrackingEventCodes,
): CarrierTracking | null {
  if (answer.status === 404 && refusalText(answer) !== "") return null;
  if (answer.status === 400 && notYet.has(errorTable.read(answer)?.code ?? "")) return null;
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
  const offset = offsetOf(textIn(event, "GMTOffset")) ?? "Z";
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;
  const [text, zone] = form.exec(utc ?? local ?? "") ?? [];
  if (text === undefined) return null;
  const moment = new Date(zone ? text : `${text}${utc ? "Z" : offset}`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** `-07:00`, also of `-7:00` and `-0700`; null for what is no offset. */
function offsetOf(text: string | null): string | null {
  const [, sign, hours = "", minutes] = /^([+-])(\d{1,2}):?([0-5]\d)$/.exec(text ?? "") ?? [];
  return sign && Number(hours) <= 14 ? `${sign}${hours.padStart(2, "0")}:${minutes}` : null;
}
