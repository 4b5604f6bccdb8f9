import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bySystem } from "../../src/domain/accounts/principal.ts";
import { inTransaction } from "../../src/database/connect.ts";
import { moveShipment } from "../../src/shipping/shipments/move-shipment.ts";
import { outcomeOf, type Failure, type ListOf, type Pickup } from "../client.ts";
import { adjust } from "../adjust.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import {
  aLabelled,
  cancel,
  days,
  schedule,
  scheduled,
  serviceOf,
  showPickup,
  steered,
} from "../pickups.ts";
import { aShipment, ottawa } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** Pickups through the API (spec 4.4, decision 10), and the first call sequence of spec 4.13 to its end. */

let world: World;
let unheard: Awaited<ReturnType<typeof aPickupNobodyHeard>>;
beforeAll(async () => {
  world = await aPlatform();
  unheard = await aPickupNobodyHeard();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

const errorOf = (reply: { body: unknown }) => (reply.body as Failure).error;
const pickupsIn = async (references: readonly unknown[]) =>
  (await readJournal(world)).filter(
    ({ operation, confirmation_number }) =>
      operation === "pickup" && references.includes(confirmation_number),
  );
const until = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 15_000, interval: 50 });

/** The driver scans the parcel, as tracking will show. */
const scan = (account: TestAccount, id: string) =>
  inTransaction(world.db, (tx) =>
    moveShipment(
      tx,
      { account_id: account.account_id, id },
      { status: "in_transit", updated_at: new Date(), by: bySystem("test") },
    ),
  );

/** The lookup of this one takes longer than all the other tests, which meanwhile run. */
async function aPickupNobodyHeard() {
  const account = await anAccount(world);
  const ids = [await aLabelled(account, "ups"), await aLabelled(account, "purolator")];
  const body = { shipment_ids: ids, address: steered("sim:error=ups") };
  return { account, ids, pickup: must(await schedule(account, body), 201).data };
}

test("create, rate, label, pickup: the courier sequence to its end", async () => {
  const account = await anAccount(world);
  const shipment = await account.create(aShipment());
  const { data: rates } = await account.rates(shipment.id);
  const rate = rates.find(({ carrier }) => carrier.code === "purolator")!;
  expect(rate.pickup_supported).toBe(true);
  const label = await account.bought(shipment.id, { service: rate.service });
  const pickup = await scheduled(account, shipment.id);
  expect(pickup).toMatchObject({
    status: "confirmed",
    shipment_ids: [shipment.id],
    carriers: [
      {
        carrier: "purolator",
        status: "confirmed",
        fee: 0,
        error: null,
        shipment_ids: [shipment.id],
      },
    ],
    date: days().next,
    ready_time: "09:00",
    close_time: "17:00",
    address: { city: "Ottawa", postal_code: "K1A 0A9" },
    contact: { name: "Rideau Paper Co", phone: "613-555-0142", email: null },
    instructions: null,
    package_count: 1,
    total_weight: { value: 1.4, unit: "kg" },
    cost: { subtotal: 0, tax: 0, total: 0, currency: "CAD" },
    cancelled_at: null,
  });
  expect(pickup.id).toMatch(/^pku_/);
  const [entry] = await pickupsIn([pickup.carriers[0]!.confirmation_number]);
  expect(entry).toMatchObject({ carrier: "purolator", tracking_codes: [label.tracking_code] });
  expect((await account.show(shipment.id)).pickup_id).toBe(pickup.id);
  expect(await showPickup(account, pickup.id)).toEqual(pickup);
});

test("several carriers come to one address; each is paid its fee with the place's tax", async () => {
  const account = await anAccount(world);
  const ids = [
    await aLabelled(account, "ups"),
    await aLabelled(account, "canada_post"),
    await aLabelled(account, "ups"),
  ];
  const before = await account.balanceCents();
  const body = {
    shipment_ids: ids,
    date: days().next,
    ready_time: "10:00",
    close_time: "15:30",
    contact: { name: "Dock", phone: "613-555-0199" },
    instructions: "North side.",
  };
  const pickup = must(await schedule(account, body), 201).data;
  expect(pickup).toMatchObject({ ...body, status: "confirmed", package_count: 3 });
  expect(pickup.contact).toEqual({ name: "Dock", phone: "613-555-0199", email: null });
  expect(pickup.carriers.map(({ carrier, fee }) => [carrier, fee])).toEqual([
    ["canada_post", 3.5],
    ["ups", 7.5],
  ]);
  expect(pickup.carriers[1]!.shipment_ids).toEqual([ids[0], ids[2]]);
  // 13 % of each, rounded by itself.
  expect(pickup.cost).toEqual({ subtotal: 11, tax: 1.44, total: 12.44, currency: "CAD" });
  expect(before - (await account.balanceCents())).toBe(1244);

  const cancelled = must(await cancel(account, pickup.id), 200).data;
  expect(cancelled).toMatchObject({
    status: "cancelled",
    carriers: [
      { status: "cancelled", fee: 0 },
      { status: "cancelled", fee: 0 },
    ],
    cost: { total: 0 },
    cancelled_at: expect.any(String) as string,
  });
  expect(await account.balanceCents()).toBe(before);
  for (const id of ids) expect((await account.show(id)).pickup_id).toBeNull();
  expect(must(await cancel(account, pickup.id), 200).data).toEqual(cancelled);
  expect((await scheduled(account, ...ids)).status).toBe("confirmed");
});

test("lists are newest first and can be filtered by status", async () => {
  const account = await anAccount(world);
  const all: Pickup[] = [];
  for (let count = 0; count < 3; count++)
    all.unshift(await scheduled(account, await aLabelled(account)));
  all[1] = must(await cancel(account, all[1]!.id), 200).data;
  const list = async (query: string) =>
    must(await account.get<ListOf<Pickup>>(`/pickups?${query}`), 200);
  expect((await list("")).data).toEqual(all);
  expect((await list("status=cancelled")).data).toEqual([all[1]]);
  expect((await list("status=cancelled,confirmed")).data).toEqual(all);
  const page = await list("per_page=2");
  expect(page.data).toEqual(all.slice(0, 2));
  expect((await list(`per_page=2&cursor=${page.meta["next_cursor"]}`)).data).toEqual(all.slice(2));
  expect((await list("page=1")).meta["total"]).toBe(3);
  expect((await account.get("/pickups?status=lost")).status).toBe(422);
  expect((await list("status=failed")).data).toEqual([]);
});

test("one key schedules once, and replays its response", async () => {
  const account = await anAccount(world);
  const body = { shipment_ids: [await aLabelled(account), await aLabelled(account, "ups")] };
  const key = { "idempotency-key": "pickup-1" };
  const replies = await Promise.all(Array.from({ length: 20 }, () => schedule(account, body, key)));
  expect(new Set(replies.map(({ bytes }) => bytes.toString())).size).toBe(1);
  const pickup = must(replies[0]!, 201).data;
  expect((await account.get<ListOf<Pickup>>("/pickups")).body.data).toEqual([pickup]);
  await cancel(account, pickup.id, { "idempotency-key": "pickup-2" });
  expect((await schedule(account, body, key)).bytes.equals(replies[0]!.bytes)).toBe(true);
  const other = await schedule(account, { ...body, instructions: "Other." }, key);
  expect(outcomeOf(other)).toBe("409 idempotency_conflict");
});

const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);

test("every invalid field is named, and nothing happens", async () => {
  const account = await anAccount(world);
  const id = await aLabelled(account);
  const draft = (await account.create(aShipment())).id;
  const { yesterday, saturday } = days();
  const cases: [object, string[]][] = [
    [{ shipment_ids: undefined }, ["shipment_ids"]],
    [{ shipment_ids: [] }, ["shipment_ids"]],
    [{ shipment_ids: [id, id] }, ["shipment_ids"]],
    [{ shipment_ids: Array.from({ length: 101 }, (_, at) => `shp_${at}`) }, ["shipment_ids"]],
    [{ shipment_ids: [id, "shp_0", "\u{1f4e6}"] }, ["shipment_ids.1", "shipment_ids.2"]],
    [
      { shipment_ids: [7, id, "shp_0", { id }] },
      ["shipment_ids.0", "shipment_ids.2", "shipment_ids.3"],
    ],
    [{ date: "2026-02-30" }, ["date"]],
    [
      { date: "tomorrow", ready_time: "9:00", close_time: "24:00" },
      ["close_time", "date", "ready_time"],
    ],
    [{ date: yesterday }, ["date"]],
    [{ date: saturday }, ["date"]],
    [{ date: "2999-01-03" }, ["date"]],
    [{ ready_time: "17:00", close_time: "09:00" }, ["close_time"]],
    [{ ready_time: "16:30" }, ["close_time"]],
    [{ instructions: "x".repeat(501) }, ["instructions"]],
    [{ address: { ...ottawa, postal_code: "V6G 3E2" } }, ["address.postal_code"]],
    [{ address: { city: "Ottawa" } }, ["address.address1", "address.country_code", "address.name"]],
    [{ contact: { name: 7 } }, ["contact.name"]],
    [{ contact: { phone: "call me", email: "at home" } }, ["contact.email", "contact.phone"]],
    [{ date: saturday, ready_time: "16:30" }, ["close_time", "date"]],
    [
      {
        shipment_ids: [id, "shp_0"],
        date: yesterday,
        ready_time: "17:00",
        close_time: "16:00",
        contact: { phone: "call me" },
        instructions: 7,
      },
      ["close_time", "contact.phone", "date", "instructions", "shipment_ids.1"],
    ],
    [{ shipment_ids: "all", date: yesterday, address: ottawa }, ["date", "shipment_ids"]],
    // Validation of what is nested too deep stops early, and reports that; the rest is not validated.
    [{ more: nested(40), address: { ...ottawa, name: 7 }, ready_time: 7 }, ["more"]],
    [{ address: { ...ottawa, city: nested(40) } }, ["address"]],
    [
      { ready_time: "24:00", close_time: "08:00", address: { ...ottawa, postal_code: "V6G 3E2" } },
      ["address.postal_code", "ready_time"],
    ],
    [
      { shipment_ids: [draft], date: yesterday, ready_time: "24:00", close_time: "08:00" },
      ["date", "ready_time"],
    ],
  ];
  for (const [changes, fields] of cases) {
    const refused = await schedule(account, { shipment_ids: [id], ...changes });
    expect([outcomeOf(refused), changes]).toEqual(["422 validation_failed", changes]);
    expect(Object.keys(errorOf(refused).details).sort()).toEqual(fields);
  }
  expect((await account.show(id)).pickup_id).toBeNull();
  expect((await account.get<ListOf<Pickup>>("/pickups")).body.data).toEqual([]);
});

test("another account's shipment is refused like an unknown one", async () => {
  const theirs = await aLabelled(await anAccount(world));
  const account = await anAccount(world);
  const bodies = [theirs, theirs.replace(/.$/, "0")].map((id) => ({ shipment_ids: [id] }));
  const [one, other] = [await schedule(account, bodies[0]!), await schedule(account, bodies[1]!)];
  expect(one.status).toBe(422);
  expect(one.bytes.equals(other.bytes)).toBe(true);
});

test("shipments of two origins are not one stop, and a carrier comes to their country only", async () => {
  const account = await anAccount(world);
  const elsewhere = { ...ottawa, address1: "240 Sparks Street", postal_code: "K1A 0B1" };
  const ids = [await aLabelled(account), await aLabelled(account, "ups", elsewhere)];
  const refused = await schedule(account, { shipment_ids: ids });
  expect(outcomeOf(refused)).toBe("422 validation_failed");
  expect(Object.keys(errorOf(refused).details)).toEqual(["shipment_ids.1"]);
  const abroad = await schedule(account, {
    shipment_ids: [ids[0]],
    address: {
      name: "Depot",
      address1: "700 Boylston Street",
      city: "Boston",
      province_code: "MA",
      postal_code: "02116",
      country_code: "US",
    },
  });
  expect(Object.keys(errorOf(abroad).details)).toContain("address.country_code");
});

test("a shipment without a live label is 409 not_labelled, by id and state", async () => {
  const account = await anAccount(world);
  const good = await aLabelled(account);
  const draft = (await account.create(aShipment())).id;
  const voided = await aLabelled(account);
  must(await account.post(`/shipments/${voided}/void`), 200);
  const refused = await schedule(account, { shipment_ids: [good, draft, voided] });
  expect(outcomeOf(refused)).toBe("409 not_labelled");
  expect((errorOf(refused).details["shipment_ids"] as string[]).toSorted()).toEqual(
    [draft, voided].toSorted(),
  );
  expect(errorOf(refused).details["statuses"]).toEqual({ [draft]: "draft", [voided]: "voided" });
});

test("freight is 409 not_courier, and a shipment in transit is 409 conflict", async () => {
  const account = await anAccount(world);
  const ids = [await aLabelled(account), await aLabelled(account)];
  const set = (id: string, change: object) =>
    world.db.updateTable("shipments").set(change).where("id", "=", id).execute();
  await set(ids[0]!, { type: "ltl", status: "booked" });
  const freight = await schedule(account, { shipment_ids: ids });
  expect(outcomeOf(freight)).toBe("409 not_courier");
  expect(errorOf(freight).details["shipment_ids"]).toEqual([ids[0]]);
  await set(ids[0]!, { type: "courier", status: "in_transit" });
  const moving = await schedule(account, { shipment_ids: ids });
  expect(outcomeOf(moving)).toBe("409 conflict");
  expect(errorOf(moving).details["statuses"]).toEqual({ [ids[0]!]: "in_transit" });
  await set(ids[0]!, { status: "purchased" });
});

test("a shipment is in one open pickup: 409 shipment_in_use until that one is over", async () => {
  const account = await anAccount(world);
  const ids = [await aLabelled(account), await aLabelled(account)];
  const pickup = await scheduled(account, ids[0]!);
  const refused = await schedule(account, { shipment_ids: ids });
  expect(outcomeOf(refused)).toBe("409 shipment_in_use");
  expect(errorOf(refused).details).toEqual({ shipment_ids: [ids[0]], pickup_ids: [pickup.id] });
  // The day passed, and no driver came.
  const { yesterday } = days();
  await world.db
    .updateTable("pickups")
    .set({ date: yesterday })
    .where("id", "=", pickup.id)
    .execute();
  expect(errorOf(await cancel(account, pickup.id)).details).toMatchObject({ reason: "day_over" });
  const again = await scheduled(account, ...ids);
  expect((await account.show(ids[0]!)).pickup_id).toBe(again.id);
});

test("too little credit for the fees: 402, and the shipments are free", async () => {
  const account = await anAccount(world, { balance_cents: 100_000 });
  const id = await aLabelled(account, "ups");
  const available = (await account.balanceCents()) - 847;
  must(await adjust(world, account.account_id, { amount: -available / 100 }), 201);
  const refused = await schedule(account, { shipment_ids: [id] });
  expect(outcomeOf(refused)).toBe("402 insufficient_credits");
  expect(errorOf(refused).details).toEqual({ required: 8.48, available: 8.47, currency: "CAD" });
  expect((await account.show(id)).pickup_id).toBeNull();
  expect((await account.get<ListOf<Pickup>>("/pickups")).body.data).toEqual([]);
});

test("when one of two carriers refuses, the other comes, and the refused parcels are free", async () => {
  const account = await anAccount(world);
  const ids = [await aLabelled(account, "ups"), await aLabelled(account, "purolator")];
  const before = await account.balanceCents();
  const body = { shipment_ids: ids, address: steered("sim:no_lane=ups") };
  const key = { "idempotency-key": "one-refuses" };
  const reply = await schedule(account, body, key);
  const pickup = must(reply, 201).data;
  expect(pickup).toMatchObject({
    status: "confirmed",
    carriers: [
      { carrier: "purolator", status: "confirmed", error: null },
      {
        carrier: "ups",
        status: "failed",
        confirmation_number: null,
        fee: 0,
        error: { code: "carrier_error", carrier_code: "area_not_served", retryable: false },
      },
    ],
  });
  expect(await account.balanceCents()).toBe(before);
  expect((await account.show(ids[0]!)).pickup_id).toBeNull();
  expect((await account.show(ids[1]!)).pickup_id).toBe(pickup.id);
  expect((await schedule(account, body, key)).bytes.equals(reply.bytes)).toBe(true);
  expect((await scheduled(account, ids[0]!)).status).toBe("confirmed");
});

test.each([
  ["sim:refuse", "pickup_refused"],
  ["sim:price_up", "price_changed"],
])(
  "%s: no driver comes: 502, nothing charged, all parcels free",
  async (steering, carrier_code) => {
    const account = await anAccount(world);
    const ids = [await aLabelled(account, "ups"), await aLabelled(account, "canada_post")];
    const before = await account.balance();
    const key = { "idempotency-key": "nobody" };
    const body = { shipment_ids: ids, address: steered(steering) };
    const refused = await schedule(account, body, key);
    expect(outcomeOf(refused)).toBe("502 carrier_error");
    const { details } = errorOf(refused);
    expect(details).toMatchObject({ carrier: "canada_post", carrier_code, retryable: false });
    expect(details["carriers"]).toHaveLength(2);
    expect(await showPickup(account, details["pickup_id"] as string)).toMatchObject({
      status: "failed",
      shipment_ids: ids,
      cost: { total: 0 },
    });
    expect(await account.balance()).toMatchObject({ balance: before.balance, held: 0 });
    expect(outcomeOf(await cancel(account, details["pickup_id"] as string))).toBe(
      "409 not_cancellable",
    );
    expect((await scheduled(account, ...ids)).status).toBe("confirmed");
  },
);

test("a lost response leaves the pickup scheduled under its id until it is looked up, for its key too", async () => {
  const account = await anAccount(world);
  const ids = [await aLabelled(account, "ups"), await aLabelled(account, "purolator")];
  const body = { shipment_ids: ids, address: steered("sim:lost_answer") };
  const key = { "idempotency-key": "lost" };
  const first = must(await schedule(account, body, key), 201).data;
  expect(first).toMatchObject({ status: "scheduled", cost: { total: 0 } });
  expect(first.carriers.map(({ status }) => status)).toEqual(["scheduled", "scheduled"]);
  expect(outcomeOf(await cancel(account, first.id))).toBe("409 purchase_pending");
  const other = await schedule(account, { shipment_ids: [ids[0]] });
  expect(outcomeOf(other)).toBe("409 shipment_in_use");
  const last = await until(async () => {
    const reply = await schedule(account, body, key);
    expect(must(reply, 201).data).toMatchObject({ id: first.id, status: "confirmed" });
    return reply;
  });
  expect((await schedule(account, body, key)).bytes.equals(last.bytes)).toBe(true);
  expect(last.body.data.cost.total).toBe(8.48);

  expect(outcomeOf(await cancel(account, first.id))).toBe("409 purchase_pending");
  await until(async () => expect((await showPickup(account, first.id)).status).toBe("cancelled"));
  expect(must(await cancel(account, first.id), 200).data.cost.total).toBe(0);
});

test("a driver under way is not cancelled: 409, and the fee stays paid", async () => {
  const account = await anAccount(world);
  const ids = [await aLabelled(account, "ups")];
  const body = { shipment_ids: ids, address: steered("sim:used_label") };
  const pickup = must(await schedule(account, body), 201).data;
  const refused = await cancel(account, pickup.id);
  expect(outcomeOf(refused)).toBe("409 not_cancellable");
  expect(errorOf(refused).details).toMatchObject({
    status: "confirmed",
    reason: "carrier_refused",
    carriers: [{ carrier: "ups", carrier_code: "pickup_underway" }],
  });
  expect(await showPickup(account, pickup.id)).toMatchObject({
    status: "confirmed",
    carriers: [{ status: "confirmed", fee: 7.5, error: { carrier_code: "pickup_underway" } }],
  });
});

test("a scanned parcel is picked up: neither cancelled nor voided any more", async () => {
  const account = await anAccount(world);
  const ids = [
    await aLabelled(account, "ups"),
    await aLabelled(account, "ups"),
    await aLabelled(account, "purolator"),
  ];
  const pickup = await scheduled(account, ...ids);
  await scan(account, ids[0]!);
  const half = await showPickup(account, pickup.id);
  expect([half.status, ...half.carriers.map(({ status }) => status)]).toEqual([
    "confirmed",
    "confirmed",
    "picked_up",
  ]);
  const refused = await account.post(`/shipments/${ids[1]}/void`);
  expect(outcomeOf(refused)).toBe("409 not_voidable");
  expect(errorOf(refused).details).toEqual({ status: "purchased", reason: "picked_up" });
  // The other carrier has not come: it is cancelled, and the pickup's status follows from both.
  expect(must(await cancel(account, pickup.id), 200).data.status).toBe("picked_up");
  expect(outcomeOf(await cancel(account, pickup.id))).toBe("409 not_cancellable");
  await scan(account, ids[1]!);
  await scan(account, ids[2]!);
  expect((await showPickup(account, pickup.id)).status).toBe("picked_up");
  expect((await account.show(ids[1]!)).pickup_id).toBe(pickup.id);
});

test("a voided shipment leaves its pickup; a carrier left with none is cancelled and refunded", async () => {
  const account = await anAccount(world);
  const ids = [
    await aLabelled(account, "ups"),
    await aLabelled(account, "ups"),
    await aLabelled(account, "purolator"),
  ];
  const pickup = await scheduled(account, ...ids);
  must(await account.post(`/shipments/${ids[0]}/void`), 200);
  expect(await showPickup(account, pickup.id)).toMatchObject({
    status: "confirmed",
    shipment_ids: [ids[1], ids[2]],
    package_count: 2,
    total_weight: { value: 2.8 },
    cost: { total: 8.48 },
  });
  const voided = must(await account.delete(`/shipments/${ids[1]}`), 200);
  expect(voided).toMatchObject({ data: { status: "voided", pickup_id: null } });
  await until(async () =>
    expect(await showPickup(account, pickup.id)).toMatchObject({
      status: "confirmed",
      shipment_ids: [ids[2]],
      carriers: [{ status: "confirmed" }, { status: "cancelled", shipment_ids: [] }],
      cost: { total: 0 },
    }),
  );
  must(await account.post(`/shipments/${ids[2]}/void`), 200);
  await until(async () =>
    expect(await showPickup(account, pickup.id)).toMatchObject({
      status: "cancelled",
      shipment_ids: [],
      package_count: 0,
    }),
  );
});

test("a part whose parcels are voided before its carrier has confirmed is cancelled once it has", async () => {
  const account = await anAccount(world);
  const id = await aLabelled(account, "ups");
  const body = { shipment_ids: [id], address: steered("sim:lost_answer") };
  const pickup = must(await schedule(account, body), 201).data;
  expect(pickup.status).toBe("scheduled");
  must(await account.post(`/shipments/${id}/void`), 200);
  await until(async () => expect((await showPickup(account, pickup.id)).status).toBe("cancelled"));
});

test("a scheduled and a cancelled pickup have their events, once each", async () => {
  const account = await anAccount(world);
  const pickup = await scheduled(
    account,
    await aLabelled(account),
    await aLabelled(account, "ups"),
  );
  await cancel(account, pickup.id);
  await cancel(account, pickup.id);
  const events = await world.db
    .selectFrom("recorded_events")
    .select(["type", "subject_id"])
    .where("account_id", "=", account.account_id)
    .where("type", "like", "pickup.%")
    .orderBy("id")
    .execute();
  expect(events).toEqual([
    { type: "pickup.scheduled", subject_id: pickup.id },
    { type: "pickup.cancelled", subject_id: pickup.id },
  ]);
});

test("a service that its carrier does not pick up is a problem of its shipment", async () => {
  const account = await anAccount(world);
  const ids = [await aLabelled(account), await aLabelled(account)];
  await world.db
    .updateTable("shipments")
    .set({ carrier: "dodo_express", service: "dodo_express.walk", service_name: "Dodo Walk" })
    .where("id", "=", ids[1]!)
    .execute();
  const refused = await schedule(account, { shipment_ids: ids });
  expect(errorOf(refused).details).toEqual({
    "shipment_ids.1": ["shipment_ids.1 is not fetched by Dodo Walk."],
  });
  await world.db
    .updateTable("shipments")
    .set({ carrier: "purolator", service: serviceOf.purolator })
    .where("id", "=", ids[1]!)
    .execute();
});

test("a carrier that fails before it commits is looked up and has nothing: its parcels are free", async () => {
  const { account, ids, pickup } = unheard;
  expect(pickup).toMatchObject({
    status: "scheduled",
    carriers: [{ status: "confirmed" }, { status: "scheduled" }],
  });
  const resolved = await vi.waitFor(
    async () => {
      const shown = await showPickup(account, pickup.id);
      expect(shown.status).toBe("confirmed");
      return shown;
    },
    { timeout: 20_000, interval: 100 },
  );
  expect(resolved.carriers[1]).toMatchObject({
    status: "failed",
    error: { carrier_code: "not_found", retryable: true },
  });
  expect(await account.balance()).toMatchObject({ held: 0 });
  expect((await account.show(ids[0]!)).pickup_id).toBeNull();
});
