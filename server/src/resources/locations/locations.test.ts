import { bySystem } from "../../domain/accounts/principal.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAccount, aToken, call, testApi, type TestApi } from "../../../test/api.ts";
import { baseOf } from "../../http/authenticate.ts";
import { systemClock } from "../../domain/time/clock.ts";
import type { Location, NewLocation } from "../../domain/locations/location.ts";
import { sandboxLocations, seedSandboxLocations } from "../../seed/sandbox-locations.ts";
import { importLocations, type ImportReport } from "./import-locations.ts";
import { rowsOf, rowsOfCsv } from "./read-source.ts";
import * as store from "./store.ts";

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" } });
  await seedSandboxLocations(api.platform);
  token = await aToken(api, await anAccount(api), { scopes: ["rates:read"] });
});
afterAll(() => api.close());

interface ListResponse {
  data: Location[];
  meta: Record<string, string | number | null>;
  links: { next: string | null; prev: string | null };
  error: { code: string; details: Record<string, string[]> };
}

async function list(query: string, headers: Record<string, string> = {}) {
  const path = `/locations${query}`;
  const reply = await call(api, { token, path, headers });
  return {
    status: reply.statusCode,
    headers: reply.headers,
    raw: reply.rawPayload,
    body: reply.body ? reply.json<ListResponse>() : null,
  };
}

async function listed(query: string): Promise<ListResponse> {
  const { status, body } = await list(query);
  expect(status, JSON.stringify(body)).toBe(200);
  return body!;
}

/** Every page of a list, by its cursors. */
async function walk(query: string): Promise<Location[]> {
  const all: Location[] = [];
  for (let page = await listed(query); ;) {
    all.push(...page.data);
    if (page.meta["next_cursor"] === null) return all;
    page = await listed(`${query}&cursor=${page.meta["next_cursor"]}`);
  }
}

const place = (changes: Partial<NewLocation> = {}): NewLocation => ({
  carrier: "test_carrier",
  external_id: "1",
  name: "A shop",
  type: "partner",
  address: {
    address1: "1 Main Street",
    city: "Toronto",
    province_code: "ON",
    postal_code: "M5V 3L9",
    country_code: "CA",
  },
  latitude: 43.64,
  longitude: -79.39,
  time_zone: "America/Toronto",
  ...changes,
});

const by = bySystem("test");
const bring = (places: unknown[], retire_missing = false): Promise<ImportReport> =>
  importLocations(
    { db: api.db, clock: systemClock },
    { environment: "live", rows: rowsOf(places), retire_missing, by },
  );

describe("GET /locations", () => {
  test("the sandbox has locations for any valid token, each with an address, hours and a time zone", async () => {
    const all = await walk("?per_page=100");
    expect(all).toHaveLength(sandboxLocations().length);
    expect(all.length).toBeGreaterThan(150);
    for (const each of all) {
      expect(each.hours.length).toBeGreaterThan(0);
      expect(() => new Intl.DateTimeFormat("en", { timeZone: each.time_zone })).not.toThrow();
    }
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  test("production's catalogue is another one", async () => {
    const live = await anAccount(api, { environment: "live" });
    const bearer = await aToken(api, live, { scopes: ["rates:read"] });
    const reply = await api.app.inject({
      url: `${baseOf.live}/locations`,
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect(reply.statusCode).toBe(200);
    expect(
      reply.json<ListResponse>().data.filter(({ carrier }) => carrier === "canada_post"),
    ).toEqual([]);
  });

  test("filters select, each by itself and together", async () => {
    const all = await walk("?per_page=100");
    const wanted = (keep: (each: Location) => boolean) => all.filter(keep).map(({ id }) => id);
    const ids = async (query: string) => (await walk(`?per_page=100&${query}`)).map(({ id }) => id);
    expect(await ids("country_code=us")).toEqual(
      wanted(({ address }) => address.country_code === "US"),
    );
    expect(await ids("province_code=on")).toEqual(
      wanted(({ address }) => address.province_code === "ON"),
    );
    expect(await ids("type=partner&carrier=ups")).toEqual(
      wanted(({ type, carrier }) => type === "partner" && carrier === "ups"),
    );
    expect(await ids("carrier=nobody")).toEqual([]);
  });

  test("around a postal code the nearest come first, none outside the circle, none left out", async () => {
    const near = await walk("?per_page=3&postal_code=M5V3L9&radius_km=60");
    const distances = near.map(({ distance_km }) => distance_km!);
    expect(near.length).toBeGreaterThan(8);
    expect(distances).toEqual([...distances].sort((one, other) => one - other));
    expect(Math.max(...distances)).toBeLessThanOrEqual(60);
    expect(new Set(near.map(({ address }) => address.city))).toEqual(
      new Set(["Toronto", "Mississauga", "Hamilton"]),
    );
    const wider = await walk("?per_page=100&postal_code=M5V%203L9&radius_km=61");
    expect(wider.filter(({ distance_km }) => distance_km! <= 60).map(({ id }) => id)).toEqual(
      near.map(({ id }) => id),
    );
  });

  test("a page back shows the rows before it, by distance too", async () => {
    const first = await listed("?per_page=4&postal_code=10001&radius_km=500");
    const second = await listed(
      `?per_page=4&postal_code=10001&radius_km=500&cursor=${first.meta["next_cursor"]}`,
    );
    const back = await listed(
      `?per_page=4&postal_code=10001&radius_km=500&cursor=${second.meta["prev_cursor"]}`,
    );
    expect(back.data).toEqual(first.data);
    expect(second.data[0]!.distance_km!).toBeGreaterThanOrEqual(first.data.at(-1)!.distance_km!);
  });

  test.each([
    ["?radius_km=10", "radius_km"],
    ["?postal_code=ZZZ", "postal_code"],
    ["?postal_code=00000", "postal_code"],
    ["?postal_code=M5V3L9&country_code=US", "postal_code"],
    ["?postal_code=M5V3L9&radius_km=0", "radius_km"],
    ["?postal_code=M5V3L9&radius_km=1e9", "radius_km"],
    ["?type=shop", "type"],
    ["?country_code=CAN", "country_code"],
    ["?updated_since=yesterday", "updated_since"],
    ["?postal_code=M5V3L9&cursor=abc", "cursor"],
    ["?per_page=101", "per_page"],
  ])("%s is a 422 that names %s", async (query, field) => {
    const { status, body } = await list(query);
    expect([status, body!.error.code]).toEqual([422, "validation_failed"]);
    expect(Object.keys(body!.error.details)).toEqual([field]);
  });

  test("a cursor of the list by id is not valid for the list by distance", async () => {
    const { meta } = await listed("?per_page=2");
    const { status } = await list(`?per_page=2&postal_code=M5V3L9&cursor=${meta["next_cursor"]}`);
    expect(status).toBe(422);
  });
});

describe("ETag", () => {
  test("a client that has the current response gets 304 without a body, until the catalogue changes", async () => {
    const first = await list("?per_page=5");
    const etag = String(first.headers["etag"]);
    for (const known of [etag, etag.replace("W/", ""), `"other", ${etag}`, "*"]) {
      const again = await list("?per_page=5", { "if-none-match": known });
      expect([again.status, again.raw.length, again.headers["etag"]]).toEqual([304, 0, etag]);
    }
    const other = await list("?per_page=6", { "if-none-match": etag });
    expect(other.status).toBe(200);
    await importLocations(
      { db: api.db, clock: systemClock },
      { environment: "test", rows: rowsOf([place()]), retire_missing: false, by },
    );
    const changed = await list("?per_page=5", { "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(changed.headers["etag"]).not.toBe(etag);
  });

  test("an import without changes keeps every tag", async () => {
    const version = await store.catalogueVersion(api.db, "test");
    await importLocations(
      { db: api.db, clock: systemClock },
      { environment: "test", rows: rowsOf(sandboxLocations()), retire_missing: false, by },
    );
    expect(await store.catalogueVersion(api.db, "test")).toBe(version);
  });
});

describe("imports", () => {
  test("a location is added once, changed by its next import, and left unchanged by the same one again", async () => {
    expect(await bring([place()])).toMatchObject({ created: 1, updated: 0, unchanged: 0 });
    expect(await bring([place()])).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    expect(await bring([place({ name: "Another name" })])).toMatchObject({ updated: 1 });
  });

  test("retired locations are listed only for requests with updated_since", async () => {
    const since = new Date(Date.now() - 1000).toISOString();
    const carrier = "leaving";
    await bring([place({ carrier, external_id: "a" }), place({ carrier, external_id: "b" })]);
    expect(await bring([place({ carrier, external_id: "a" })], true)).toMatchObject({ retired: 1 });
    const filters = { environment: "live" as const, carrier };
    const page = { per_page: 9, limit: 10, offset: 0, beside: null, number: null };
    const now = await store.listLocations(api.db, { ...filters, page });
    const changed = await store.listLocations(api.db, {
      ...filters,
      updated_since: new Date(since),
      page,
    });
    expect(now.map(({ external_id }) => external_id)).toEqual(["a"]);
    expect(changed.map(({ external_id, active }) => `${external_id} ${active}`).sort()).toEqual([
      "a true",
      "b false",
    ]);
  });

  test("bad rows are named with all problems, good ones are imported, and nothing is retired", async () => {
    const report = await bring(
      [
        place({ carrier: "mixed", external_id: "good" }),
        place({ carrier: "mixed", external_id: "good" }),
        {
          ...place({ carrier: "mixed", external_id: "bad" }),
          latitude: 91,
          hours: [{ day: "monday", opens: "9", closes: "17:00" }],
        },
        place({
          carrier: "mixed",
          external_id: "where",
          time_zone: "Mars/Olympus",
          address: { ...place().address, postal_code: "V6B 1A1" },
        }),
        "no place",
        null,
      ],
      true,
    );
    expect(report).toMatchObject({ created: 1, retired: 0, error_count: 5 });
    expect(report.errors.map(({ line, problems }) => [line, Object.keys(problems).sort()])).toEqual(
      [
        [2, ["external_id"]],
        [3, ["hours.0.opens", "latitude"]],
        [4, ["address.postal_code", "time_zone"]],
        [5, ["row"]],
        [6, ["row"]],
      ],
    );
  });

  const csv = async (text: string) =>
    importLocations(
      { db: api.db, clock: systemClock },
      { environment: "live", rows: rowsOfCsv([text]), retire_missing: false, by },
    );
  const header =
    "carrier,external_id,name,type,address1,city,province_code,postal_code,country_code,latitude,longitude,time_zone,hours,services";

  test("CSV of a spreadsheet is read: a byte order mark, CRLF, quotes, commas in names", async () => {
    const row = `csv_post,7,"Books, ""Toys"" & Post",partner,1 King St W,Toronto,ON,M5V 3L9,CA,43.6,-79.4,America/Toronto,monday 09:00-17:00; friday 10:00-02:00,drop_off;pick_up`;
    expect(await csv(`\uFEFF${header}\r\n${row}\r\n\r\n`)).toMatchObject({
      created: 1,
      error_count: 0,
    });
    const [row7] = await api.db
      .selectFrom("locations")
      .selectAll()
      .where("carrier", "=", "csv_post")
      .execute();
    expect(row7).toMatchObject({
      name: 'Books, "Toys" & Post',
      services: ["drop_off", "pick_up"],
      hours: [
        { day: "monday", opens: "09:00", closes: "17:00" },
        { day: "friday", opens: "10:00", closes: "02:00" },
      ],
    });
  });

  test("a bad row of CSV is named by its line", async () => {
    const report = await csv(
      `${header}\ncsv_post,8,Shop,partner,1 King St W,Toronto,ON,M5V 3L9,CA,north,-79.4,America/Toronto,always,\n`,
    );
    expect(report).toMatchObject({
      created: 0,
      errors: [{ line: 2, problems: { hours: [expect.any(String)] } }],
    });
  });

  test.each([
    ["without the columns that it needs", "carrier,name\nups,Shop\n"],
    ["of a header alone", `${header}\n`],
    ["that is empty", ""],
    ["with a quote that never ends", `${header}\n"ups,8\n`],
    ["with a quote within a cell", `${header}\nups,8,The "Shop"\n`],
  ])("a file %s is refused as a whole", async (_what, text) => {
    await expect(csv(text)).rejects.toMatchObject({ code: "validation_failed" });
  });

  test("rows of another encoding are named, not stored as question marks", async () => {
    const text = `${header}\ncsv_post,9,Dépôt,partner,1 King St W,Toronto,ON,M5V 3L9,CA,43.6,-79.4,America/Toronto,,\n`;
    const report = await csv(Buffer.from(text, "latin1").toString());
    expect(report.errors).toEqual([{ line: 2, problems: { name: ["name is not UTF-8."] } }]);
  });
});

describe("with a hundred thousand locations", () => {
  beforeAll(async () => {
    await sql`INSERT INTO locations (id, environment, carrier, external_id, name, type, address, country_code, province_code,
        latitude, longitude, time_zone, updated_at)
      SELECT 'loc_0' || lpad(n::text, 25, '0'), 'live', 'many', n::text, 'Shop', 'partner', '{}', 'CA', 'ON',
        42 + (n % 1000) * 0.01, -80 + (n / 1000) * 0.1, 'America/Toronto', now()
      FROM generate_series(1, 100000) n`.execute(api.db);
    await sql`ANALYZE locations`.execute(api.db);
  }, 60_000);

  test("a circle is found by its box in the index", async () => {
    const circle = { latitude: 45, longitude: -75, radius_km: 10 };
    const query = sql`EXPLAIN SELECT * FROM locations WHERE environment = 'live' AND active
      AND latitude BETWEEN ${circle.latitude - 0.1} AND ${circle.latitude + 0.1}
      AND longitude BETWEEN ${circle.longitude - 0.2} AND ${circle.longitude + 0.2}`;
    const { rows } = await query.execute(api.db);
    expect(JSON.stringify(rows)).toContain("locations_by_latitude");
  });

  test("the distances are those on the sphere, and exactly the locations within are found", async () => {
    const environment = "live" as const;
    const spots = {
      latitude: fc.double({ min: 42, max: 52, noNaN: true }),
      longitude: fc.double({ min: -80, max: -70.1, noNaN: true }),
    };
    const all = await api.db
      .selectFrom("locations")
      .select(["latitude", "longitude"])
      .where("environment", "=", environment)
      .where("active", "=", true)
      .execute();
    await fc.assert(
      fc.asyncProperty(
        fc.record({ ...spots, radius_km: fc.double({ min: 0.1, max: 40, noNaN: true }) }),
        async (circle) => {
          const found = await store.locationsNear(api.db, {
            filters: { environment },
            circle,
            after: null,
            limit: 100_000,
            offset: 0,
          });
          const within = all.filter((each) => metres(each, circle) <= circle.radius_km * 1000 - 1);
          const beyond = found.filter((each) => metres(each, circle) > circle.radius_km * 1000 + 1);
          expect(beyond).toEqual([]);
          expect(found.length).toBeGreaterThanOrEqual(within.length);
          for (const each of found.slice(0, 20))
            expect(Math.abs(each.distance_m - metres(each, circle))).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 15 },
    );
  });
});

/** The spherical law of cosines, unlike the formula in the product. */
function metres(
  one: { latitude: number; longitude: number },
  other: { latitude: number; longitude: number },
): number {
  const [a, b] = [one, other].map(({ latitude }) => (latitude * Math.PI) / 180) as [number, number];
  const turn = ((one.longitude - other.longitude) * Math.PI) / 180;
  return (
    6_371_000 *
    Math.acos(Math.min(1, Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(turn)))
  );
}
