import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aToken, anAccount, call, testApi, type TestApi } from "../../../test/api.ts";
import type { TrackingStatus } from "../../domain/shipments/shipment-status.ts";

/** `GET /tracking?delay=`: the packages on their way that do not come when they should. */

const now = new Date("2026-03-10T12:30:00.000Z");
let api: TestApi;
let token: string;
let account_id: string;
beforeAll(async () => {
  api = await testApi({ clock: { now: () => now } });
  const account = await anAccount(api);
  account_id = account.account_id;
  token = await aToken(api, account, { scopes: ["tracking:read"] });
  await sql`
    INSERT INTO shipments (account_id, id, type, status, ship_code, from_address, to_address, return_address, packages,
      tags, created_at, updated_at)
    VALUES (${account_id}, 'shp_any', 'courier', 'draft', 'X', '{}', '{}', '{}', '[]', '{}', ${now}, ${now})`.execute(
    api.db,
  );
});
afterAll(() => api.close());

/** A package by what decides: its name is its tracking code. */
async function aPackage(
  name: string,
  status: TrackingStatus,
  { estimate = null, quietHours = 0 }: { estimate?: string | null; quietHours?: number },
): Promise<void> {
  await sql`
    INSERT INTO trackers (account_id, id, shipment_id, carrier, tracking_code, status, estimated_delivery_date,
      created_at, changed_at)
    VALUES (${account_id}, ${`trk_${name}`}, 'shp_any', 'ups', ${name}, ${status}, ${estimate}, ${now},
      ${new Date(now.getTime() - quietHours * 3_600_000)})`.execute(api.db);
}

const list = async (query: string) => {
  const answer = await call(api, { token, path: `/tracking?${query}` });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer
    .json<{ data: { tracking_code: string }[] }>()
    .data.map(({ tracking_code }) => tracking_code)
    .sort();
};

test("late packages are those on their way whose day is over everywhere, and others are not", async () => {
  for (const status of ["accepted", "in_transit", "out_for_delivery", "exception"] as const)
    await aPackage(`late-${status}`, status, { estimate: "2026-03-09" });
  // On Baker Island it is still the tenth, until noon UTC of the eleventh.
  await aPackage("today", "in_transit", { estimate: "2026-03-10" });
  await aPackage("without-estimate", "in_transit", {});
  await aPackage("label-only", "pre_transit", { estimate: "2026-03-01" });
  for (const status of ["delivered", "cancelled", "return_to_sender"] as const)
    await aPackage(`over-${status}`, status, { estimate: "2026-03-01" });
  expect(await list("delay=late")).toEqual([
    "late-accepted",
    "late-exception",
    "late-in_transit",
    "late-out_for_delivery",
  ]);
  expect(await list("delay=late&status=exception")).toEqual(["late-exception"]);
});

test("packages without a scan are those of which nothing was told for three days, also before the first", async () => {
  await aPackage("lost-label", "pre_transit", { quietHours: 73 });
  await aPackage("lost-parcel", "in_transit", { quietHours: 73 });
  await aPackage("moving-parcel", "in_transit", { quietHours: 71 });
  await aPackage("old-delivery", "delivered", { quietHours: 1000 });
  expect(await list("delay=not_scanned")).toEqual(["lost-label", "lost-parcel"]);
  expect(await list("delay=not_scanned&per_page=1&page=2")).toHaveLength(1);
});

test("another delay is 422, naming the ones there are", async () => {
  const answer = await call(api, { token, path: "/tracking?delay=slow" });
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain("delay");
  expect(answer.body).toContain("not_scanned");
});
