import { Compile } from "typebox/compile";
import type { Carrier, CarrierDescriptor } from "../carrier.ts";
import { statusOfEvent, type CarrierTracking, type TrackingEventCodes } from "../tracking.ts";
import {
  WireTrackingResponse,
  type WireTracking,
  type WireTrackingEvent,
} from "../simulator/wire.ts";
import type { CarrierClient } from "./client.ts";

const trackingShape = Compile(WireTrackingResponse);

/** The tracking of a simulated carrier, of parcels or of freight. */
export function simulatedTracking(
  client: CarrierClient,
  descriptor: CarrierDescriptor,
): Carrier["track"] {
  const timeout_ms = descriptor.purchaseTimeoutSeconds * 1_000;
  return async ({ context, tracking_code }, signal) => {
    const path = `/tracking?tracking_code=${encodeURIComponent(tracking_code)}`;
    const { data } = await client.call(
      { method: "GET", path, context, signal, timeout_ms },
      {
        shape: trackingShape,
        fits: (answer) => answer.data.every((each) => each.tracking_code === tracking_code),
      },
    );
    return data[0] ? fromTrackingResponse(data[0], descriptor.trackingEvents) : null;
  };
}

/** A carrier's scans as domain events. No I/O. */
function fromTrackingResponse(
  { estimated_delivery_date, signed_by, pro_number = null, events }: WireTracking,
  codes: TrackingEventCodes,
): CarrierTracking {
  return {
    estimated_delivery_date,
    signed_by,
    pro_number,
    events: events.flatMap((event) => fromEvent(event, codes)),
  };
}

/** Nothing for an event at an hour that does not exist: without a moment it cannot be ordered. */
function fromEvent(event: WireTrackingEvent, codes: TrackingEventCodes) {
  const { code, text, local_time, utc_offset, city, province, country } = event;
  const occurred_at = new Date(`${local_time}${utc_offset}`);
  if (Number.isNaN(occurred_at.getTime())) return [];
  const description = text.trim() === "" ? null : text.trim();
  const location =
    city && country ? { city, province_code: province, country_code: country } : null;
  const status = statusOfEvent(codes, { code, description });
  return [{ occurred_at, status, description, location, carrier_code: code }];
}
