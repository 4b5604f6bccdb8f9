import type { Location } from "../../domain/locations/location.ts";
import type { LocationRow } from "./store.ts";

/** A location as clients see it; with its distance where they asked from a postal code. */
export function toLocation(row: LocationRow & { distance_m?: number }): Location {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    carrier: row.carrier,
    address: row.address,
    latitude: row.latitude,
    longitude: row.longitude,
    phone: row.phone,
    time_zone: row.time_zone,
    hours: row.hours,
    services: row.services,
    accepts: row.accepts,
    active: row.active,
    ...(row.distance_m === undefined ? {} : { distance_km: Math.round(row.distance_m / 10) / 100 }),
    updated_at: row.updated_at.toISOString(),
  };
}
