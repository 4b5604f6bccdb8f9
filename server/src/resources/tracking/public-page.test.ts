import { createHash } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApi, type TestApi } from "../../../test/api.ts";
import { halifax } from "../../../test/shipments.ts";
import { trackingStatuses, type TrackingStatus } from "../../domain/shipments/shipment-status.ts";
import { aPollWorld, aScan, told, type PollWorld } from "./poll-world.ts";
import { trackingPage, type PublicTracking } from "./public-page.ts";

const pagesPerMinute = 40;

let api: TestApi;
let world: PollWorld;
beforeAll(async () => {
  api = await testApi({
    settings: {
      WAYBILL_TRACKING_FIRST_POLL_SECONDS_TEST: "0",
      WAYBILL_TRACKING_PAGES_PER_MINUTE: String(pagesPerMinute),
    },
  });
});
afterAll(() => api.close());
beforeEach(async () => {
  world = await aPollWorld(api);
});
afterEach(() => world.close());

const page = (path: string, remoteAddress = "192.0.2.1") =>
  api.app.inject({ url: `/t/${path}`, remoteAddress });

/** A parcel that was delivered against a signature, of a shipment with personal data of both parties. */
async function aDeliveredParcel() {
  const to_address = { ...halifax, address2: "Back door", phone: "902-555-0117" };
  const secrets = {
    reference: "PO-SECRET-77",
    tags: ["tag-secret"],
    metadata: { note: "meta-secret" },
  };
  const { shipment, code } = await world.aLabel({ to_address, ...secrets });
  const words = "Left with neighbour MRS. FERGUSON at 1677 Lower Water Street";
  const delivered = { ...aScan(9, "delivered"), description: words };
  const scans = [aScan(1, "accepted"), aScan(5, "out_for_delivery"), delivered];
  world.say(code, {
    ...told(...scans),
    signed_by: "M FERGUSON",
    estimated_delivery_date: "2026-10-09",
  });
  await world.aWorker()();
  return { shipment, code, words };
}

describe("the public page", () => {
  test("shows the code, the carrier, cities, times and statuses, newest first", async () => {
    const { code } = await aDeliveredParcel();
    const response = await page(code);
    expect([response.statusCode, response.headers["content-type"]]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    const html = response.body;
    for (const shown of [code, "UPS", "Sudbury, ON, CA", "Delivered", "Oct 5, 2026"])
      expect(html).toContain(shown);
    const history = html.slice(html.indexOf("History"));
    const order = ["Delivered", "Out for delivery", "Picked up"].map((each) =>
      history.indexOf(each),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
  });

  test("shows nothing about the sender, the recipient, the contents or the account", async () => {
    const { shipment, code, words } = await aDeliveredParcel();
    const html = (await page(code)).body.toLowerCase();
    const parts = Object.values(addressesOf(shipment)).flatMap((address) =>
      Object.entries(address as Record<string, unknown>)
        .filter(
          ([name]) => !["city", "province_code", "country_code", "is_residential"].includes(name),
        )
        .flatMap(([, value]) => (typeof value === "string" && value !== "" ? [value] : [])),
    );
    expect(parts.length).toBeGreaterThan(10);
    const secrets = [
      ...parts,
      ...["Ferguson", "Neighbour", words, "Notebooks", "PO-SECRET-77", "tag-secret", "meta-secret"],
      ...[shipment.id, shipment.account_id, shipment.ship_code, "acc_", "shp_", "trk_", "pkg_"],
    ];
    for (const secret of secrets) expect(html).not.toContain(secret.toLowerCase());
    // Nor its destination, before it was scanned there.
    expect(html).not.toContain("halifax");
  });

  test("needs no script, loads nothing, and may not be framed or found", async () => {
    const { code } = await aDeliveredParcel();
    const { body, headers } = await page(code);
    expect(body).not.toMatch(
      /<script|<img|<link|<iframe|<form|javascript:|\son\w+=|style="|@import|url\(/i,
    );
    const style = /<style>([\s\S]*)<\/style>/.exec(body)![1]!;
    const digest = createHash("sha256").update(style).digest("base64");
    expect(headers["content-security-policy"]).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
    });
    expect(headers["set-cookie"]).toBeUndefined();
  });

  test("of an unknown code is one page for all of them, and repeats nothing", async () => {
    const odd = [
      "7000000000000000",
      "a%20b",
      "%00",
      "%F0%9F%93%A6",
      "%3Cscript%3E",
      "x".repeat(400),
    ];
    const pages = await Promise.all(odd.map((code) => page(code, "192.0.2.2")));
    expect(pages.map(({ statusCode }) => statusCode)).toEqual(odd.map(() => 404));
    expect(new Set(pages.map(({ body }) => body)).size).toBe(1);
    expect(new Set(pages.map(({ headers }) => Object.keys(headers).join())).size).toBe(1);
    expect(pages[0]!.body).toContain("Parcel not found");
  });

  test("is found in any account, the newest of its code, and not by the API's tokens", async () => {
    const { code } = await aDeliveredParcel();
    expect((await page(code)).body).toContain("The parcel has arrived.");
    const elsewhere = await aPollWorld(api);
    const { code: other } = await elsewhere.aLabel();
    await sql`UPDATE trackers SET tracking_code = ${code} WHERE tracking_code = ${other}`.execute(
      api.db,
    );
    expect((await page(code)).body).toContain("The carrier does not have the parcel yet.");
    await elsewhere.close();
    expect((await api.app.inject({ url: `/api/v5/t/${code}` })).statusCode).toBe(401);
  });

  test("is served a limited number of times per minute to an address", async () => {
    const pages = [];
    for (let count = 0; count <= pagesPerMinute; count++)
      pages.push(await page("none", "192.0.2.3"));
    expect(pages.filter(({ statusCode }) => statusCode === 404).length).toBe(pagesPerMinute);
    const last = pages.at(-1)!;
    expect(last.statusCode).toBe(429);
    expect(Number(last.headers["retry-after"])).toBeGreaterThan(0);
    expect(last.headers["content-type"]).toContain("text/html");
    expect((await page("none", "192.0.2.4")).statusCode).toBe(404);
  });
});

function addressesOf(shipment: {
  from_address: object;
  to_address: object;
  return_address: object;
}) {
  const { from_address, to_address, return_address } = shipment;
  return { from_address, to_address, return_address };
}

describe("in every status", () => {
  const tracking = (status: TrackingStatus): PublicTracking => ({
    tracking_code: `<b>&"'`,
    carrier_name: "Post <b>",
    carrier_url: `https://example.com/?"'<b>`,
    status,
    estimated_delivery_date: "2026-10-09",
    delivered_at: status === "delivered" ? new Date("2026-10-08T17:30:00Z") : null,
    events: [
      {
        occurred_at: new Date("2026-10-07T12:00:00Z"),
        status,
        city: "<b>St. John's",
        province_code: null,
        country_code: "CA",
      },
    ],
  });

  test.each(trackingStatuses)(
    "%s, the page is complete, and outside data are escaped as text",
    (status) => {
      const html = trackingPage(tracking(status));
      expect(html).not.toContain("<b>");
      expect(html).toContain("&#60;b&#62;St. John&#39;s, CA");
      expect(html.match(/<h1/g)?.length).toBe(1);
      expect(html).not.toMatch(/undefined|null|\[object|NaN|Invalid/);
      for (const tag of ["ol", "li", "p", "main", "time", "h1", "h2"])
        expect(html.match(new RegExp(`<${tag}[ >]`, "g"))?.length).toBe(
          html.match(new RegExp(`</${tag}>`, "g"))?.length,
        );
    },
  );

  test("at most one step is the current one, and none where the parcel has left the usual way", () => {
    const current = (status: TrackingStatus) =>
      trackingPage(tracking(status)).match(/aria-current="step">([^<]+)/)?.[1] ?? null;
    expect(Object.fromEntries(trackingStatuses.map((status) => [status, current(status)]))).toEqual(
      {
        unknown: null,
        pre_transit: "Announced",
        accepted: "On its way",
        in_transit: "On its way",
        out_for_delivery: "Out for delivery",
        available_for_pickup: "Out for delivery",
        attempted_delivery: "Out for delivery",
        delivered: "Delivered",
        exception: "On its way",
        return_to_sender: null,
        cancelled: null,
      },
    );
  });
});
