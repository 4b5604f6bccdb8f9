import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { toCents } from "../../src/domain/values/money.ts";
import { outcomeOf, type DataOf, type Failure, type Shipment } from "../client.ts";
import { aFreight, dock, shop, unit, type FreightEntry } from "../freight-shipments.ts";
import { assertInvariants, readJournal, untilAtRest } from "../invariants.ts";
import { boston, notebooks } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** Freight with the carriers of the catalogue, which are called over HTTP and journal what they commit. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
// Their journal is the oracle for the ledger.
afterEach(() => assertInvariants(world));
afterAll(() => world.close());

const opening = 500_000;
const aShipper = () => anAccount(world, { balance_cents: opening });
const steered = (address2: string, changes: Partial<FreightEntry> = {}) =>
  aFreight({ to_address: { ...shop, address2 }, ...changes });

interface Cancelled {
  shipment: Shipment;
  cancellation: { fee: number; carrier_confirmation: string };
}
const cancel = (account: TestAccount, id: string, headers = {}) =>
  account.post<DataOf<Cancelled>>(`/ltl/${id}/cancel`, {}, headers);

test("three carriers quote two pallets, and each of their services is in one of the two lists", async () => {
  const account = await aShipper();
  const { id } = await account.create(aFreight());
  const { data, meta } = await account.rates(id);
  const rated = data.map(({ carrier }) => carrier.code);
  expect(new Set(rated)).toEqual(new Set(["tforce_freight", "day_ross", "manitoulin"]));
  const excluded = Object.fromEntries(
    meta.excluded_services.map(({ service, reason }) => [service, reason]),
  );
  expect(data.length + meta.excluded_services.length).toBe(9);
  // Halifax is beyond TForce's and Manitoulin's terminals, and within Canada.
  expect(excluded).toMatchObject({
    "tforce_freight.guaranteed": "no_rate_for_lane",
    "manitoulin.rock_solid_evening": "no_rate_for_lane",
    "day_ross.transborder_standard": "destination_not_supported",
  });
  const totals = data.map(({ total }) => total);
  expect(totals).toEqual(totals.toSorted((a, b) => a - b));
  for (const quote of data) {
    expect(quote.currency).toBe("CAD");
    expect(quote.total).toBeGreaterThan(200);
    expect(quote.total).toBeLessThan(1_500);
    expect(quote.transit_days).toBeGreaterThan(0);
    expect(quote.transit_days).toBe(quote.estimated_delivery_days);
    expect(quote.quote_number).toMatch(/^Q/);
  }
});

test("ten pallets of 2,000 lb are 20,000 lb, which are rated and booked", async () => {
  const account = await anAccount(world, { balance_cents: 10_000_000 });
  const ten = { ...unit, quantity: 10, weight: 2_000 };
  const { id } = await account.create(aFreight({ handling_units: [ten] }));
  const { data } = await account.rates(id);
  expect(data.map(({ service }) => service)).toContain("tforce_freight.ltl");
  for (const rate of data) expect(rate.billable_weight.value % 20_000).toBe(0);
  await account.bought(id, { service: "tforce_freight.ltl" });
});

test("a booking at a quote costs the quoted price, and a cancellation refunds it", async () => {
  const account = await aShipper();
  const { id } = await account.create(aFreight());
  const { data: quotes } = await account.rates(id);
  const dearest = quotes.at(-1)!;
  const booked = await account.bought(id, { rate_id: dearest.id });
  expect(booked.cost!.total).toBe(dearest.total);
  expect(booked.documents).toHaveLength(2);
  const { data } = must(await cancel(account, id), 200);
  const fee = toCents(data.cancellation.fee);
  expect(toCents(data.shipment.refund!.amount)).toBe(toCents(dearest.total) - fee);
  expect(await account.balanceCents()).toBe(opening - fee);
});

test("a service without an accessorial is excluded with the reason, and the others are quoted", async () => {
  const account = await aShipper();
  const reasonsOf = async (changes: Partial<FreightEntry>) => {
    const { id } = await account.create(aFreight(changes));
    const { data, meta } = await account.rates(id);
    const reasons = meta.excluded_services.map(({ service, reason }) => `${service} ${reason}`);
    return { reasons, services: data.map(({ service }) => service) };
  };
  const hazmat = await reasonsOf({ handling_units: [{ ...unit, hazmat: true }] });
  expect(hazmat.reasons).toContain("tforce_freight.guaranteed hazmat_not_supported");
  expect(hazmat.reasons).toContain("day_ross.commerce_solutions hazmat_not_supported");
  expect(hazmat.services).toContain("day_ross.domestic_standard");
  const home = await reasonsOf({ delivery: { location_type: "residential" } });
  expect(home.reasons).toContain("manitoulin.rock_solid_evening accessorial_not_supported");
  const heavy = await reasonsOf({ handling_units: [{ ...unit, quantity: 1, weight: 3_600 }] });
  expect(heavy.reasons).toContain("day_ross.domestic_standard weight_limit_exceeded");
  const many = await reasonsOf({ handling_units: [{ ...unit, quantity: 24, weight: 400 }] });
  expect(many.reasons).toContain("day_ross.domestic_standard package_count_not_supported");
  const long = await reasonsOf({ handling_units: [{ ...unit, quantity: 1, length: 270 }] });
  expect(long.reasons).toContain("tforce_freight.ltl size_limit_exceeded");
  expect(long.services).toEqual(["day_ross.domestic_standard"]);
});

test("a pallet is booked and cancelled with each carrier, whose journal has both under one reference", async () => {
  const account = await aShipper();
  for (const service of ["tforce_freight.ltl", "day_ross.domestic_standard", "manitoulin.ltl"]) {
    const { id } = await account.create(aFreight());
    const booked = await account.bought(id, { service });
    expect(booked).toMatchObject({ label_url: null, rate: { service } });
    expect(booked.pro_number === null).toBe(service === "manitoulin.ltl");
    expect(booked.tracking_code).toBe(booked.pro_number ?? booked.confirmation_number);
    const { data } = must(await cancel(account, id), 200);
    expect(data.cancellation.fee).toBe(0);
    const entries = (await readJournal(world)).filter(
      ({ tracking_code }) => tracking_code === booked.tracking_code,
    );
    expect(entries.map(({ operation }) => operation)).toEqual(["ltl_booking", "ltl_cancel"]);
    expect(new Set(entries.map(({ reference }) => reference)).size).toBe(1);
  }
  expect(await account.balanceCents()).toBe(opening);
});

test("freight crosses the border with an invoice beside its documents", async () => {
  const account = await aShipper();
  const to_address = { ...boston, company: "Back Bay Books" };
  const { id } = await account.create(aFreight({ to_address, items: [notebooks] }));
  await account.bought(id, { service: "day_ross.transborder_standard" });
  const { documents } = await account.show(id);
  expect(documents.map(({ type }) => type)).toEqual(["bol", "pallet_label", "commercial_invoice"]);
  for (const { url } of documents) {
    const file = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(file.subarray(0, 5).toString()).toBe("%PDF-");
  }
  must(await cancel(account, id), 200);
});

test("on the day of the pickup the carrier keeps its fee, and the account is refunded the rest", async () => {
  const account = await aShipper();
  const { id } = await account.create(steered("sim:cancel_fee"));
  await account.bought(id, { service: "day_ross.domestic_standard" });
  const { data } = must(await cancel(account, id), 200);
  expect(data.cancellation.fee).toBe(45);
  expect(await account.balanceCents()).toBe(opening - 45_00);
});

test("each steering does to freight what it does to parcels", async () => {
  const account = await aShipper();
  const service = "day_ross.domestic_standard";
  const buy = async (address2: string) => {
    const { id } = await account.create(steered(address2));
    return { id, reply: await account.buy(id, { service }) };
  };
  for (const [steering, outcome] of [
    ["sim:refuse", "502 carrier_error"],
    ["sim:price_up", "409 rate_changed"],
  ] as const) {
    const { id, reply } = await buy(steering);
    expect(outcomeOf(reply)).toBe(outcome);
    expect((await account.show(id)).status).toBe("draft");
    expect(await account.balanceCents()).toBe(opening);
  }
  const { id } = await account.create(steered("sim:error=day_ross;no_lane=manitoulin;slow=*:5"));
  const { data, meta } = await account.rates(id);
  expect(data.map(({ carrier }) => carrier.code)).toEqual(["tforce_freight"]);
  const reasons = meta.excluded_services.map((each) => `${each.carrier} ${each.reason}`);
  expect(reasons).toContain("day_ross carrier_error");
  expect(reasons).toContain("manitoulin no_rate_for_lane");

  const { id: fetched } = await buy("sim:used_label");
  const refused = (await cancel(account, fetched)) as unknown as { body: Failure };
  expect(refused.body.error.code).toBe("not_cancellable");
  expect((await account.show(fetched)).status).toBe("booked");
});

test("a booking whose response is lost is found, and so is its cancellation: each took place once", async () => {
  const account = await aShipper();
  const { id } = await account.create(steered("sim:lost_answer", { from_address: dock }));
  const body = { service: "manitoulin.ltl" };
  const key = { "idempotency-key": randomUUID() };
  expect(outcomeOf(await account.buy(id, body, key))).toBe("409 purchase_pending");
  await untilAtRest(world.db);
  const booked = must(await account.buy(id, body, key), 201).data;
  const other = { "idempotency-key": randomUUID() };
  expect(outcomeOf(await cancel(account, id, other))).toBe("409 purchase_pending");
  await untilAtRest(world.db);
  expect(outcomeOf(await cancel(account, id, other))).toBe("200");
  expect(await account.balanceCents()).toBe(opening);
  const entries = (await readJournal(world)).filter(
    (each) => each.tracking_code === booked.tracking_code,
  );
  expect(entries.map(({ operation }) => operation)).toEqual(["ltl_booking", "ltl_cancel"]);
});
