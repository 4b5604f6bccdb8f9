import type { TrackingStatus } from "../domain/shipments/shipment-status.ts";

/** A carrier's tracking of a package in transit, and the meaning of its codes. See `carrier.ts`, `track`. */

export interface CarrierTracking {
  /** The day that the carrier now expects to deliver on, in the destination's own time. */
  estimated_delivery_date: string | null;
  /** The name of the signer, where the carrier reports it. */
  signed_by: string | null;
  /** Of freight whose carrier assigns it at pickup: once it has. */
  pro_number?: string | null;
  events: CarrierTrackingEvent[];
}

export interface CarrierTrackingEvent {
  /** Carriers report local time: the adapter knows the zone, and converts it. */
  occurred_at: Date;
  /** `unknown` for a code in no table: it is shown, and changes no status. */
  status: TrackingStatus;
  /** The carrier's text. */
  description: string | null;
  location: TrackingLocation | null;
  /** The carrier's own code of the event. */
  carrier_code: string;
}

/** No closer than the city: a street would be personal data. */
export interface TrackingLocation {
  city: string;
  province_code: string | null;
  country_code: string;
}

/**
 * A carrier's event code → Waybill's status. Where a code alone says too little, a key may add how the
 * text begins: `Undeliverable: Available for pickup`. The longest matching key decides.
 */
export type TrackingEventCodes = Readonly<Record<string, TrackingStatus>>;

/** A carrier's table, as lists of codes by their meaning. Throws when one code would mean two things. */
export function eventCodes(
  lists: Readonly<Partial<Record<TrackingStatus, string>>>,
): TrackingEventCodes {
  const codes: Record<string, TrackingStatus> = {};
  for (const [status, list] of Object.entries(lists) as [TrackingStatus, string][]) {
    for (const code of list.split(" ")) {
      if (codes[code]) throw new Error(`${code} means ${codes[code]} and ${status}`);
      codes[code] = status;
    }
  }
  return codes;
}

/** The status of an event by a carrier's table; `unknown` for a code that is not in it. */
export function statusOfEvent(
  codes: TrackingEventCodes,
  { code, description }: { code: string; description: string | null },
): TrackingStatus {
  const said = `${code}: ${description ?? ""}`.toLowerCase();
  const fitting = Object.keys(codes).filter(
    (key) => key === code || (key.startsWith(`${code}: `) && said.startsWith(key.toLowerCase())),
  );
  const closest = fitting.sort((a, b) => b.length - a.length)[0];
  return closest === undefined ? "unknown" : codes[closest]!;
}
