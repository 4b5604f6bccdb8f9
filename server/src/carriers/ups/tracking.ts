import { isScanned } from "../../domain/shipments/tracking.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";
import { codeIn, dayIn, listIn, textIn, valueIn } from "../protocol/json.ts";
import {
  statusOfEvent,
  type CarrierTracking,
  type CarrierTrackingEvent,
  type TrackingEventCodes,
} from "../tracking.ts";
import { errorTable, successOf } from "./errors.ts";
import { trackingEvents } from "./tracking-events.ts";

/** Tracking, by a package's number and by Waybill's reference. No I/O. */

export function trackingPath(trackingCode: string): string {
  return `/api/track/v1/details/${encodeURIComponent(trackingCode)}?locale=en_US`;
}

/** All packages of the account under a reference: without dates, only those of two weeks are searched. */
export function referencePath(
  reference: string,
  { account_number, sent_at }: { account_number: string; sent_at: Date },
): string {
  const dayMs = 86_400_000;
  const day = (offset: number) =>
    new Date(sent_at.getTime() + offset * dayMs).toISOString().slice(0, 10).replaceAll("-", "");
  const query = new URLSearchParams({
    locale: "en_US",
    // The parcel is picked up after its purchase, and the carrier's local date may be a day before UTC's.
    fromPickUpDate: day(-1),
    toPickUpDate: day(14),
    shipperNum: account_number,
    refNumType: "SmallPackage",
  });
  return `/api/track/v1/reference/details/${encodeURIComponent(reference)}?${query.toString()}`;
}

/** UPS's warning for a number that it does not know, in an answer of status 200. */
const notFoundWarning = "TW0001";
/** The same as an error: not found, and no number of UPS's. */
const notFoundErrors = new Set(["TV1002", "TW0001", "150022", "151018", "151044", "151062"]);

/** The packages of an answer; empty where UPS knows none. Throws the `CarrierError` of every other answer. */
function packagesOf(answer: HttpAnswer): { shipment: unknown; parcel: unknown }[] {
  if (isNotFound(answer)) return [];
  const shipments = listIn(successOf(answer, "trackResponse"), "shipment");
  return shipments
    .filter((shipment) => !isWarnedOf(shipment))
    .flatMap((shipment) => listIn(shipment, "package").map((parcel) => ({ shipment, parcel })));
}

function isNotFound(answer: HttpAnswer): boolean {
  if (answer.status !== 404 && answer.status !== 400) return false;
  return notFoundErrors.has(errorTable.read(answer)?.code ?? "");
}

/** Whether the answer says in its own form that the number is not known: it is not to be taken for a failure. */
export function saysUnknown(answer: HttpAnswer): boolean {
  if (isNotFound(answer)) return true;
  const shipments = listIn(successOf(answer, "trackResponse"), "shipment");
  return shipments.length > 0 && shipments.every(isWarnedOf);
}

/** Each shipment of an answer has warnings of its own. */
function isWarnedOf(shipment: unknown): boolean {
  return listIn(shipment, "warnings").some(
    (warning) => textIn(warning, "code") === notFoundWarning,
  );
}

/** The tracking of one package; null where UPS does not know it yet. */
export function fromTracking(
  answer: HttpAnswer,
  trackingCode: string,
  codes: TrackingEventCodes,
): CarrierTracking | null {
  const packages = packagesOf(answer);
  const found =
    packages.find(({ parcel }) => textIn(parcel, "trackingNumber") === trackingCode) ?? packages[0];
  if (!found) return null;
  const { parcel } = found;
  return {
    estimated_delivery_date: expectedDay(parcel),
    signed_by: textIn(parcel, "deliveryInformation", "receivedBy"),
    events: listIn(parcel, "activity").flatMap((activity) => fromActivity(activity, codes) ?? []),
  };
}

/** The day that it was rescheduled to (`RDD`), else the scheduled one; `DEL` is the day on which it was delivered. */
function expectedDay(parcel: unknown): string | null {
  const dates = listIn(parcel, "deliveryDate").filter((date) => textIn(date, "type") !== "DEL");
  const rescheduled = dates.find((date) => textIn(date, "type") === "RDD");
  return (
    dayIn(rescheduled, "date") ?? dates.map((date) => dayIn(date, "date")).find(Boolean) ?? null
  );
}

/** Null for an activity without a readable moment: it cannot be ordered. */
function fromActivity(activity: unknown, codes: TrackingEventCodes): CarrierTrackingEvent | null {
  const occurred_at = momentOf(activity);
  if (occurred_at === null) return null;
  const status = valueIn(activity, "status");
  const description = textIn(status, "description");
  const code = textIn(status, "statusCode") ?? textIn(status, "code") ?? textIn(status, "type");
  const address = valueIn(activity, "location", "address");
  const city = textIn(address, "city");
  const country_code = textIn(address, "countryCode") ?? textIn(address, "country");
  const carrier_code = code ?? "unknown";
  return {
    occurred_at,
    status: isVoided(status)
      ? "cancelled"
      : statusOfEvent(codes, { code: carrier_code, description }),
    description,
    location:
      city && country_code
        ? { city, province_code: textIn(address, "stateProvince"), country_code }
        : null,
    carrier_code,
  };
}

/** The moment in UTC where UPS states it, else by its offset; without either, the local time is taken as UTC. */
function momentOf(activity: unknown): Date | null {
  const utc = asMoment(dayIn(activity, "gmtDate"), textIn(activity, "gmtTime"), "Z");
  if (utc) return utc;
  const offset = textIn(activity, "gmtOffset");
  const zone = offset && /^[+-]\d{2}:\d{2}$/.test(offset) ? offset : "Z";
  return asMoment(dayIn(activity, "date"), textIn(activity, "time"), zone);
}

/** UPS writes times as `HHMMSS` and, in UTC, as `HH:MM:SS`. */
function asMoment(day: string | null, time: string | null, zone: string): Date | null {
  const match = /^(\d{2}):?(\d{2}):?(\d{2})$/.exec(time ?? "");
  if (day === null || !match) return null;
  const moment = new Date(`${day}T${match[1]}:${match[2]}:${match[3]}${zone}`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** `MV` is a type of activity, `VP` a code: the shipper voided it (UPS's lists). */
function isVoided(status: unknown): boolean {
  return textIn(status, "type") === "MV" || textIn(status, "code") === "VP";
}

interface SeenShipment {
  package_tracking_codes: string[];
  state: "live" | "voided";
}

/** The packages under a reference, voided or not; null where UPS shows none. */
export function fromReference(answer: HttpAnswer, reference: string): SeenShipment | null {
  if (saysUnknown(answer)) return null;
  const packages = packagesOf(answer).filter(({ parcel }) => isUnder(parcel, reference));
  const codes = packages.flatMap(({ shipment, parcel }) => {
    const code = codeIn(parcel, "trackingNumber") ?? codeIn(shipment, "inquiryNumber");
    return code === null ? [] : [code];
  });
  if (codes.length === 0) return null;
  const isVoid = packages.every(({ parcel }) => isVoidedPackage(parcel));
  return { package_tracking_codes: [...new Set(codes)], state: isVoid ? "voided" : "live" };
}

/** UPS lists a package's references where it has them; another's reference is another's package. */
function isUnder(parcel: unknown, reference: string): boolean {
  const numbers = listIn(parcel, "referenceNumber").flatMap((each) => textIn(each, "number") ?? []);
  return numbers.length === 0 || numbers.includes(reference);
}

/**
 * What tracking shows of the refund of a voided label: UPS takes the void of one that was used, and bills it. `none`
 * where it shows neither the void nor a use.
 */
export function refundIn(answer: HttpAnswer): "approved" | "rejected" | "none" {
  if (saysUnknown(answer)) return "none";
  const packages = packagesOf(answer);
  if (packages.some(({ parcel }) => isUsed(parcel))) return "rejected";
  const areVoid = packages.length > 0 && packages.every(({ parcel }) => isVoidedPackage(parcel));
  return areVoid ? "approved" : "none";
}

/** Whether the void is the last that UPS recorded of it. */
function isVoidedPackage(parcel: unknown): boolean {
  const current = valueIn(parcel, "currentStatus") ?? valueIn(parcel, "activity", "status");
  const activities = listIn(parcel, "activity").map((activity) => valueIn(activity, "status"));
  const isVoid = [current, ...activities].some(
    (status) => isVoided(status) || textIn(status, "statusCode") === "007",
  );
  return isVoid && !isUsed(parcel);
}

/** Whether UPS has the parcel, or had it, or recorded anything of it after its void. */
function isUsed(parcel: unknown): boolean {
  const activities = listIn(parcel, "activity").flatMap(
    (activity) => fromActivity(activity, trackingEvents) ?? [],
  );
  const voids = activities.filter(({ status }) => status === "cancelled");
  const voidedAt = Math.max(...voids.map(({ occurred_at }) => occurred_at.getTime()));
  return activities.some(
    ({ status, occurred_at }) =>
      isScanned(status) || (voids.length > 0 && occurred_at.getTime() > voidedAt),
  );
}
