import type { Coordinates } from "../../domain/postal/places.ts";

/** As the crow flies: the haversine formula on a sphere of the earth's mean radius. */
export function kilometresBetween(start: Coordinates, end: Coordinates): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const haversine = (angle: number) => Math.sin(radians(angle) / 2) ** 2;
  const chord =
    haversine(end.latitude - start.latitude) +
    Math.cos(radians(start.latitude)) *
      Math.cos(radians(end.latitude)) *
      haversine(end.longitude - start.longitude);
  return Math.round(2 * 6_371 * Math.asin(Math.sqrt(chord)));
}
