import { canBecome } from "./shipment-states.ts";
import {
  trackingStatuses,
  type ShipmentStatus,
  type ShipmentType,
  type TrackingStatus,
} from "./shipment-status.ts";

/**
 * The status of a package by its carrier's scans, and of a shipment by its packages (decision 19, 22).
 * Everything here is a function of the set of events, never of the order in which they were received:
 * carriers send them late, twice and out of order.
 */

/** One event, as far as it decides the status. */
export interface Scan {
  occurred_at: Date;
  status: TrackingStatus;
  carrier_code: string;
}

/** The shipment status for each tracking status; null where nothing was scanned. */
export const shipmentStatusWhile: Readonly<Record<TrackingStatus, TransitStatus | null>> = {
  unknown: null,
  pre_transit: null,
  accepted: "in_transit",
  in_transit: "in_transit",
  out_for_delivery: "in_transit",
  available_for_pickup: "in_transit",
  attempted_delivery: "in_transit",
  delivered: "delivered",
  exception: "exception",
  return_to_sender: "returned",
  cancelled: null,
};

const transitStatuses = ["in_transit", "exception", "returned", "delivered"] as const;
export type TransitStatus = (typeof transitStatuses)[number];

/** Whether the carrier has the package, or had it. */
export function isScanned(status: TrackingStatus): boolean {
  return shipmentStatusWhile[status] !== null;
}

/**
 * The event that decides a package's status; null when there is none. A delivery is final, whatever is
 * scanned afterwards; a scan outweighs events about the label; and any known event outweighs an unknown
 * one.
 */
export function decisiveScan<S extends Scan>(scans: readonly S[]): S | null {
  const newest = [...scans].sort(byTime).reverse();
  return (
    newest.find(({ status }) => status === "delivered") ??
    newest.find(({ status }) => isScanned(status)) ??
    newest.find(({ status }) => status !== "unknown") ??
    newest[0] ??
    null
  );
}

/** A package's status: that of its decisive scan. Until its carrier has it, a voided label has none. */
export function statusFrom(scan: Scan | null, isTakenBack: boolean): TrackingStatus {
  const said = scan && scan.status !== "unknown" ? scan.status : "pre_transit";
  return isTakenBack && !isScanned(said) ? "cancelled" : said;
}

/**
 * Oldest first. Carriers without seconds give several events one time: then the status that is farther on
 * is later.
 */
export function byTime(a: Scan, b: Scan): number {
  return (
    a.occurred_at.getTime() - b.occurred_at.getTime() ||
    rank(a.status) - rank(b.status) ||
    (a.carrier_code < b.carrier_code ? -1 : Number(a.carrier_code > b.carrier_code))
  );
}

function rank(status: TrackingStatus): number {
  return trackingStatuses.indexOf(status);
}

/** The most urgent status for a merchant, of the packages in transit. */
const mostPressing: readonly TrackingStatus[] = [
  "exception",
  "return_to_sender",
  "attempted_delivery",
  "available_for_pickup",
  "accepted",
  "in_transit",
  "out_for_delivery",
];

/**
 * A shipment's status from those of its packages: delivered once all are, in transit as soon as one is.
 * Of several, the one that needs attention, or else the one that is farthest behind.
 */
export function statusOfAll(statuses: readonly TrackingStatus[]): TrackingStatus {
  const moving = mostPressing.find((status) => statuses.includes(status));
  if (moving) return moving;
  const delivered = statuses.filter((status) => status === "delivered").length;
  if (delivered > 0) return delivered === statuses.length ? "delivered" : "in_transit";
  return beforeAnyScan.find((status) => statuses.includes(status)) ?? "unknown";
}

const beforeAnyScan: readonly TrackingStatus[] = ["pre_transit", "cancelled"];

/**
 * The states that a shipment passes through, one by one, from its own to that of its packages: a
 * carrier may report pick-up and delivery at once. None when it is there already, or when the table of
 * states forbids the path: a delivered shipment does not change any more.
 */
export function stepsTo(
  type: ShipmentType,
  from: ShipmentStatus,
  to: TransitStatus,
): TransitStatus[] {
  if (from === to) return [];
  const after = (status: ShipmentStatus) =>
    transitStatuses.filter((next) => canBecome(type, status, next));
  const ways = after(from).map((next) => [next]);
  for (const way of ways) {
    const last = way.at(-1)!;
    if (last === to) return way;
    for (const next of after(last)) if (!way.includes(next)) ways.push([...way, next]);
  }
  return [];
}
