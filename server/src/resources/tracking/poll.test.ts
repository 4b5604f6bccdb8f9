import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { testApi, type TestApi } from "../../../test/api.ts";
import { trackingStatuses } from "../../domain/shipments/shipment-status.ts";
import { takeDue } from "../../shipping/tracking/follow-store.ts";
import { aPollWorld, aScan, failure, told, type PollWorld } from "./poll-world.ts";

let api: TestApi;
let world: PollWorld;
beforeAll(async () => {
  api = await testApi({
    settings: {
      WAYBILL_TRACKING_FIRST_POLL_SECONDS_TEST: "0",
      WAYBILL_TRACKING_POLLS_PER_SECOND: "4",
    },
  });
});
afterAll(() => api.close());
beforeEach(async () => {
  world = await aPollWorld(api);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await world.close();
});

async function trackerOf(code: string) {
  const { rows } = await sql<{
    status: string;
    failure_count: number;
    look_in: number | null;
    event_count: number;
  }>`
    SELECT status, failure_count, extract(epoch FROM look_at - now())::float8 AS look_in,
      (SELECT count(*)::int FROM tracking_events e WHERE e.account_id = t.account_id AND e.tracker_id = t.id) AS event_count
    FROM trackers t WHERE tracking_code = ${code}`.execute(api.db);
  return rows[0]!;
}

async function updates(shipmentId: string): Promise<number> {
  const { rows } = await sql`
    SELECT FROM recorded_events WHERE subject_id = ${shipmentId} AND type = 'tracking.updated'`.execute(
    api.db,
  );
  return rows.length;
}

describe("polling", () => {
  test("several workers at once poll each parcel once, and each no more than its share", async () => {
    const labels = [];
    for (let count = 0; count < 12; count++) labels.push(await world.aLabel());
    const workers = [world.aWorker(), world.aWorker(), world.aWorker(), world.aWorker()];
    await workers[0]!();
    expect(world.asked.length).toBe(4);
    await Promise.all(workers.slice(1).map((round) => round()));
    expect(world.asked.toSorted()).toEqual(labels.map(({ code }) => code).toSorted());
  });

  test("a parcel taken by a dead worker is due again after the lease", async () => {
    const { code } = await world.aLabel();
    const taken = await takeDue(api.db, "ups", { limit: 10, lease_seconds: 60 });
    expect(taken.map(({ tracking_code }) => tracking_code)).toEqual([code]);
    await world.aWorker()();
    expect(world.asked).toEqual([]);
    const { look_in } = await trackerOf(code);
    expect(look_in).toBeGreaterThan(50);
    expect(look_in).toBeLessThanOrEqual(60);
  });

  test("a carrier that does not respond is not polled for a while, and its parcels for longer each time", async () => {
    const { code } = await world.aLabel();
    world.say(code, failure("timeout"));
    const round = world.aWorker();
    await round();
    expect(await trackerOf(code)).toMatchObject({ failure_count: 1, status: "pre_transit" });
    await world.due(code);
    await round();
    expect(world.asked).toEqual([code]);
    // Another worker's backoff is its own.
    await world.aWorker()();
    expect(world.asked).toEqual([code, code]);
    const { failure_count, look_in } = await trackerOf(code);
    expect(failure_count).toBe(2);
    expect(look_in).toBeGreaterThan(30);
    const now = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(now + 2_001);
    world.say(code, told(aScan(1, "accepted")));
    await world.due(code);
    await round();
    expect(await trackerOf(code)).toMatchObject({ failure_count: 0, status: "accepted" });
  });

  test("one parcel whose poll fails keeps no other from being polled", async () => {
    const bad = await world.aLabel();
    const good = await world.aLabel();
    world.say(bad.code, failure("bad_answer"));
    world.say(good.code, told(aScan(1, "in_transit")));
    const round = world.aWorker();
    await round();
    expect((await trackerOf(bad.code)).failure_count).toBe(1);
    expect((await world.show(good.shipment)).status).toBe("in_transit");
    await world.due(good.code);
    await round();
    expect(world.asked.length).toBe(3);
  });

  test("after the delivery, and after sixty days without news, a parcel is not polled any more", async () => {
    const there = await world.aLabel();
    const lost = await world.aLabel();
    world.say(there.code, told(aScan(1, "delivered")));
    await sql`UPDATE trackers SET changed_at = now() - interval '61 days' WHERE tracking_code = ${lost.code}`.execute(
      api.db,
    );
    await world.aWorker()();
    expect((await trackerOf(there.code)).look_in).toBeNull();
    expect((await trackerOf(lost.code)).look_in).toBeNull();
  });
});

describe("the responses", () => {
  test("the same scans again write nothing and cause no event", async () => {
    const { shipment, code } = await world.aLabel();
    const scans = [aScan(1, "accepted"), aScan(2, "in_transit"), aScan(2, "in_transit")];
    world.say(code, told(...scans, ...scans));
    const round = world.aWorker();
    await round();
    const once = await world.show(shipment);
    expect(once).toMatchObject({ status: "in_transit", tracking_status: "in_transit" });
    expect(await trackerOf(code)).toMatchObject({ event_count: 2 });
    for (let time = 0; time < 3; time++) {
      await world.due(code);
      await round();
    }
    expect(world.asked.length).toBe(4);
    expect(await world.show(shipment)).toEqual(once);
    expect([await updates(shipment.id), (await trackerOf(code)).event_count]).toEqual([1, 2]);
  });

  test("a late scan with an earlier time moves nothing back, and is stored", async () => {
    const { shipment, code } = await world.aLabel();
    const round = world.aWorker();
    world.say(code, told(aScan(5, "out_for_delivery")));
    await round();
    world.say(code, told(aScan(1, "accepted"), aScan(0, "pre_transit")));
    await world.due(code);
    await round();
    expect((await world.show(shipment)).tracking_status).toBe("out_for_delivery");
    expect(await trackerOf(code)).toMatchObject({ status: "out_for_delivery", event_count: 3 });
    expect(await updates(shipment.id)).toBe(2);
  });

  test("in whichever order and however often scans arrive, the shipment ends the same", async () => {
    const scan = fc
      .tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(...trackingStatuses))
      .map(([minute, status]) => aScan(minute, status));
    const portions = fc.array(fc.array(scan, { maxLength: 4 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(portions, async (heard) => {
        const ends = [];
        for (const telling of [heard, [...heard].reverse(), [heard.flat()]]) {
          const { shipment, code } = await world.aLabel();
          const round = world.aWorker();
          for (const events of telling) {
            world.say(code, told(...events));
            await world.due(code);
            await round();
          }
          const { status, tracking_status, delivered_at } = await world.show(shipment);
          const { event_count } = await trackerOf(code);
          ends.push({ status, tracking_status, delivered_at, event_count });
          await world.close();
        }
        expect(ends[1]).toEqual(ends[0]);
        expect(ends[2]).toEqual(ends[0]);
      }),
      { numRuns: 12 },
    );
  });

  test("invalid data are stored as far as possible, and break nothing", async () => {
    const { shipment, code } = await world.aLabel();
    const location = {
      city: "\0Süd\ud800bury".repeat(60),
      province_code: "?".repeat(50),
      country_code: "CA",
    };
    const odd = { ...aScan(1, "accepted"), description: "\0\udfff".repeat(999), location };
    world.say(code, { ...told(odd, { ...odd, carrier_code: "x".repeat(999) }), signed_by: "\0" });
    await world.aWorker()();
    expect((await world.show(shipment)).status).toBe("in_transit");
    expect(await trackerOf(code)).toMatchObject({ event_count: 2, failure_count: 0 });
    await world.due(code);
    await world.aWorker()();
    expect(await updates(shipment.id)).toBe(1);
  });

  test("no scans yet is no failure", async () => {
    const { shipment, code } = await world.aLabel();
    world.say(code, null);
    await world.aWorker()();
    expect(await trackerOf(code)).toMatchObject({ failure_count: 0, status: "pre_transit" });
    expect(await world.show(shipment)).toEqual(shipment);
  });
});

describe("a scan during a void", () => {
  test("waits for how the void ends: refused, the shipment follows", async () => {
    const { shipment, code } = await world.aLabel();
    const set = (status: string) =>
      sql`UPDATE shipments SET status = ${status} WHERE id = ${shipment.id}`.execute(api.db);
    await set("void_pending");
    world.say(code, told(aScan(1, "accepted"), aScan(2, "delivered")));
    const round = world.aWorker();
    await round();
    expect((await world.show(shipment)).status).toBe("void_pending");
    expect((await trackerOf(code)).look_in).not.toBeNull();
    await set("purchased");
    await world.due(code);
    await round();
    expect(await world.show(shipment)).toMatchObject({
      status: "delivered",
      delivered_at: aScan(2, "delivered").occurred_at,
    });
    expect((await trackerOf(code)).look_in).toBeNull();
  });

  test("voided, with its refund pending: a status of the label leaves it cancelled, and a scan does not", async () => {
    const { shipment, code } = await world.aLabel();
    await sql`UPDATE shipments SET status = 'voided', refund_status = 'pending', tracking_status = 'cancelled'
      WHERE id = ${shipment.id}`.execute(api.db);
    const round = world.aWorker();
    world.say(code, told(aScan(1, "pre_transit")));
    await round();
    expect(await trackerOf(code)).toMatchObject({ status: "cancelled" });
    world.say(code, told(aScan(1, "pre_transit"), aScan(2, "accepted")));
    await world.due(code);
    await round();
    expect(await trackerOf(code)).toMatchObject({ status: "accepted" });
    expect(await world.show(shipment)).toMatchObject({
      status: "in_transit",
      tracking_status: "accepted",
      refund_status: "rejected",
    });
  });

  test("voided and refunded: the shipment stays void, and is not polled any more", async () => {
    const { shipment, code } = await world.aLabel();
    await sql`UPDATE shipments SET status = 'voided', refund_status = 'approved' WHERE id = ${shipment.id}`.execute(
      api.db,
    );
    world.say(code, told(aScan(1, "accepted")));
    await world.aWorker()();
    expect(world.asked).toEqual([]);
    expect((await world.show(shipment)).status).toBe("voided");
    expect((await trackerOf(code)).look_in).toBeNull();
  });
});
