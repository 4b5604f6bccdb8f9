import type { Address } from "../../../domain/addresses/address.ts";
import { coordinatesOf } from "../../../domain/postal/regions.ts";
import { kilometresBetween } from "../distance.ts";

/** A package's route, as far as its price and its transit days depend on it. */
export interface Route {
  from: string;
  to: "CA" | "US" | "world";
  km: number;
  /** 1 (around the corner) to 8 (the other coast); to the world 1 to 3. */
  zone: number;
  /** The zone as an invoice names it: `5` at home, `U5` and `C5` across the border, `I2` overseas. */
  zone_name: string;
  remote: boolean;
  military: boolean;
}

export function routeOf(sender: Address, recipient: Address): Route {
  const from = sender.country_code;
  const to = recipient.country_code;
  if (to !== "CA" && to !== "US") return routeOverseas(from, to);
  const km = kilometresApart(sender, recipient);
  const zone = distanceBands.findIndex((band) => km <= band) + 1;
  const zone_name = from === to ? `${zone}` : `${to.charAt(0)}${zone}`;
  return {
    from,
    to,
    km,
    zone,
    zone_name,
    remote: isRemote(recipient),
    military: isMilitary(recipient),
  };
}

/** The Postal Service's zone chart in round kilometres; the last band reaches everywhere. */
const distanceBands = [80, 240, 480, 970, 1_600, 2_250, 2_900, Number.POSITIVE_INFINITY];

const overseasZones = [
  {
    countries: new Set("AT BE CH DE DK ES FI FR GB IE IT LU MX NL NO PT SE".split(" ")),
    km: 6_500,
  },
  { countries: new Set("AU CN HK JP KR MY NZ SG TH TW".split(" ")), km: 11_000 },
];
const farthest = { zone: 3, km: 13_000 };

function routeOverseas(from: string, to: string): Route {
  const index = overseasZones.findIndex(({ countries }) => countries.has(to));
  const zone = index < 0 ? farthest.zone : index + 1;
  const km = overseasZones[index]?.km ?? farthest.km;
  return { from, to: "world", km, zone, zone_name: `I${zone}`, remote: false, military: false };
}

/** A place in no table is taken to be at a medium distance: a carrier quotes it all the same. */
const unknownDistanceKm = 1_500;

function kilometresApart(sender: Address, recipient: Address): number {
  const start = placeOf(sender);
  const end = placeOf(recipient);
  return start && end ? kilometresBetween(start, end) : unknownDistanceKm;
}

/** By its postal code; null for one in no table. */
export function placeOf(address: Address) {
  return address.postal_code ? coordinatesOf(address.country_code, address.postal_code) : null;
}

/**
 * Canada's territories and every postal code with a zero in second position (the post's mark of a
 * rural route); Alaska, Hawaii and the islands in the United States.
 */
function isRemote(address: Address): boolean {
  const code = address.postal_code ?? "";
  if (address.country_code === "CA") return /^([XY]|[A-Z]0)/.test(code);
  return ["AK", "HI", "PR", "VI", "GU", "AS", "MP"].includes(address.province_code ?? "");
}

function isMilitary(address: Address): boolean {
  return address.country_code === "US" && ["AA", "AE", "AP"].includes(address.province_code ?? "");
}
