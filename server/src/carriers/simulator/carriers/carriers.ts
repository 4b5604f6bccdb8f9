import { canadaPost } from "./canada-post/canada-post.ts";
import { dayRoss } from "./day-ross/day-ross.ts";
import { fedex } from "./fedex/fedex.ts";
import { manitoulin } from "./manitoulin/manitoulin.ts";
import type { Courier, EventTexts, FreightCarrier } from "./profile.ts";
import { purolator } from "./purolator/purolator.ts";
import { tforceFreight } from "./tforce-freight/tforce-freight.ts";
import { ups } from "./ups/ups.ts";
import { usps } from "./usps/usps.ts";

/** Every simulated carrier, by the code in its addresses on the wire. */

export const couriers = byCode<Courier>([canadaPost, purolator, ups, fedex, usps]);
export const freightCarriers = byCode<FreightCarrier>([tforceFreight, dayRoss, manitoulin]);

/** Throws for a code that no courier has. */
export function courierOf(code: string): Courier {
  const courier = couriers.get(code);
  if (!courier) throw new Error(`No courier ${code} is simulated.`);
  return courier;
}

/** Throws for a code that no freight carrier has. */
export function freightCarrierOf(code: string): FreightCarrier {
  const carrier = freightCarriers.get(code);
  if (!carrier) throw new Error(`No freight carrier ${code} is simulated.`);
  return carrier;
}

/** How the carrier, of parcels or of freight, reports events. */
export function eventsOf(code: string): EventTexts {
  return (couriers.get(code) ?? freightCarrierOf(code)).events;
}

function byCode<Carrier extends { tariff: { carrier: string } }>(
  carriers: readonly Carrier[],
): ReadonlyMap<string, Carrier> {
  return new Map(carriers.map((carrier) => [carrier.tariff.carrier, carrier]));
}
