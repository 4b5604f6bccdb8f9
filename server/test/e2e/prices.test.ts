import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf, type Failure, type Rates } from "../client.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import { aShipment, parcel } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** The price of a rate and of its add-ons, and that the label costs the same (decision 7). */

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

function quoted(entry: object): Promise<Rates> {
  return account.post<Rates>("/rates", entry).then((reply) => must(reply, 200));
}

test("every rate adds up, by itself and with the shipment's add-ons", async () => {
  const entry = aShipment({
    add_ons: ["signature"],
    packages: [{ ...parcel, declared_value: 320, currency: "CAD" }],
  });
  const { data } = await quoted(entry);
  expect(data.length).toBeGreaterThan(0);
  const cents = (amount: number) => Math.round(amount * 100);
  for (const rate of data) {
    const surcharges = rate.surcharges.reduce((sum, { amount }) => sum + cents(amount), 0);
    const chosen = rate.add_ons.filter(({ selected }) => selected);
    const addOns = chosen.reduce((sum, { price }) => sum + cents(price.subtotal), 0);
    expect(cents(rate.base_rate) + surcharges + addOns).toBe(cents(rate.subtotal));
    expect(rate.taxes.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(cents(rate.tax));
    expect(cents(rate.subtotal) + cents(rate.tax)).toBe(cents(rate.total));
    expect(chosen.map(({ code }) => code)).toContain("signature");
    expect(rate).not.toHaveProperty("tier_pricing");
  }
});

test("add-ons bought on the label call cost the rate's price", async () => {
  const entry = aShipment({ packages: [{ ...parcel, declared_value: 500, currency: "CAD" }] });
  const { id } = await account.create(entry);
  const { data } = await account.rates(id);
  const rate = data.find((each) => each.add_ons.some(({ code }) => code === "protection"))!;
  const protection = rate.add_ons.find(({ code }) => code === "protection")!;
  expect(protection.price.subtotal).toBe(7.5);
  const body = { rate_id: rate.id, add_ons: ["protection"] };
  const purchase = await account.bought(id, body);
  expect(purchase.cost!.total).toBeCloseTo(rate.total + protection.price.total, 2);
  expect(await account.show(id)).toMatchObject({ add_ons: ["protection"] });
});

test("the price guard refuses a more expensive purchase and buys at or below the expected total", async () => {
  const { id } = await account.create(aShipment());
  const { data } = await account.rates(id);
  const { service, total } = data[0]!;
  const before = await account.balanceCents();
  const expected_total = Number((total - 0.01).toFixed(2));
  const refused = await account.buy(id, { service, expected_total });
  expect(outcomeOf(refused)).toBe("409 rate_changed");
  expect((refused.body as unknown as Failure).error.details).toMatchObject({
    expected_total,
    total,
  });
  expect(await account.balanceCents()).toBe(before);
  const purchase = await account.bought(id, { service, expected_total: total });
  expect(purchase.cost!.total).toBe(total);
});

test("tiers show the price that the account would pay there, from stored costs", async () => {
  const shop = await anAccount(world);
  const plain = must(await shop.post<Rates>("/rates", aShipment()), 200);
  const settings = `/accounts/${shop.account_id}/settings`;
  must(await world.operator.patch(settings, { show_tier_rates_api: true }), 200);
  const before = await carrierCalls();
  const { data } = must(await shop.post<Rates>("/rates", aShipment()), 200);
  const after = await carrierCalls();
  // One quote for each carrier, as without tiers.
  expect(after - before).toBe(new Set(allCarriers(plain)).size);
  expect(data.map(({ service, total }) => ({ service, total }))).toEqual(
    plain.data.map(({ service, total }) => ({ service, total })),
  );
  for (const rate of data) {
    const { retail, enterprise } = rate.tier_pricing!;
    expect(retail.total).toBeGreaterThan(rate.total);
    expect(enterprise.total).toBeLessThan(rate.total);
    const { tier_pricing: _tiers, ...primary } = rate;
    expect(Object.keys(retail).toSorted()).toEqual(Object.keys(primary).toSorted());
  }
  const { id } = await shop.create(aShipment());
  const offered = (await shop.rates(id)).data[0]!;
  const purchase = await shop.bought(id, { rate_id: offered.tier_pricing!.enterprise.id });
  expect(purchase.cost!.total).toBe(offered.total);
});

function allCarriers({ data, meta }: Rates): string[] {
  const asked = meta.excluded_services.filter(
    ({ reason }) => reason === "carrier_error" || reason === "no_rate_for_lane",
  );
  return [...data.map((rate) => rate.carrier.code), ...asked.map(({ carrier }) => carrier)];
}

/** The figures of `/metrics`, over all carriers and operations. */
async function carrierCalls(): Promise<number> {
  const text = await (await fetch(`${world.url}/metrics`)).text();
  const lines = text.matchAll(/^waybill_carrier_calls_total\{[^}]*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

test("the charge is the quoted price, for every service on offer", async () => {
  const { data } = await quoted(aShipment());
  const bought = await Promise.all(
    data.map(async ({ service, total }) => {
      const { id } = await account.create(aShipment());
      const purchase = await account.bought(id, { service });
      expect(purchase.cost!.total).toBe(total);
      return purchase.tracking_code!;
    }),
  );
  expect(new Set(bought).size).toBe(data.length);
  const codes = (await readJournal(world)).map(({ tracking_code }) => tracking_code);
  expect(codes).toEqual(expect.arrayContaining(bought));
});
