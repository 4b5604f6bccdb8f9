import { sql, type Selectable } from "kysely";
import { expectedColumns } from "../../database/columns.ts";
import { insertOf } from "../../database/insert-of.ts";
import { isOneOf } from "../../database/rows.ts";
import type { Database, Environment, LocationsTable, Tx } from "../../database/tables.ts";
import { newId } from "../../domain/values/ids.ts";
import type { KnownLocation } from "../../domain/locations/location.ts";
import { onPage, type Page } from "../../http/paging.ts";

export type LocationRow = Selectable<LocationsTable>;

export interface LocationFilters {
  environment: Environment;
  country_code?: string;
  province_code?: string;
  type?: string[];
  carrier?: string;
  /** Includes retired locations, so that clients can remove them. */
  updated_since?: Date;
}

export async function listLocations(
  db: Database,
  { page, ...filters }: LocationFilters & { page: Page },
): Promise<LocationRow[]> {
  return onPage(filtered(db, filters).selectAll(), page, "id").execute();
}

export async function countLocations(db: Database, filters: LocationFilters): Promise<number> {
  const { count } = await filtered(db, filters)
    .select((where) => where.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function filtered(db: Database, filters: LocationFilters) {
  const { environment, updated_since, type, ...equal } = filters;
  let query = db.selectFrom("locations").where("environment", "=", environment);
  query = updated_since
    ? query.where("updated_at", ">=", updated_since)
    : query.where("active", "=", true);
  if (type) query = query.where(isOneOf("type", type));
  for (const column of ["country_code", "province_code", "carrier"] as const) {
    const value = equal[column];
    if (value !== undefined) query = query.where(column, "=", value as never);
  }
  return query;
}

export interface Circle {
  latitude: number;
  longitude: number;
  radius_km: number;
}

type NearRow = LocationRow & { distance_m: number };

/**
 * The locations within a circle, the nearest first, after a location at a given distance. A box around the
 * circle selects by the index; the distance on the sphere (its mean radius is 6,371 km) decides.
 */
export async function locationsNear(
  db: Database,
  { filters, circle, after, limit, offset }: NearSearch,
): Promise<NearRow[]> {
  const near = withDistance(db, { filters, circle });
  let query = db
    .selectFrom(near)
    .selectAll()
    .where("distance_m", "<=", Math.floor(circle.radius_km * 1000));
  if (after) {
    const { distance_m, id, direction } = after;
    query = query.where(
      direction === "next"
        ? sql<boolean>`(distance_m, id) > (${distance_m}::int, ${id})`
        : sql<boolean>`(distance_m, id) < (${distance_m}::int, ${id})`,
    );
  }
  const order = after?.direction === "prev" ? "desc" : "asc";
  return query
    .orderBy("distance_m", order)
    .orderBy("id", order)
    .limit(limit)
    .offset(offset)
    .execute();
}

export interface NearSearch {
  filters: LocationFilters;
  circle: Circle;
  after: { distance_m: number; id: string; direction: "next" | "prev" } | null;
  limit: number;
  offset: number;
}

export async function countNear(
  db: Database,
  { filters, circle }: Pick<NearSearch, "filters" | "circle">,
): Promise<number> {
  const { count } = await db
    .selectFrom(withDistance(db, { filters, circle }))
    .select((where) => where.fn.countAll<number>().as("count"))
    .where("distance_m", "<=", Math.floor(circle.radius_km * 1000))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Rounded down from 111.19493, so that the box is never smaller than the circle. */
const kmPerDegree = 111.19;

function withDistance(db: Database, { filters, circle }: Pick<NearSearch, "filters" | "circle">) {
  const { latitude, longitude, radius_km } = circle;
  const north = radius_km / kmPerDegree;
  // Meridians come together towards the poles; beyond 89° every longitude is near.
  const shrinking = Math.max(
    0.0175,
    Math.cos((Math.min(89, Math.abs(latitude) + north) * Math.PI) / 180),
  );
  const east = Math.min(180, north / shrinking);
  return (
    filtered(db, filters)
      .where("latitude", ">=", latitude - north)
      .where("latitude", "<=", latitude + north)
      .where("longitude", ">=", longitude - east)
      .where("longitude", "<=", longitude + east)
      // Those known now: a later release may add others under a statement that is prepared.
      .select(expectedColumns()["locations"] as (keyof LocationsTable)[])
      .select(
        sql<number>`round(2 * 6371000 * asin(least(1, sqrt(
        power(sin(radians(latitude - ${latitude}::float8) / 2), 2) +
        cos(radians(${latitude}::float8)) * cos(radians(latitude)) *
        power(sin(radians(longitude - ${longitude}::float8) / 2), 2)))))::int`.as("distance_m"),
      )
      .as("near")
  );
}

/** Incremented by every change of the environment's catalogue, and only then; 0 before the first. */
export async function catalogueVersion(db: Database, environment: Environment): Promise<number> {
  const row = await db
    .selectFrom("location_catalogues")
    .select("version")
    .where("environment", "=", environment)
    .executeTakeFirst();
  return row?.version ?? 0;
}

export interface Written {
  created: number;
  updated: number;
}

/** Writes locations, none of them twice, by one statement; unchanged ones keep their `updated_at`. */
export async function writeLocations(
  tx: Tx,
  {
    environment,
    places,
    now,
  }: { environment: Environment; places: readonly KnownLocation[]; now: Date },
): Promise<Written> {
  if (places.length === 0) return { created: 0, updated: 0 };
  const rows = places.map((place) => ({
    ...place,
    id: newId("loc", now),
    environment,
    country_code: place.address.country_code,
    province_code: place.address.province_code,
    updated_at: now.toISOString(),
  }));
  const columns = sql.raw(
    "name, type, address, country_code, province_code, latitude, longitude, time_zone, phone, hours, services, accepts, active",
  );
  const { rows: written } = await sql<{ is_new: boolean }>`
    ${insertOf("locations", rows, "known")}
    ON CONFLICT (environment, carrier, external_id) DO UPDATE
    SET (${columns}, updated_at) = (SELECT ${columns}, updated_at FROM (SELECT excluded.*) AS given)
    WHERE (SELECT (${columns}) FROM (SELECT known.*) AS is_there)
      IS DISTINCT FROM (SELECT (${columns}) FROM (SELECT excluded.*) AS given)
    RETURNING xmax = 0 AS is_new`.execute(tx);
  const created = written.filter(({ is_new }) => is_new).length;
  return { created, updated: written.length - created };
}

/** Retires every location of these carriers that the import did not name. Returns how many there were. */
export async function retireOthers(
  tx: Tx,
  {
    environment,
    named,
    now,
  }: {
    environment: Environment;
    named: readonly { carrier: string; external_id: string }[];
    now: Date;
  },
): Promise<number> {
  const keys = JSON.stringify(named.map(({ carrier, external_id }) => ({ carrier, external_id })));
  const { numAffectedRows = 0n } = await sql`
    WITH named AS (SELECT * FROM jsonb_to_recordset(${keys}::jsonb) AS each (carrier text, external_id text))
    UPDATE locations SET active = false, updated_at = ${now}
    WHERE environment = ${environment} AND active
      AND carrier IN (SELECT carrier FROM named)
      AND (carrier, external_id) NOT IN (SELECT carrier, external_id FROM named)`.execute(tx);
  return Number(numAffectedRows);
}

export async function raiseVersion(tx: Tx, environment: Environment): Promise<void> {
  await sql`INSERT INTO location_catalogues AS known VALUES (${environment}, 1)
    ON CONFLICT (environment) DO UPDATE SET version = known.version + 1`.execute(tx);
}
