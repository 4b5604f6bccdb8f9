import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf, type DataOf, type Shipment } from "../client.ts";
import { aFreight, shop } from "../freight-shipments.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import { aPlatform, anAccount, must, type World } from "../world.ts";

/** Freight with the catalogue's carriers behind real HTTP: their journal is the witness of the books. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

const opening = 500_000;
const aShipper = () => anAccount(world, { balance_cents: opening });
const steered = (steering: string) => aFreight({ to_address: { ...shop, address2: steering } });
const cancel = (account: Awaited<ReturnType<typeof aShipper>>, id: string) =>
  account.post<DataOf<{ shipment: Shipment; cancellation: { fee: number } }>>(`/ltl/${id}/cancel`);

test("create → quotes of three carriers → book → cancel, and the books agree with the carrier's journal", async () => {
  const account = await aShipper();
  const { id } = await account.create(aFreight());
  const { data: quotes, meta } = await account.rates(id);
  expect(new Set(quotes.map((quote) => quote.carrier.code))).toEqual(
    new Set(["tforce_freight", "day_ross", "manitoulin"]),
  );
  const services = [...quotes, ...meta.excluded_services].map(({ service }) => service);
  expect(new Set(services).size).toBe(services.length);
  expect(quotes.map(({ total }) => total)).toEqual(
    quotes.map(({ total }) => total).toSorted((a, b) => a - b),
  );
  for (const quote of quotes) {
    expect(quote.quote_number).toMatch(/\S/);
    expect(quote.transit_days).toBe(quote.estimated_delivery_days);
  }

  const booked = await account.bought(id, { rate_id: quotes.at(-1)!.id });
  expect(booked.cost!.total).toBe(quotes.at(-1)!.total);
  expect(booked.documents).toHaveLength(2);
  await assertInvariants(world);

  const { data } = must(await cancel(account, id), 200);
  const paid = Math.round(booked.cost!.total * 100);
  const fee = Math.round(data.cancellation.fee * 100);
  expect(data.shipment.refund!.amount).toBeCloseTo((paid - fee) / 100, 2);
  expect(await account.balanceCents()).toBe(opening - fee);
  const operations = (await readJournal(world)).map(({ operation }) => operation);
  expect(operations).toEqual(["ltl_booking", "ltl_cancel"]);
  await assertInvariants(world);
});

test("each carrier's freight is booked and called off", async () => {
  const account = await aShipper();
  const { data: quotes } = await account.rates((await account.create(aFreight())).id);
  const byCarrier = Map.groupBy(quotes, (quote) => quote.carrier.code);
  for (const [code, [quote]] of byCarrier) {
    const { id } = await account.create(aFreight());
    await account.bought(id, { service: quote!.service });
    expect((await account.show(id)).carrier!.code).toBe(code);
    must(await cancel(account, id), 200);
  }
  await assertInvariants(world);
});

test("a booking that nobody heard of, and its cancelling that nobody heard of, are found", async () => {
  const account = await aShipper();
  const { id } = await account.create(steered("sim:lost_answer"));
  expect(outcomeOf(await account.buy(id))).toBe("409 purchase_pending");
  await assertInvariants(world);
  expect((await account.show(id)).status).toBe("booked");
  expect(outcomeOf(await cancel(account, id))).toBe("409 purchase_pending");
  await assertInvariants(world);
  expect((await account.show(id)).status).toBe("cancelled");
  must(await cancel(account, id), 200);
});

test.each([
  ["sim:refuse", "502 carrier_error"],
  ["sim:price_up", "409 rate_changed"],
])("a booking under %s is %s and costs nothing", async (steering, outcome) => {
  const account = await aShipper();
  const { id } = await account.create(steered(steering));
  expect(outcomeOf(await account.buy(id))).toBe(outcome);
  expect((await account.show(id)).status).toBe("draft");
  expect(await account.balanceCents()).toBe(opening);
  await assertInvariants(world);
});
