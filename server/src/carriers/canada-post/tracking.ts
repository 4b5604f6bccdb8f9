import { momentOf } from "../../domain/time/wall-clock.ts";
import { timeZoneOf } from "../../domain/time/time-zones.ts";
import { isProvinceCode } from "../../domain/postal/provinces.ts";
import { isDay } from "../../domain/validation/validation.ts";
import { all, textAt, type XmlElement } from "../protocol/xml.ts";
import {
  statusOfEvent,
  type CarrierTracking,
  type CarrierTrackingEvent,
  type TrackingLocation,
} from "../tracking.ts";
import { trackingEvents } from "./tracking-events.ts";

/** Tracking: Canada Post's `tracking-detail` as domain events. No I/O. */

export const trackMediaType = "application/vnd.cpc.track-v2+xml";

export function fromTrackingDetail(root: XmlElement): CarrierTracking {
  const expected = textAt(root, "changed-expected-date") ?? textAt(root, "expected-delivery-date");
  const occurrences = all(root, "significant-events/occurrence");
  const signature = occurrences.map((each) => textAt(each, "signatory-name")).find(Boolean);
  return {
    estimated_delivery_date: expected !== null && isDay(expected) ? expected : null,
    signed_by: signature ?? null,
    events: occurrences.flatMap(eventOf),
  };
}

/** Nothing for one without a code or a moment, by which it could not be told from the others. */
function eventOf(occurrence: XmlElement): CarrierTrackingEvent[] {
  const code = textAt(occurrence, "event-identifier");
  const location = placeOf(occurrence);
  const occurred_at = momentIn(occurrence, location);
  if (code === null || occurred_at === null) return [];
  const description = textAt(occurrence, "event-description");
  const status = statusOfEvent(trackingEvents, { code, description });
  return [{ occurred_at, status, description, location, carrier_code: code }];
}

/** A place abroad has no province, and no country either: it is not shown. */
function placeOf(occurrence: XmlElement): TrackingLocation | null {
  const city = textAt(occurrence, "event-site");
  const province_code = textAt(occurrence, "event-province");
  if (city === null || province_code === null) return null;
  const country_code = ["CA", "US"].find((country) => isProvinceCode(country, province_code));
  return country_code ? { city, province_code, country_code } : null;
}

/** The abbreviations of Canada's zones, in hours and minutes from universal time. */
const offsets: Readonly<Record<string, string>> = {
  NST: "-03:30",
  NDT: "-02:30",
  AST: "-04:00",
  ADT: "-03:00",
  EST: "-05:00",
  EDT: "-04:00",
  CST: "-06:00",
  CDT: "-05:00",
  MST: "-07:00",
  MDT: "-06:00",
  PST: "-08:00",
  PDT: "-07:00",
  YST: "-09:00",
  GMT: "+00:00",
  UTC: "+00:00",
};

/** In the zone that it names, else in that of the place. */
function momentIn(occurrence: XmlElement, location: TrackingLocation | null): Date | null {
  const day = textAt(occurrence, "event-date") ?? "";
  const time = textAt(occurrence, "event-time") ?? "00:00:00";
  if (!isDay(day) || !/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(time)) return null;
  const offset = offsets[textAt(occurrence, "event-time-zone") ?? ""];
  if (offset !== undefined) return new Date(`${day}T${time.padEnd(8, ":00")}${offset}`);
  const zone = timeZoneOf(location ?? { country_code: "CA", province_code: "ON" });
  const start = momentOf(`${day}T${time.slice(0, 5)}`, zone);
  return new Date(start.getTime() + Number(time.slice(6) || "0") * 1_000);
}
