import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { assertInvariants } from "../invariants.ts";
import type { DataOf, Failure, ListOf, Shipment } from "../client.ts";
import { scheduled, showPickup } from "../pickups.ts";
import { aFreight, shop as consignee } from "../freight-shipments.ts";
import { aShipment, aSteeredShipment, parcel } from "../shipments.ts";
import { aPlatform, anAccount, must, setDials, type TestAccount, type World } from "../world.ts";
import { ahead, type Tracked, trackingUntil } from "../tracking.ts";

/** A purchased shipment moves, and its status follows (decision 19). */

let world: World;
let shop: TestAccount;
beforeAll(async () => {
  world = await aPlatform({
    WAYBILL_TRACKING_FIRST_POLL_SECONDS_TEST: "0",
    WAYBILL_TRACKING_POLL_SECONDS_TEST: "1",
  });
  shop = await anAccount(world, { balance_cents: 1_000_000 });
});
afterAll(() => world.close());
// A failed test must leave no dial set for the next.
afterEach(async () => {
  await ahead(world, 0);
  await setDials(world, {});
});

async function bought(steering: string | null = null, body?: object) {
  const entry = steering === null ? aShipment() : aSteeredShipment(steering);
  const { id } = await shop.create(entry);
  const { tracking_code } = await shop.bought(id, body);
  return { id, tracking_code: tracking_code! };
}

const tracked = async (code: string) =>
  must(await shop.get<DataOf<Tracked>>(`/tracking/${code}`), 200).data;

/** The events of a shipment in the order of their commits, as `type` or `type shipment_status`. */
async function eventsOf(shipmentId: string): Promise<string[]> {
  const { rows } = await sql<{ type: string; data: { shipment_status?: string } }>`
    SELECT type, data FROM recorded_events WHERE subject_id = ${shipmentId} ORDER BY id`.execute(
    world.db,
  );
  return rows.map(({ type, data }) => [type, data.shipment_status].filter(Boolean).join(" "));
}

async function untilAskedNoMore(tracking_code: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { look_at } = await world.db
        .selectFrom("trackers")
        .select("look_at")
        .where("tracking_code", "=", tracking_code)
        .executeTakeFirstOrThrow();
      expect(look_at).toBeNull();
    },
    { timeout: 10_000 },
  );
}

test("the first scan of a parcel shows that its carrier did the pickup", async () => {
  const fedex = await bought(null, { service: "fedex.ground" });
  const pickup = await scheduled(shop, fedex.id);
  expect(pickup.status).toBe("confirmed");
  await ahead(world, 86_400);
  await trackingUntil(shop, fedex.tracking_code, ({ status }) => status === "accepted");
  expect(await showPickup(shop, pickup.id)).toMatchObject({
    status: "picked_up",
    carriers: [{ carrier: "fedex", status: "picked_up" }],
  });
});

test("buy → first scan → in transit → delivered, with an event for each change and none without", async () => {
  const { id, tracking_code } = await bought(null, { service: "fedex.ground" });
  const waiting = await trackingUntil(shop, tracking_code, ({ events }) => events.length > 0);
  expect(waiting).toMatchObject({
    tracking_code,
    carrier: "fedex",
    status: "pre_transit",
    shipment_id: id,
    delivered_at: null,
    events: [{ status: "pre_transit", carrier_code: "OC", location: { city: "Ottawa" } }],
  });
  expect((await shop.show(id)).status).toBe("purchased");

  await ahead(world, 86_400);
  const moving = await trackingUntil(shop, tracking_code, ({ status }) => status === "accepted");
  expect(moving.status_detail).toBe("Picked up");
  expect(await shop.show(id)).toMatchObject({ status: "in_transit", tracking_status: "accepted" });

  await ahead(world, 5 * 86_400);
  const there = await trackingUntil(shop, tracking_code, ({ status }) => status === "delivered");
  const shipment = await shop.show(id);
  expect(shipment).toMatchObject({ status: "delivered", tracking_status: "delivered" });
  expect(shipment.delivered_at).toBe(there.delivered_at);
  expect(there.events[0]).toMatchObject({
    status: "delivered",
    occurred_at: there.delivered_at,
    carrier_code: "DL",
    location: { city: "Halifax", province_code: "NS", country_code: "CA" },
  });
  const times = there.events.map(({ occurred_at }) => occurred_at);
  expect(times).toEqual(times.toSorted().reverse());
  expect(there.events.map(({ status }) => status)).toContain("out_for_delivery");
  expect(there.estimated_delivery_date).toMatch(/^\d{4}-\d\d-\d\d$/);

  const events = (await eventsOf(id)).filter((event) => event.startsWith("tracking"));
  expect(events).toEqual([
    "tracking.updated purchased",
    "tracking.updated in_transit",
    "tracking.updated delivered",
  ]);
  await untilAskedNoMore(tracking_code);
  expect(must(await shop.get<DataOf<Tracked>>(`/shipments/${id}/tracking`), 200).data).toEqual(
    there,
  );
});

test("a shipment in transit is not voided, neither by Waybill nor by the carrier", async () => {
  const { id } = await bought();
  await ahead(world, 86_400);
  const early = await shop.post<Failure>(`/shipments/${id}/void`);
  expect([409, "not_voidable"]).toEqual([early.status, early.body.error.code]);
  // The refused void blocks the shipment for a moment: a later poll moves it.
  const statusNow = async () => (await shop.show(id)).status;
  await expect.poll(statusNow, { timeout: 15_000 }).toBe("in_transit");
  const late = await shop.post<Failure>(`/shipments/${id}/void`);
  expect(late.status).toBe(409);
  expect(late.body.error.details).toMatchObject({ status: "in_transit", reason: "already_moving" });
});

test("steered itineraries end as steered, and their shipments with them", async () => {
  const ends = [
    ["delivered", "delivered", "delivered"],
    ["delayed", "delivered", "delivered"],
    ["attempted", "attempted_delivery", "in_transit"],
    ["pickup", "available_for_pickup", "in_transit"],
    ["exception", "exception", "exception"],
    ["returned", "return_to_sender", "returned"],
    ["stuck", "in_transit", "in_transit"],
  ] as const;
  const itineraries = [];
  for (const [story, end, status] of ends)
    itineraries.push({ ...(await bought(`sim:track=${story}`)), story, end, status });
  await ahead(world, 3_600);
  for (const { id, tracking_code, story, end, status } of itineraries) {
    const { events } = await trackingUntil(shop, tracking_code, (each) => each.status === end);
    expect(await shop.show(id), story).toMatchObject({ status, tracking_status: end });
    const isDelayed = events.some((event) => event.status === "exception");
    expect(isDelayed, story).toBe(["delayed", "exception"].includes(story));
  }
});

test("the signer is shown where a signature was required", async () => {
  const { id } = await shop.create(aSteeredShipment("sim:track=delivered"));
  const { data: rates } = await shop.rates(id);
  const { service } = rates.find(({ add_ons }) =>
    add_ons.some(({ code }) => code === "signature"),
  )!;
  const { tracking_code } = await shop.bought(id, { service, add_ons: ["signature"] });
  await ahead(world, 3_600);
  const there = await trackingUntil(shop, tracking_code!, ({ status }) => status === "delivered");
  expect(there.signed_by).toBe("M FERGUSON");
});

describe("scanned after its void", () => {
  test("a label that the carrier no longer voids: the refund is rejected, the shipment is live and moves", async () => {
    const before = await shop.balanceCents();
    const { id, tracking_code } = await bought("sim:scan_after_void");
    const paid = await shop.balanceCents();
    expect(paid).toBeLessThan(before);
    must(await shop.post<DataOf<Shipment>>(`/shipments/${id}/void`), 200);
    await trackingUntil(shop, tracking_code, ({ status }) => status !== "pre_transit");
    await vi.waitFor(async () => expect((await shop.show(id)).status).toBe("in_transit"), {
      timeout: 10_000,
    });
    const shipment = await shop.show(id);
    expect(shipment).toMatchObject({ voided_at: null, refund: { status: "rejected" } });
    expect(await shop.balanceCents()).toBe(paid);
    await assertInvariants(world);
  });

  test("also where the carrier never reports it, within the hold days: the scan decides", async () => {
    const other = await anAccount(world);
    const settings = { refund_hold_days: 14 };
    must(await world.operator.patch(`/accounts/${other.account_id}/settings`, settings), 200);
    const { id } = await other.create(aSteeredShipment("sim:scan_after_void"));
    const { tracking_code } = await other.bought(id);
    // The label cannot be looked up, so that its refund stays open.
    await setDials(world, { "*": { error_rate: 1, error_status: 503, operations: ["look_ups"] } });
    must(await other.post(`/shipments/${id}/void`), 200);
    await vi.waitFor(async () => expect((await other.show(id)).status).toBe("in_transit"), {
      timeout: 10_000,
    });
    const shipment = await other.show(id);
    expect(shipment).toMatchObject({ voided_at: null, refund: { status: "rejected" } });
    const events = await eventsOf(id);
    expect(events.filter((event) => !event.startsWith("tracking"))).toEqual([
      "shipment.created",
      "shipment.purchased",
      "shipment.voided",
      "refund.rejected",
    ]);
    expect(events.at(-1)).toBe("tracking.updated in_transit");
    await setDials(world, {});
    expect((await trackingUntil(other, tracking_code!, () => true)).status).not.toBe("pre_transit");
    await assertInvariants(world);
  });

  test("a voided and refunded label is polled no more", async () => {
    const { id, tracking_code } = await bought();
    must(await shop.post(`/shipments/${id}/void`), 200);
    await untilAskedNoMore(tracking_code);
    expect(await shop.show(id)).toMatchObject({ status: "voided", tracking_status: "cancelled" });
  });
});

describe("a shipment that is voided before any scan", () => {
  test("is cancelled, to the merchant and on the public page, with every package", async () => {
    const own = await anAccount(world);
    const { id } = await own.create(aShipment({ packages: [parcel, parcel] }));
    const { tracking_code } = await own.bought(id);
    must(await own.post(`/shipments/${id}/void`), 200);
    const list = must(await own.get<ListOf<Tracked>>("/tracking?status=cancelled"), 200);
    expect(list.data.map(({ shipment_id, status }) => [shipment_id, status])).toEqual([
      [id, "cancelled"],
      [id, "cancelled"],
    ]);
    const page = await (await fetch(`${world.url}/t/${tracking_code}`)).text();
    expect(page).toContain('<h1 class="trouble">Cancelled</h1>');
  });

  test("freight likewise", async () => {
    const { id } = await shop.create(aFreight());
    const { tracking_code } = await shop.bought(id);
    must(await shop.post(`/ltl/${id}/cancel`), 200);
    expect((await tracked(tracking_code!)).status).toBe("cancelled");
    expect((await shop.show(id)).tracking_status).toBe("cancelled");
  });

  test("and is announced again when its refund is refused", async () => {
    const { id, tracking_code } = await bought("sim:used_label");
    must(await shop.post(`/shipments/${id}/void`), 200);
    await vi.waitFor(async () => expect((await shop.show(id)).status).toBe("purchased"), {
      timeout: 10_000,
    });
    expect((await shop.show(id)).tracking_status).toBe("pre_transit");
    expect((await tracked(tracking_code)).status).toBe("pre_transit");
  });
});

test("a shipment of several packages is delivered when the last one is", async () => {
  const { id } = await shop.create(aShipment({ packages: [parcel, parcel, parcel] }));
  await shop.bought(id);
  const { packages } = await shop.show(id);
  const [first] = packages;
  const all = must(await shop.get<ListOf<Tracked>>(`/tracking?shipment_id=${id}`), 200).data;
  expect(all.map(({ tracking_code }) => tracking_code).toSorted()).toEqual(
    packages.map((each) => each.tracking_code!).toSorted(),
  );
  // The others' carrier is not polled, so that only this one is tracked.
  const others = sql`shipment_id = ${id} AND tracking_code <> ${first!.tracking_code}`;
  await sql`UPDATE trackers SET carrier = 'nobody' WHERE ${others}`.execute(world.db);
  await ahead(world, 5 * 86_400);
  await trackingUntil(shop, first!.tracking_code!, ({ status }) => status === "delivered");
  expect(await shop.show(id)).toMatchObject({ status: "in_transit", delivered_at: null });
  await sql`UPDATE trackers SET carrier = ${all[0]!.carrier}, look_at = now() WHERE ${others}`.execute(
    world.db,
  );
  await vi.waitFor(async () => expect((await shop.show(id)).status).toBe("delivered"), {
    timeout: 10_000,
  });
});

test("freight moves too: a booking is picked up, gets its PRO number, and is signed for", async () => {
  const to_address = { ...consignee, address2: "sim:track=delivered" };
  const { id } = await shop.create(aFreight({ to_address }));
  const { data: quotes } = await shop.rates(id);
  const { service } = quotes.find(({ carrier }) => carrier.code === "manitoulin")!;
  const booking = await shop.bought(id, { service });
  expect(booking.pro_number).toBeNull();
  const code = booking.tracking_code!;
  await trackingUntil(shop, code, ({ events }) => events.length > 0);
  expect(await shop.show(id)).toMatchObject({ status: "booked", tracking_status: "pre_transit" });
  await ahead(world, 3_600);
  const there = await trackingUntil(shop, code, ({ status }) => status === "delivered");
  expect(there).toMatchObject({ carrier: "manitoulin", shipment_id: id });
  expect(there.signed_by).toBeTruthy();
  expect(there.events.map(({ status }) => status)).not.toContain("unknown");
  const shipment = await shop.show(id);
  expect(shipment).toMatchObject({ status: "delivered", delivered_at: there.delivered_at });
  expect(shipment.pro_number).toBeTruthy();
  const late = await shop.post<Failure>(`/ltl/${id}/cancel`);
  expect([late.status, late.body.error.code]).toEqual([409, "not_cancellable"]);
});

test("packages are listed by status, newest first, page by page, and only the account's own", async () => {
  const own = await anAccount(world);
  const codes: string[] = [];
  for (let count = 0; count < 3; count++) {
    const { id } = await own.create(aSteeredShipment("sim:track=stuck"));
    codes.unshift((await own.bought(id)).tracking_code!);
  }
  const list = async (query: string) =>
    must(await own.get<ListOf<Tracked>>(`/tracking${query}`), 200);
  const codesOf = ({ data }: ListOf<Tracked>) => data.map(({ tracking_code }) => tracking_code);
  expect(codesOf(await list(""))).toEqual(codes);
  expect(codesOf(await list("?status=delivered"))).toEqual([]);
  const first = await list("?status=pre_transit&per_page=2");
  expect(codesOf(first)).toEqual(codes.slice(0, 2));
  const second = must(await own.get<ListOf<Tracked>>(first.links.next!), 200);
  expect(codesOf(second)).toEqual(codes.slice(2));
  expect(codesOf(await list("?page=2&per_page=2"))).toEqual(codes.slice(2));
  await ahead(world, 3_600);
  for (const code of codes) await trackingUntil(own, code, ({ status }) => status === "in_transit");
  expect(codesOf(await list("?status=in_transit"))).toEqual(codes);
  expect(codesOf(await list("?status=pre_transit"))).toEqual([]);
});

test("unknown codes, other accounts' and shipments without a label have nothing to show", async () => {
  const { tracking_code } = await bought();
  const stranger = await anAccount(world);
  const theirs = await stranger.get(`/tracking/${tracking_code}`);
  const nobodys = await stranger.get("/tracking/7000000000000000");
  expect([theirs.status, nobodys.status]).toEqual([404, 404]);
  expect(theirs.bytes.equals(nobodys.bytes)).toBe(true);
  for (const odd of ["%00", "%F0%9F%93%A6", "a%20b", "x".repeat(400)])
    expect((await shop.get(`/tracking/${odd}`)).status).toBe(404);
  const { id } = await shop.create(aShipment());
  const draft = await shop.get<Failure>(`/shipments/${id}/tracking`);
  expect([draft.status, draft.body.error]).toMatchObject([
    409,
    { code: "not_labelled", details: { status: "draft" } },
  ]);
  const wrong = await shop.get<Failure>("/tracking?status=lost&per_page=0");
  expect(wrong.status).toBe(422);
  expect(Object.keys(wrong.body.error.details).toSorted()).toEqual(["per_page", "status"]);
  expect((await tracked(tracking_code)).status).toBe("pre_transit");
});
