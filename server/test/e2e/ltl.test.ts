import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyLedger } from "../../src/ledger/verify.ts";
import {
  outcomeOf,
  type DataOf,
  type Failure,
  type ListOf,
  type Purchase,
  type Reply,
  type Shipment,
} from "../client.ts";
import { besides, fakeFreight } from "../fake-freight.ts";
import { aFreight, unit } from "../freight-shipments.ts";
import { untilAtRest } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** Spec 4.13, sequence 2: create, quote, book, cancel; and what may go wrong in between. */

const carrier = fakeFreight();
let world: World;
beforeAll(async () => {
  world = await aPlatform({}, { carriers: besides(carrier) });
});
afterAll(async () => {
  expect(await verifyLedger(world.db)).toEqual([]);
  await world.close();
});

interface Cancelled {
  shipment: Shipment;
  cancellation: { status: string; carrier_confirmation: string; fee: number };
}
const opening = 300_000;
const aShipper = () => anAccount(world, { balance_cents: opening });
const cancel = (account: TestAccount, id: string, body?: object, headers = {}) =>
  account.post<DataOf<Cancelled>>(`/ltl/${id}/cancel`, body, headers);

async function aBooking(account: TestAccount): Promise<Purchase> {
  const { id } = await account.create(aFreight());
  return account.bought(id);
}

async function events(id: string): Promise<string[]> {
  const { rows } = await sql<{ type: string }>`
    SELECT type FROM recorded_events WHERE subject_id = ${id} ORDER BY id`.execute(world.db);
  return rows.map(({ type }) => type);
}

test("create → quotes → book → documents by their links → cancel: the carrier keeps its fee, the rest is refunded", async () => {
  const account = await aShipper();
  const delivery = { location_type: "construction_site", appointment_required: true };
  const shipment = await account.create(aFreight({ reference: "PO-7", delivery }));
  expect(shipment).toMatchObject({
    type: "ltl",
    status: "draft",
    packages: [],
    handling_units: [
      { ...unit, freight_class: "92.5", freight_class_source: "density", stackable: true },
    ],
    pickup: { ready_time: "09:00", close_time: "17:00", location_type: "business_with_dock" },
    delivery: {
      location_type: "construction_site",
      accessorials: ["limited_access_delivery", "appointment_delivery"],
      implied_accessorials: ["limited_access_delivery", "appointment_delivery"],
      contact: { name: "Morag Ferguson", phone: "902-555-0117" },
    },
  });

  const { data: quotes, meta } = await account.rates(shipment.id);
  expect(quotes.map(({ service }) => service)).toEqual(["ox_freight.standard", "ox_freight.heavy"]);
  expect(meta.excluded_services).toEqual([]);
  const chosen = quotes[1]!;
  expect(chosen).toMatchObject({
    quote_number: "Q-ox_freight.heavy",
    transit_days: 3,
    accessorials: ["limited_access_delivery", "appointment_delivery"],
    package_type: "pallet",
    add_ons: [],
    carrier: { code: "ox_freight", scac: "OXFR" },
  });
  expect(chosen.subtotal + chosen.tax).toBeCloseTo(chosen.total, 2);
  const hours = (Date.parse(chosen.expires_at) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);

  const booked = await account.bought(shipment.id, { rate_id: chosen.id });
  expect(booked).toMatchObject({
    confirmation_number: expect.stringMatching(/^OX-C-/) as string,
    bol_number: expect.stringMatching(/^OXB/) as string,
    pro_number: expect.stringMatching(/^77/) as string,
    label_url: null,
    cost: { total: chosen.total },
  });
  expect(booked.tracking_code).toBe(booked.pro_number);
  const { request } = [...carrier.bookings.values()].at(-1)!;
  expect(request).toMatchObject({ quote_number: chosen.quote_number, shipment: { packages: [] } });
  expect(request.shipment.ship_date).toBe(shipment.pickup!.date);

  expect(booked.documents.map(({ type }) => type)).toEqual(["bol", "pallet_label"]);
  const shown = await account.show(shipment.id);
  expect(shown).toMatchObject({ status: "booked", bol_number: booked.bol_number, label_url: null });
  for (const { url } of shown.documents) {
    const file = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(file.subarray(0, 5).toString()).toBe("%PDF-");
  }
  const read = await account.get<DataOf<Purchase>>(`/labels/${shipment.id}`);
  expect(read.body.data.confirmation_number).toBe(booked.confirmation_number);

  const { data } = must(await cancel(account, shipment.id, { reason: "Customer left" }), 200);
  expect(data.cancellation).toEqual({
    status: "cancelled",
    carrier_confirmation: expect.stringMatching(/^X-/) as string,
    fee: 25,
  });
  expect(data.shipment).toMatchObject({
    status: "cancelled",
    refund: { status: "approved", amount: chosen.total - 25, reason: "Customer left" },
  });
  expect(await account.balanceCents()).toBe(opening - 2500);
  expect(await events(shipment.id)).toEqual(
    expect.arrayContaining(["ltl.booked", "ltl.cancelled", "refund.approved"]),
  );
  const { body } =
    await account.get<ListOf<{ type: string; amount: number }>>("/credits/transactions");
  expect(body.data.map(({ type }) => type)).toEqual(["refund", "ltl", "adjustment"]);

  const again = must(await cancel(account, shipment.id), 200);
  expect(again.data.cancellation).toEqual(data.cancellation);
  expect(await account.balanceCents()).toBe(opening - 2500);
});

test("a draft whose place has closed for today cannot be booked any more", async () => {
  const account = await aShipper();
  const { id } = await account.create(aFreight());
  await sql`
    UPDATE shipments SET pickup = pickup
      || jsonb_build_object('date', (now() AT TIME ZONE 'America/Toronto')::date, 'close_time', '00:00')
    WHERE id = ${id}`.execute(world.db);
  const late = await account.post<Failure>(`/labels/${id}`, { service: "cheapest" });
  expect(must(late, 422).error.details).toMatchObject({
    "pickup.close_time": [expect.stringContaining("is past")],
  });
  expect(await account.show(id)).toMatchObject({ status: "draft" });
});

test("a draft whose day has become a Sunday is neither rated nor booked", async () => {
  const account = await aShipper();
  const { id } = await account.create(aFreight());
  const inTwoWeeks = new Date(Date.now() + 14 * 86_400_000);
  inTwoWeeks.setUTCDate(inTwoWeeks.getUTCDate() - inTwoWeeks.getUTCDay());
  const sunday = { date: inTwoWeeks.toISOString().slice(0, 10) };
  await sql`UPDATE shipments SET pickup = pickup || ${sunday}::jsonb WHERE id = ${id}`.execute(
    world.db,
  );
  const details = { "pickup.date": ["date is a weekend or a public holiday at the address."] };
  for (const reply of [
    await account.get<Failure>(`/rates/${id}`),
    await account.post<Failure>(`/labels/${id}`, { service: "cheapest" }),
  ])
    expect(must(reply, 422).error.details).toEqual(details);
});

test("plain packages become a handling unit each", async () => {
  const account = await aShipper();
  const box = { weight: 90, weight_unit: "kg", length: 80, width: 60, height: 60, size_unit: "cm" };
  const packages = [box, { ...box, package_contents: "Clay" }];
  const { handling_units, id } = await account.create(
    aFreight({ handling_units: undefined, packages }),
  );
  expect(handling_units).toMatchObject([
    {
      type: "box",
      quantity: 1,
      weight: 90,
      description: "Freight of all kinds",
      freight_class: "70",
    },
    { type: "box", description: "Clay" },
  ]);
  expect((await account.rates(id)).data).toHaveLength(2);
});

test("an LTL shipment and a parcel can be created in one call, and each is quoted by its own carriers", async () => {
  const account = await aShipper();
  const reply = await account.post<{ data: { data: Shipment }[] }>("/shipments", [
    aFreight(),
    aShipment(),
  ]);
  const [freight, parcel] = must(reply, 201).data.map((row) => row.data);
  const carriersOf = async ({ id }: Shipment) => {
    const { data, meta } = await account.rates(id);
    const codes = [
      ...data.map((rate) => rate.carrier.code),
      ...meta.excluded_services.map((each) => each.carrier),
    ];
    return [...new Set(codes)];
  };
  expect(await carriersOf(freight!)).toEqual(["ox_freight"]);
  expect(await carriersOf(parcel!)).not.toContain("ox_freight");
  const { data } = must(
    await account.post<{ data: { service: string }[] }>("/rates", aFreight()),
    200,
  );
  expect(data.map(({ service }) => service)).toEqual(["ox_freight.standard", "ox_freight.heavy"]);
});

test("a service that cannot carry it is excluded with the reason", async () => {
  const account = await aShipper();
  const excludedFor = async (changes: object) => {
    const { id } = await account.create(aFreight(changes));
    const { data, meta } = await account.rates(id);
    expect(data.length + meta.excluded_services.length).toBe(2);
    return meta.excluded_services.map(({ service, reason }) => `${service} ${reason}`);
  };
  const standard = "ox_freight.standard";
  const units = (change: object) => ({ handling_units: [{ ...unit, ...change }] });
  expect(await excludedFor(units({ hazmat: true }))).toEqual([`${standard} hazmat_not_supported`]);
  expect(await excludedFor({ delivery: { accessorials: ["inside_delivery"] } })).toEqual([
    `${standard} accessorial_not_supported`,
  ]);
  const both = (reason: string) =>
    ["ox_freight.heavy", standard].map((code) => `${code} ${reason}`);
  const sorted = async (changes: object) => (await excludedFor(changes)).sort();
  expect(await sorted(units({ quantity: 21 }))).toEqual(both("package_count_not_supported"));
  expect(await sorted(units({ weight: 4000, quantity: 1 }))).toEqual(both("weight_limit_exceeded"));
  expect(await sorted(units({ weight: 1000, quantity: 18 }))).toEqual(
    both("weight_limit_exceeded"),
  );
  expect(await sorted(units({ height: 96 }))).toEqual(both("size_limit_exceeded"));
});

describe("requests that do not apply to a booking", () => {
  test("options of labels are refused by name, and services of the other kind", async () => {
    const account = await aShipper();
    const { id } = await account.create(aFreight());
    const refusal = async (body: object) => {
      const reply = (await account.buy(id, body)) as unknown as Reply<Failure>;
      return [outcomeOf(reply), Object.keys(reply.body.error.details)];
    };
    const service = "ox_freight.standard";
    const options = { service, add_ons: ["protection"], label_format: "zpl", label_size: "4x6" };
    expect(await refusal(options)).toEqual([
      "422 validation_failed",
      ["add_ons", "label_format", "label_size"],
    ]);
    expect(await refusal({ service: "ups.ground" })).toEqual([
      "422 validation_failed",
      ["service"],
    ]);
    expect(outcomeOf(await account.buy(id, { service, expected_total: 1 }))).toBe(
      "409 rate_changed",
    );
    const parcel = await account.create(aShipment());
    expect(outcomeOf(await account.buy(parcel.id, { service }))).toBe("422 validation_failed");
  });

  test("a booking is neither voided nor deleted, a parcel is not cancelled here, and nothing unbooked is", async () => {
    const account = await aShipper();
    const { shipment_id: id } = await aBooking(account);
    const voided = await account.post<Failure>(`/shipments/${id}/void`);
    expect(voided).toMatchObject({
      status: 409,
      body: { error: { code: "not_voidable", details: { reason: "ltl_use_cancel" } } },
    });
    expect(outcomeOf(await account.delete(`/shipments/${id}`))).toBe("409 use_ltl_cancel");
    const parcel = await account.create(aShipment());
    expect(outcomeOf(await cancel(account, parcel.id))).toBe("409 not_ltl");
    const draft = await account.create(aFreight());
    expect(outcomeOf(await cancel(account, draft.id))).toBe("409 not_cancellable");
    const cancelled = await account.post<DataOf<Shipment>>(`/shipments/${draft.id}/void`);
    expect(must(cancelled, 200).data.status).toBe("cancelled");
    expect(outcomeOf(await cancel(account, draft.id))).toBe("409 not_cancellable");
    expect(outcomeOf(await account.delete(`/shipments/${draft.id}`))).toBe("204");
    await sql`UPDATE shipments SET status = 'in_transit' WHERE id = ${id}`.execute(world.db);
    const late = (await cancel(account, id)) as unknown as Reply<Failure>;
    expect(late.body.error).toMatchObject({
      code: "not_cancellable",
      details: { status: "in_transit", reason: "picked_up" },
    });
  });

  test("a cancelled booking stays as a record, whichever call deletes it", async () => {
    const account = await aShipper();
    const { shipment_id: id } = await aBooking(account);
    must(await cancel(account, id), 200);
    expect(outcomeOf(await account.delete(`/shipments/${id}`))).toBe("200");
    expect((await account.show(id)).status).toBe("cancelled");
    expect(outcomeOf(await account.buy(id))).toBe("409 conflict");
  });
});

describe("when the carrier", () => {
  test("refuses to book, the hold is released", async () => {
    const account = await aShipper();
    const { id } = await account.create(aFreight());
    carrier.next.push("booking_refused");
    expect(outcomeOf(await account.buy(id))).toBe("502 carrier_error");
    expect(await account.show(id)).toMatchObject({ status: "draft", last_error: {} });
    expect(await account.balanceCents()).toBe(opening);
  });

  test("books and its response is lost, recovery finds the booking and draws its documents", async () => {
    const account = await aShipper();
    const { id } = await account.create(aFreight());
    carrier.next.push("booking_lost");
    const key = { "idempotency-key": randomUUID() };
    expect(outcomeOf(await account.buy(id, undefined, key))).toBe("409 purchase_pending");
    await untilAtRest(world.db);
    const booked = must(await account.buy(id, undefined, key), 201).data;
    expect(booked.documents).toHaveLength(2);
    expect((await account.show(id)).status).toBe("booked");
    expect(outcomeOf(await account.buy(id))).toBe("409 already_labelled");
  });

  test("assigns the PRO number only later, the shipment is known by its confirmation number", async () => {
    const account = await aShipper();
    carrier.next.push("no_numbers");
    const booked = await aBooking(account);
    expect(booked.pro_number).toBe(null);
    expect(booked.tracking_code).toBe(booked.confirmation_number);
  });

  test("cancels and its response is lost, the refund is credited once it is known", async () => {
    const account = await aShipper();
    const { shipment_id: id } = await aBooking(account);
    carrier.next.push("cancel_lost");
    const key = { "idempotency-key": randomUUID() };
    expect(outcomeOf(await cancel(account, id, {}, key))).toBe("409 purchase_pending");
    await untilAtRest(world.db);
    expect(outcomeOf(await cancel(account, id, {}, key))).toBe("200");
    expect(await account.balanceCents()).toBe(opening - carrier.fee_cents);
  });

  test("has picked the freight up, the booking stands and stays paid", async () => {
    const account = await aShipper();
    const { shipment_id: id, cost } = await aBooking(account);
    carrier.next.push("picked_up");
    expect(outcomeOf(await cancel(account, id))).toBe("409 not_cancellable");
    expect(await account.show(id)).toMatchObject({
      status: "booked",
      last_error: { code: "not_cancellable" },
    });
    expect(await account.balanceCents()).toBe(opening - Math.round(cost!.total * 100));
  });

  test("keeps more than the price, the account loses the price and no more", async () => {
    const account = await aShipper();
    const { shipment_id: id, cost } = await aBooking(account);
    carrier.fee_cents = 9_000_000;
    try {
      const { data } = must(await cancel(account, id), 200);
      expect(data.shipment.refund).toMatchObject({ status: "approved", amount: 0 });
    } finally {
      carrier.fee_cents = 2500;
    }
    expect(await account.balanceCents()).toBe(opening - Math.round(cost!.total * 100));
  });
});

test("two concurrent cancellations are one", async () => {
  const account = await aShipper();
  const { shipment_id: id } = await aBooking(account);
  const outcomes = await Promise.all(
    [1, 2, 3, 4].map(async () => outcomeOf(await cancel(account, id))),
  );
  expect(outcomes).toContain("200");
  for (const outcome of outcomes) expect(["200", "409 purchase_pending"]).toContain(outcome);
  expect(await account.balanceCents()).toBe(opening - carrier.fee_cents);
});
