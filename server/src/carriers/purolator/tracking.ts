import { isProvinceCode } from "../../domain/postal/provinces.ts";
import { isScanned } from "../../domain/shipments/tracking.ts";
import { timeZoneOf } from "../../domain/time/time-zones.ts";
import { momentOf } from "../../domain/time/wall-clock.ts";
import { isDay } from "../../domain/validation/validation.ts";
import { all, textAt, xml, type XmlElement, type XmlOutput } from "../protocol/xml.ts";
import {
  statusOfEvent,
  type CarrierTracking,
  type CarrierTrackingEvent,
  type TrackingLocation,
} from "../tracking.ts";
import { pinOf } from "./shipments.ts";
import { trackingEvents } from "./tracking-events.ts";

/** Tracking: Purolator's scans as domain events. No I/O. */

export function toTrackRequest(pins: readonly string[]): XmlOutput[] {
  return [xml("PINs", pins.map(pinOf))];
}

interface ReferenceSearch {
  reference: string;
  postal_code: string | null;
  country: string;
  account_number: string;
  /** `YYYY-MM-DD`. */
  from: string;
  to: string;
}

export function toReferenceSearch(search: ReferenceSearch): XmlOutput[] {
  return [
    xml("TrackPackageByReferenceSearchCriteria", [
      xml("Reference", search.reference),
      search.postal_code ? xml("DestinationPostalCode", search.postal_code) : null,
      xml("DestinationCountryCode", search.country),
      xml("BillingAccountNumber", search.account_number),
      xml("ShipmentFromDate", search.from),
      xml("ShipmentToDate", search.to),
    ]),
  ];
}

/** The numbers of the packages in an answer. */
export function pinsIn(result: XmlElement): string[] {
  return packagesIn(result).flatMap((each) => textAt(each, "PIN/Value") ?? []);
}

function packagesIn(result: XmlElement): XmlElement[] {
  return all(result, "TrackingInformationList/TrackingInformation");
}

/** The scans of one number; null where there are none, or none of it. */
export function fromTracking(result: XmlElement, pin: string): CarrierTracking | null {
  const found = packagesIn(result).find((each) => same(textAt(each, "PIN/Value"), pin));
  if (!found) return null;
  const scans = all(found, "Scans/Scan");
  const events = unique(scans.flatMap(eventOf));
  if (events.length === 0) return null;
  const signature = scans
    .map((scan) => textAt(scan, "ScanDetails/DeliverySignature"))
    .find(Boolean);
  const promised = scans
    .map((scan) => textAt(scan, "ScanDetails/CommitedDeliveryDate"))
    .find(Boolean);
  return {
    estimated_delivery_date: promised && isDay(promised) ? promised : null,
    signed_by: signature ?? null,
    events,
  };
}

/**
 * Whether Purolator has the parcel, or had it. It gives another number to what it found without a valid one
 * (assumption): that is no scan on the way, but it has the parcel then.
 */
export function showsUse(tracking: CarrierTracking | null): boolean {
  return (tracking?.events ?? []).some(
    ({ status, description }) =>
      isScanned(status) || /^new tracking number assigned/i.test(description ?? ""),
  );
}

/** Purolator answers in capitals. */
function same(one: string | null, other: string): boolean {
  return one?.toUpperCase() === other.toUpperCase();
}

/** Purolator repeats scans. */
function unique(events: CarrierTrackingEvent[]): CarrierTrackingEvent[] {
  const byKey = new Map(
    events.map((event) => {
      const { occurred_at, carrier_code, description, location } = event;
      return [JSON.stringify([occurred_at, carrier_code, description, location?.city]), event];
    }),
  );
  return [...byKey.values()];
}

/** Nothing for one without a type or a moment, by which it could not be told from the others. */
function eventOf(scan: XmlElement): CarrierTrackingEvent[] {
  const code = textAt(scan, "ScanType");
  const location = placeOf(textAt(scan, "Depot/Name"));
  const occurred_at = momentIn(scan, location);
  if (code === null || occurred_at === null) return [];
  const description = textAt(scan, "Description")?.replace(/-$/, "").trimEnd() ?? null;
  const status = statusOfEvent(trackingEvents, { code, description });
  return [{ occurred_at, status, description, location, carrier_code: code }];
}

/** `MONTREAL SORT CTR/CTR TRIE, PQ`: the depot in two languages, and its province, in the post's old letters. */
function placeOf(depot: string | null): TrackingLocation | null {
  const comma = depot?.lastIndexOf(",") ?? -1;
  const [name = ""] = (depot ?? "").slice(0, Math.max(comma, 0)).split("/");
  const letters = (depot ?? "").slice(comma + 1).trim();
  if (name === "" || !/^[A-Za-z]{2}$/.test(letters)) return null;
  const province_code = oldLetters[letters.toUpperCase()] ?? letters.toUpperCase();
  const country_code = ["CA", "US"].find((country) => isProvinceCode(country, province_code));
  return country_code ? { city: name.trim(), province_code, country_code } : null;
}

const oldLetters: Readonly<Record<string, string>> = { PQ: "QC", NF: "NL" };

/** In the depot's own time; in Toronto's where it is not known. */
function momentIn(scan: XmlElement, location: TrackingLocation | null): Date | null {
  const day = textAt(scan, "ScanDate") ?? "";
  const [, hour, minute, second = "00"] =
    /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?$/.exec(textAt(scan, "ScanTime") ?? "000000") ?? [];
  if (!isDay(day) || hour === undefined) return null;
  const zone = timeZoneOf(location ?? { country_code: "CA", province_code: "ON" });
  const start = momentOf(`${day}T${hour}:${minute}`, zone);
  return new Date(start.getTime() + Number(second) * 1_000);
}
