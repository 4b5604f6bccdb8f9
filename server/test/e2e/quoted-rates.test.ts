import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepQuotes } from "../../src/purchasing/quotes/store.ts";
import {
  type DataOf,
  type Failure,
  type ListOf,
  outcomeOf,
  type Purchase,
  type Rates,
  type Reply,
} from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { assertInvariants } from "../invariants.ts";
import { rule } from "../rules.ts";
import { aShipment, boston, halifax, notebooks, parcel } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/** A rate of `POST /rates` buys exactly what it was quoted for, until it expires (decision 7). */

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world, { balance_cents: 1_000_000 });
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

const quote = async (entry: object, by = account) =>
  must(await by.post<Rates>("/rates", entry), 200).data;
const buy = (body: object, headers?: Record<string, string>) =>
  account.post<DataOf<Purchase>>("/labels", body, headers);
const errorOf = (reply: Reply<unknown>) => (reply.body as Failure).error;
const countShipments = async (by = account) =>
  must(await by.get<ListOf<object> & { meta: { total: number } }>("/shipments?page=1"), 200).meta
    .total;

test("each rate of a quote has an id of its own, and buys exactly that rate in one call", async () => {
  const entry = aShipment({ to_address: boston, items: [notebooks] });
  const rates = await quote(entry);
  expect(new Set(rates.map(({ id }) => id)).size).toBe(rates.length);
  expect(rates.every(({ id }) => /^rat_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id))).toBe(true);
  const chosen = rates.at(-1)!;
  const bought = must(await buy({ ...entry, rate_id: chosen.id }), 201).data;
  expect(bought.rate).toMatchObject({ id: chosen.id, service: chosen.service });
  expect(bought.cost!.total).toBe(chosen.total);
});

test("names, phones, references and the order of fields do not count as other data; add-ons come with the rate", async () => {
  const [rate] = await quote(aShipment());
  const { packages, to_address, ...rest } = aShipment();
  const entry = {
    rate_id: rate!.id,
    packages: packages.map((each) => ({ reference: "Box 1", ...each })),
    to_address: { ...to_address, name: "Somebody else", phone: "902-555-0199" },
    ...rest,
    reference: "PO-7",
    add_ons: ["protection"],
  };
  const protection = rate!.add_ons.find(({ code }) => code === "protection")!;
  const { cost } = must(await buy(entry), 201).data;
  expect(cost!.total).toBeCloseTo(rate!.total + protection.price.total, 2);
});

test("buys a shipment that was created with the same data", async () => {
  const [rate] = await quote(aShipment());
  const { id } = await account.create(aShipment());
  expect((await account.bought(id, { rate_id: rate!.id })).rate.id).toBe(rate!.id);
});

test("freight is booked at such a rate", async () => {
  const [rate] = await quote(aFreight());
  const booked = must(await buy({ ...aFreight(), rate_id: rate!.id }), 201).data;
  expect(booked.rate.quote_number).toBe(rate!.quote_number);
});

test("is 409 rate_changed for other data, and creates nothing", async () => {
  const [rate] = await quote(aShipment());
  const before = await countShipments();
  for (const changes of [
    { packages: [{ ...parcel, weight: 1.5 }] },
    { packages: [parcel, parcel] },
    { packages: [{ ...parcel, declared_value: 100 }] },
    { to_address: { ...halifax, postal_code: "B3J 1S4" } },
    { to_address: { ...halifax, address2: "PO Box 3" } },
    { insured_value: 100 },
    { is_return: true },
  ]) {
    const reply = await buy({ ...aShipment(), ...changes, rate_id: rate!.id });
    expect(outcomeOf(reply)).toBe("409 rate_changed");
    expect(errorOf(reply).details).toEqual({ service: rate!.service, rate_id: rate!.id });
  }
  expect(await countShipments()).toBe(before);
  const { id } = await account.create(aShipment({ packages: [{ ...parcel, weight: 9 }] }));
  expect(outcomeOf(await account.buy(id, { rate_id: rate!.id }))).toBe("409 rate_changed");
  expect((await account.show(id)).status).toBe("draft");
});

test("is 409 rate_changed when a rule has made the shipment heavier than was quoted", async () => {
  const shop = await anAccount(world);
  await rule(shop, { actions: [{ type: "add_weight", weight: 2, weight_unit: "kg" }] });
  const [rate] = await quote(aShipment(), shop);
  const reply = await shop.post("/labels", { ...aShipment(), rate_id: rate!.id });
  expect(outcomeOf(reply)).toBe("409 rate_changed");
});

test("is not bought against a rule that excludes the carrier, nor when the account lost the service", async () => {
  const shop = await anAccount(world);
  const [rate] = await quote(aShipment(), shop);
  const settings = `/accounts/${shop.account_id}/settings`;
  must(await world.operator.patch(settings, { disabled_services: [rate!.service] }), 200);
  const off = await shop.post("/labels", { ...aShipment(), rate_id: rate!.id });
  expect(errorOf(off)).toMatchObject({ details: { reason: "service_disabled" } });
  must(await world.operator.patch(settings, { disabled_services: [] }), 200);
  await rule(shop, { actions: [{ type: "exclude_carrier", carrier: rate!.carrier.code }] });
  const ruled = await shop.post("/labels", { ...aShipment(), rate_id: rate!.id });
  expect(errorOf(ruled)).toMatchObject({ details: { reason: "filtered_by_rule" } });
});

test("is 422 at rate_id when it is unknown, another account's, an estimate's or expired", async () => {
  const stranger = await anAccount(world);
  const [foreign] = await quote(aShipment(), stranger);
  const estimates = await account.post<Rates>("/rates/estimate", aShipment());
  const [expired] = await quote(aShipment());
  await sql`UPDATE quotes SET expires_at = now() - interval '1 second'
    WHERE account_id = ${account.account_id}`.execute(world.db);
  const before = await countShipments();
  for (const rate_id of [
    foreign!.id,
    must(estimates, 200).data[0]!.id,
    expired!.id,
    "rat_01k6w0000000000000000000aa",
    "nonsense \u0000",
  ]) {
    const reply = await buy({ ...aShipment(), rate_id });
    expect(outcomeOf(reply)).toBe("422 validation_failed");
    expect(Object.keys(errorOf(reply).details)).toEqual(["rate_id"]);
  }
  const both = await buy({ ...aShipment(), service: "cheapest", rate_id: expired!.id });
  expect(Object.keys(errorOf(both).details)).toEqual(["rate_id"]);
  expect(await countShipments()).toBe(before);
  await sweepQuotes(world.db, new Date());
  const { rows } = await sql`SELECT FROM quotes WHERE expires_at < now()`.execute(world.db);
  expect(rows).toEqual([]);
});
