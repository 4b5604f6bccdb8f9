import type { FastifyRequest } from "fastify";
import { Type, type Static } from "typebox";
import type { Environment } from "../../database/tables.ts";
import { invalid } from "../../domain/errors/errors.ts";
import { locationTypes } from "../../domain/locations/location.ts";
import { coordinatesOf } from "../../domain/postal/regions.ts";
import { CommaSeparated, Country } from "../../domain/values/schema.ts";
import { DayOrMoment } from "../../domain/time/day-or-moment.ts";
import { listResponse, type Page } from "../../http/paging.ts";
import * as store from "./store.ts";
import { toLocation } from "./view.ts";

/** The filters of `GET /locations` (decision 18). */
export const LocationQuery = Type.Object({
  country_code: Type.Optional(Country({ description: "Where the place is." })),
  province_code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10,
      description: "Where the place is.",
      examples: ["ON"],
    }),
  ),
  postal_code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10,
      description: "Canadian or American: the places around it, the nearest first.",
      examples: ["M5V 3L9"],
    }),
  ),
  radius_km: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 500,
      description: "Around `postal_code`; 25 by default.",
    }),
  ),
  type: Type.Optional(CommaSeparated(locationTypes)),
  carrier: Type.Optional(Type.String({ maxLength: 50, description: "A carrier's code." })),
  updated_since: Type.Optional(
    DayOrMoment({
      description:
        "What was changed since then, places that are gone among them (`active: false`).",
    }),
  ),
});
type LocationQuery = Static<typeof LocationQuery>;

const radiusDefaultKm = 25;

/** The list's response: by id, or around a postal code by distance. Throws 422 for an unknown postal code. */
export async function listLocations(request: FastifyRequest, query: LocationQuery) {
  const { db, account } = request.ctx;
  const filters = readFilters(query, account.environment);
  const circle = circleOf(query);
  if (!circle) {
    return listResponse(request, {
      rows: (page) => store.listLocations(db, { ...filters, page }),
      count: () => store.countLocations(db, filters),
      show: toLocation,
    });
  }
  return listResponse(request, {
    async rows(page) {
      const { limit, offset } = page;
      const after = placeOf(page);
      const near = await store.locationsNear(db, { filters, circle, after, limit, offset });
      return near.map((row) => ({ id: `${row.distance_m}~${row.id}`, row }));
    },
    count: () => store.countNear(db, { filters, circle }),
    show: ({ row }) => toLocation(row),
  });
}

function readFilters(query: LocationQuery, environment: Environment): store.LocationFilters {
  const { country_code, province_code, type, carrier, updated_since } = query;
  return {
    environment,
    ...(country_code ? { country_code: country_code.toUpperCase() } : {}),
    ...(province_code ? { province_code: province_code.toUpperCase() } : {}),
    ...(type ? { type: type.split(",") } : {}),
    ...(carrier ? { carrier: carrier.toLowerCase() } : {}),
    ...(updated_since ? { updated_since: new Date(updated_since) } : {}),
  };
}

/** A country is derived from the code itself: only Canada's begin with a letter. */
function circleOf({ postal_code, radius_km, country_code }: LocationQuery): store.Circle | null {
  if (postal_code === undefined) {
    if (radius_km === undefined) return null;
    throw invalid({ radius_km: ["needs the postal_code in its middle."] });
  }
  const country = /^\s*[a-z]/i.test(postal_code) ? "CA" : "US";
  const given = country_code?.toUpperCase() ?? country;
  const middle = given === country ? coordinatesOf(country, postal_code) : null;
  if (!middle) {
    const whose = country_code ? ` of ${given}` : " of Canada or the United States";
    throw invalid({ postal_code: [`is no postal code${whose} that we know.`] });
  }
  return { ...middle, radius_km: radius_km ?? radiusDefaultKm };
}

/**
 * The cursor of such a list names a location by its distance and id, since ids alone do not sort by distance.
 */
function placeOf({ beside }: Page): store.NearSearch["after"] {
  if (!beside) return null;
  const match = /^(\d{1,8})~(loc_\w+)$/.exec(beside.id);
  if (!match) throw invalid({ cursor: ["is not a cursor of this list."] });
  return { distance_m: Number(match[1]), id: match[2]!, direction: beside.direction };
}
