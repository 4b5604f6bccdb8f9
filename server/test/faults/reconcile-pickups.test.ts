import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Carrier } from "../../src/carriers/carrier.ts";
import type { CarrierPickups } from "../../src/carriers/pickups.ts";
import { toCents } from "../../src/domain/values/money.ts";
import { outcomeOf } from "../client.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import {
  aLabelled,
  cancel,
  schedule,
  scheduled,
  serviceOf,
  showPickup,
  steered,
} from "../pickups.ts";
import { adjust } from "../adjust.ts";
import {
  actionsOf,
  reborn,
  reconcileCli,
  reconcileHere,
  twoLives,
  type TwoLives,
} from "../set-back.ts";
import { aShipment, ottawa } from "../shipments.ts";
import { untilAttempted } from "./moments.ts";
import { anAccount, must, setDials, type TestAccount, type World } from "../world.ts";

/**
 * Pickups that a database lost when it was set back: they still take place, and superfluous ones are
 * cancelled.
 */

const keyed = (key: string) => ({ "idempotency-key": key });

describe("a platform that is set back", () => {
  let lives: TwoLives;
  let shop: TestAccount;
  let poor: TestAccount;
  let before: Awaited<ReturnType<typeof liveUntilTheBackup>>;
  let after: Awaited<ReturnType<typeof liveOn>>;
  let second: World;
  beforeAll(async () => {
    lives = await twoLives();
    shop = await anAccount(lives.first, { balance_cents: 100_000 });
    poor = await anAccount(lives.first, { balance_cents: 5_000 });
    before = await liveUntilTheBackup();
    await lives.backUp();
    after = await liveOn();
    second = await lives.setBack();
    shop = reborn(second, shop);
    poor = reborn(second, poor);
  });
  afterAll(() => lives.close());

  async function liveUntilTheBackup() {
    const draft = async () => (await shop.create(aShipment({ from_address: ottawa }))).id;
    const ids = {
      moved: await aLabelled(shop, "ups"),
      two: [await aLabelled(shop, "ups"), await aLabelled(shop, "canada_post")],
      free: await aLabelled(shop, "purolator"),
      given_up: await aLabelled(shop, "ups"),
      voided: await aLabelled(shop, "ups"),
      bought: await draft(),
      under_way: await aLabelled(shop, "ups"),
      poors: await aLabelled(poor, "ups"),
    };
    const first_pickup = await scheduled(shop, ids.moved);
    // An account without money after the backup had none before.
    const { balance } = await poor.balance();
    must(await adjust(lives.first, poor.account_id, { amount: -balance }), 201);
    // Its carrier has not responded when the backup is taken.
    await setDials(lives.first, { ups: { latency_ms: 1500, operations: ["pickups"] } });
    const asked = schedule(shop, { shipment_ids: [ids.under_way] }, keyed("under-way"));
    await untilAttempted(lives.first.db, { subject_id: await pickupUnderWay(), kind: "pickup" });
    await setDials(lives.first, {});
    return { ...ids, first_pickup, asked };
  }

  function pickupUnderWay(): Promise<string> {
    return vi.waitFor(
      async () => {
        const { db } = lives.first;
        const asked = db.selectFrom("pickups").select("id").where("status", "=", "scheduled");
        return (await asked.executeTakeFirstOrThrow()).id;
      },
      { timeout: 10_000, interval: 10 },
    );
  }

  /** The effects that the restored database does not have. */
  async function liveOn() {
    const under_way = must(await before.asked, 201).data;
    must(await cancel(shop, before.first_pickup.id), 200);
    const moved = await scheduled(shop, before.moved);
    const of_two = { shipment_ids: before.two, instructions: "Ring twice.", close_time: "16:00" };
    const two = must(await schedule(shop, of_two, keyed("two")), 201).data;
    const free = await scheduled(shop, before.free);
    const given_up = await scheduled(shop, before.given_up);
    must(await cancel(shop, given_up.id), 200);
    await shop.bought(before.bought, { service: serviceOf.ups });
    const bought = await scheduled(shop, before.bought);
    await scheduled(shop, before.voided);
    must(await shop.post(`/shipments/${before.voided}/void`), 200);
    const orphan = await aLabelled(shop, "ups");
    const for_orphan = await scheduled(shop, orphan);
    must(await adjust(lives.first, poor.account_id, { amount: 100 }), 201);
    await scheduled(poor, before.poors);
    const stranger = await anAccount(lives.first);
    await scheduled(stranger, await aLabelled(stranger, "ups"));
    await assertInvariants(lives.first);
    const { cost } = await shop.show(orphan);
    const undone = toCents(cost!.total) + toCents(for_orphan.cost.total);
    const balance_cents = (await shop.balanceCents()) + undone;
    return { under_way, moved, two, free, bought, balance_cents };
  }

  const actions = (outcome: "planned" | "done") => [
    ...["its account is not known here", "its shipment is not known here"].map(
      (why) => `label was missing here, and ${why}: void, ${outcome}`,
    ),
    `label was missing here: rebook, ${outcome}`,
    `label was voided, which was missing here: book_void, ${outcome}`,
    `pickup was cancelled, which was missing here: book_call_off, ${outcome}`,
    "pickup was missing here, and cancelled since: nothing, left",
    "pickup was missing here, and cancelled since: nothing, left",
    `pickup was missing here, and its account is not known here: call_off, ${outcome}`,
    `pickup was missing here, and its account lacks ? CAD: call_off, ${outcome}`,
    `pickup was missing here, and none of its parcels waits for it here: call_off, ${outcome}`,
    ...Array.from({ length: 5 }, () => `pickup was missing here: rebook, ${outcome}`),
  ];

  test("a dry run lists which drivers would come and which would not, and changes nothing", async () => {
    await expect
      .poll(async () => (await showPickup(shop, after.under_way.id)).status, { timeout: 30_000 })
      .toBe("confirmed");
    const there = await everythingThere();
    const report = await reconcileCli(second, "--dry-run");
    expect(actionsOf(report)).toEqual(actions("planned"));
    expect(report).toMatchObject({ status: 0 });
    expect(await everythingThere()).toEqual(there);
  });

  async function everythingThere() {
    const { db } = second;
    return {
      pickups: await db.selectFrom("pickups").selectAll().execute(),
      parts: await db.selectFrom("pickup_parts").selectAll().execute(),
      attempts: await db.selectFrom("attempts").select(["id", "status"]).execute(),
      journal: await readJournal(second),
    };
  }

  test("missing pickups are recorded again at the same fees, the others are cancelled", async () => {
    const report = await reconcileCli(second);
    expect(actionsOf(report)).toEqual(actions("done"));
    expect(report).toMatchObject({ status: 0 });
    await assertInvariants(second);
    for (const pickup of [after.moved, after.two, after.free, after.bought])
      expect(await showPickup(shop, pickup.id)).toEqual({
        ...pickup,
        updated_at: expect.any(String) as string,
        shipment_ids: expect.arrayContaining(pickup.shipment_ids) as string[],
      });
    expect((await showPickup(shop, before.first_pickup.id)).status).toBe("cancelled");
    expect((await shop.show(before.moved)).pickup_id).toBe(after.moved.id);
    expect(await shop.balanceCents()).toBe(after.balance_cents);
    expect(await poor.balanceCents()).toBe(0);
    expect(await reconcileCli(second)).toMatchObject({ status: 0, findings: [] });
  });

  test("no earlier key schedules a second driver, and a recorded pickup can be cancelled", async () => {
    const drivers = await driverCount();
    const again = await schedule(
      shop,
      { shipment_ids: before.two, instructions: "Ring twice.", close_time: "16:00" },
      keyed("two"),
    );
    expect(must(again, 201).data).toMatchObject({ id: after.two.id, status: "confirmed" });
    const known = await schedule(shop, { shipment_ids: [before.under_way] }, keyed("under-way"));
    expect(must(known, 201).data.id).toBe(after.under_way.id);
    const other = await schedule(shop, { shipment_ids: before.two });
    expect(outcomeOf(other)).toBe("409 shipment_in_use");
    expect(await driverCount()).toBe(drivers);
    must(await cancel(shop, after.two.id), 200);
    must(await shop.post(`/shipments/${before.moved}/void`), 200);
    await assertInvariants(second);
  });

  async function driverCount(): Promise<number> {
    return (await readJournal(second)).filter(({ operation }) => operation === "pickup").length;
  }
});

describe("findings on pickups that a reconciliation cannot decide", () => {
  let lives: TwoLives;
  let shop: TestAccount;
  let id: string;
  beforeAll(async () => {
    lives = await twoLives();
    shop = await anAccount(lives.first, { balance_cents: 100_000 });
    id = await aLabelled(shop, "ups");
    const called_off = await scheduled(shop, await aLabelled(shop, "ups"));
    must(await cancel(shop, called_off.id), 200);
    await lives.backUp();
    const orphan = await aLabelled(shop, "ups");
    const address = steered("sim:used_label");
    must(await schedule(shop, { shipment_ids: [orphan], address }), 201);
  });
  afterAll(() => lives.close());

  /** The carriers, of which one has other pickups. */
  const changing = (
    code: string,
    change: (pickups: CarrierPickups) => Partial<CarrierPickups>,
  ) => ({
    carriers: (all: readonly Carrier[]) =>
      all.map((carrier) =>
        carrier.descriptor.code === code
          ? { ...carrier, pickups: { ...carrier.pickups!, ...change(carrier.pickups!) } }
          : carrier,
      ),
  });

  test("are left open until a person has accepted them", async () => {
    const second = await lives.setBack();
    shop = reborn(second, shop);
    const silent = (all: readonly Carrier[]) =>
      all.map((carrier) => {
        if (carrier.descriptor.code !== "fedex") return carrier;
        const pickups = { ...carrier.descriptor.pickups!, listsPickups: false };
        return { ...carrier, descriptor: { ...carrier.descriptor, pickups } };
      });
    // A carrier that has lost two things: the cancellation, and the label of the parcel.
    const cancelled: string[] = [];
    const forgetful = changing("ups", (ups) => ({
      async list(request, signal) {
        const page = await ups.list(request, signal);
        const pickups = page.pickups.map((each) => ({
          ...each,
          cancelled: cancelled.includes(each.reference),
        }));
        return { ...page, pickups };
      },
      async cancel(request, signal) {
        await ups.cancel(request, signal);
        cancelled.push(request.reference);
      },
    }));
    const carriers = (all: readonly Carrier[]) => forgetful.carriers(silent(all));
    const report = await reconcileHere(second, { carriers });
    expect(actionsOf(report)).toEqual([
      "label was missing here, and its shipment is not known here: void, done",
      "party cannot list its pickups: compare them with those here: by_hand, left",
      "pickup is cancelled here and live there: call_off, done",
      expect.stringMatching(
        /^pickup was missing here, and none of its parcels waits for it here; \w+ refused to cancel it \(.*on the way.*\): by_hand, left$/,
      ),
    ]);
    expect(report.is_resolved).toBe(false);
    const late = report.findings.find(
      ({ kind, action }) => kind === "pickup" && action === "by_hand",
    )!;
    expect((await reconcileHere(second, { carriers, accepted: ["fedex"] })).is_resolved).toBe(
      false,
    );
    const accepted = ["fedex", late.reference];
    expect((await reconcileHere(second, { carriers, accepted })).is_resolved).toBe(true);
    must(await schedule(shop, { shipment_ids: [id] }), 201);
  });
});
