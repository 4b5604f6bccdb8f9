import type { Address } from "../../../domain/addresses/address.ts";
import type { Coordinates } from "../../../domain/postal/places.ts";
import { kilometresBetween } from "../distance.ts";
import { placeOf } from "../pricing/route.ts";
import { hubs, type City, type Hub } from "./cities.ts";

/** A place on the way, and its share of the distance: 0 at the sender's, 1 at the recipient's. */
export interface Stop extends City {
  share: number;
}

/**
 * The cities that a package is sorted in between two addresses, in order: those that lie roughly on the
 * straight line between them, at most three, none in the cities at both ends. Overseas it leaves by the
 * nearest gateway, and is not scanned again until it has arrived.
 */
export function stopsBetween(sender: Address, recipient: Address): Stop[] {
  const start = placeOf(sender);
  if (!start) return [];
  if (!["CA", "US"].includes(recipient.country_code))
    return [{ ...nearestGateway(start), share: 0.3 }];
  const end = placeOf(recipient);
  if (!end) return [];
  const possible = crossingOnce(hubsOnTheWay(start, end), sender, recipient);
  const wanted = stopsOver(kilometresBetween(start, end));
  const evenly = Array.from({ length: wanted }, (_each, index) => (index + 1) / (wanted + 1));
  return [...new Set(evenly.flatMap((share) => closestTo(share, possible) ?? []))];
}

/** How much longer the way may get by passing through a hub. */
const detourMax = 1.15;
/** Closer than this to an end, a hub is that end's own. */
const endKm = 90;

function hubsOnTheWay(start: Coordinates, end: Coordinates): Stop[] {
  const longest = kilometresBetween(start, end) * detourMax;
  return hubs
    .map((hub) => ({
      hub,
      behind: kilometresBetween(start, hub),
      ahead: kilometresBetween(hub, end),
    }))
    .filter(({ behind, ahead }) => behind > endKm && ahead > endKm && behind + ahead <= longest)
    .map(({ hub, behind, ahead }) => ({ ...cityOf(hub), share: behind / (behind + ahead) }))
    .sort((a, b) => a.share - b.share);
}

/** A parcel stays in its country, though the straight line leaves it, and crosses a border only once. */
function crossingOnce(stops: Stop[], sender: Address, recipient: Address): Stop[] {
  let country = sender.country_code;
  return stops.filter(({ country_code }) => {
    const isAllowed = [country, recipient.country_code].includes(country_code);
    if (isAllowed) country = country_code;
    return isAllowed;
  });
}

function stopsOver(kilometres: number): number {
  if (kilometres < 250) return 0;
  if (kilometres < 700) return 1;
  return kilometres < 2_000 ? 2 : 3;
}

function closestTo(share: number, stops: readonly Stop[]): Stop | undefined {
  return [...stops].sort((a, b) => Math.abs(a.share - share) - Math.abs(b.share - share))[0];
}

function nearestGateway(start: Coordinates): City {
  const gateways = hubs.filter(({ is_gateway }) => is_gateway);
  const [nearest] = gateways.sort(
    (a, b) => kilometresBetween(start, a) - kilometresBetween(start, b),
  );
  return cityOf(nearest!);
}

function cityOf({ city, province_code, country_code }: Hub): City {
  return { city, province_code, country_code };
}
