import { afterEach, expect, test } from "vitest";
import { manualClock } from "../../../domain/time/clock.ts";
import type { Carrier, LabelRequest } from "../../carrier.ts";
import { asSeen } from "../../carrier-traits-world.ts";
import { aPurchase, aQuote, context, sentLabel } from "../../contract-samples-world.ts";
import { aSimulator, failureOf } from "../../contract-world.ts";
import { createCarriers } from "../../register.ts";
import type { Entry } from "../journal.ts";
import { startSimulator } from "../simulator.ts";

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const noAbort = new AbortController().signal;

/** Saturday noon in Toronto; bookings made here are picked up there on Tuesday, from nine to five. */
const saturday = new Date("2026-11-21T17:00:00Z");
const tuesday = (time: string) => new Date(`2026-11-24T${time}:00-05:00`);

async function aWorld(carrierCode = "day_ross") {
  const clock = manualClock(saturday);
  const simulator = await aSimulator(clock);
  undo.push(() => simulator.close());
  const carrier = createCarriers({ simulator_url: simulator.url }).get(carrierCode);
  return {
    ...simulator,
    clock,
    carrier,
    at: (moment: Date) => clock.advance(moment.getTime() - clock.now().getTime()),
    book: (steering: string | null = null) => book(carrier, steering),
    journal: async () =>
      ((await (await fetch(`${simulator.url}/journal`)).json()) as { data: Entry[] }).data,
  };
}

async function aBooking(carrier: Carrier, steering: string | null = null) {
  const quote = aQuote(carrier, steering);
  const freight = quote.shipment.freight!;
  const pickup = { ...freight.pickup, date: "2026-11-24" };
  const shipment = { ...quote.shipment, freight: { ...freight, pickup } };
  const { rates } = await carrier.quote({ ...quote, shipment }, noAbort);
  return aPurchase(carrier, { ...quote, shipment }, rates[0]!);
}

async function book(carrier: Carrier, steering: string | null) {
  const purchase = await aBooking(carrier, steering);
  const booked = await carrier.buyLabel(purchase, noAbort);
  const { reference } = purchase;
  return {
    reference,
    booked,
    purchase,
    find: () => carrier.lookUpLabel(sentLabel(purchase), noAbort),
    cancel: () => carrier.voidLabel({ ...booked, context, reference }, noAbort),
    track: async () => {
      const { tracking_code, carrier_data } = booked;
      const tracked = await carrier.track({ context, tracking_code, carrier_data }, noAbort);
      return tracked!.events.map(({ status }) => status);
    },
  };
}

test("a quote is valid for twenty-four hours, and not for twenty-five", async () => {
  const { carrier, clock } = await aWorld();
  const purchases = [await aBooking(carrier), await aBooking(carrier)];
  clock.advance(24 * 3_600_000);
  await carrier.buyLabel(purchases[0]!, noAbort);
  clock.advance(3_600_000);
  const failure = await failureOf(carrier.buyLabel(purchases[1]!, noAbort));
  expect(failure).toMatchObject({ kind: "refused", carrier_code: "quote_expired" });
});

test("a quote of another carrier or of another journal is refused", async () => {
  const { carrier } = await aWorld();
  const elsewhere = await aWorld();
  const foreign = await aBooking(elsewhere.carrier);
  const failure = await failureOf(carrier.buyLabel(foreign, noAbort));
  expect(failure).toMatchObject({ kind: "refused", carrier_code: "quote_unknown" });
});

test.each([
  ["until the day", new Date("2026-11-23T23:59:00-05:00"), 0],
  ["on the day, before it is ready", tuesday("08:59"), 45_00],
  ["once the truck is on its way", tuesday("09:00"), 125_00],
  ["just before the window ends", tuesday("16:59"), 125_00],
])("cancelling %s costs what the table says", async (_name, moment, fee_cents) => {
  const { book, at } = await aWorld();
  const { cancel, booked } = await book();
  at(moment);
  expect((await cancel()).cancellation).toMatchObject({ fee_cents });
  expect(booked.cost!.currency).toBe("CAD");
});

test("from the end of its window on the freight has been picked up, and is in transit", async () => {
  const { book, at } = await aWorld("manitoulin");
  const { cancel, find, track } = await book();
  expect((await find())!.booking!.pro_number).toBeNull();
  expect(await track()).toEqual(["pre_transit"]);
  at(tuesday("16:59"));
  expect(await track()).toEqual(["pre_transit"]);
  at(tuesday("17:00"));
  expect(await failureOf(cancel())).toMatchObject({ kind: "refused", carrier_code: "picked_up" });
  expect(await track()).toEqual(["accepted", "pre_transit"]);
  const { booking, tracking_code } = (await find())!;
  expect(booking!.pro_number).toMatch(/^55\d{8}$/);
  expect(tracking_code).toBe(booking!.pro_number);
  at(tuesday("17:10"));
  expect((await track())[0]).toBe("delivered");
});

test("a cancelled booking is not picked up", async () => {
  const { book, at } = await aWorld("manitoulin");
  const { cancel, find, track } = await book();
  const first = await cancel();
  at(tuesday("18:00"));
  expect(await cancel()).toEqual(first);
  expect((await find())!.booking!.pro_number).toBeNull();
  expect(await track()).toEqual(["cancelled", "pre_transit"]);
});

test("a fee is in the booking's currency, and never more than the price", async () => {
  const { carrier, at } = await aWorld("tforce_freight");
  const purchase = await aBooking(carrier);
  const booked = await carrier.buyLabel(purchase, noAbort);
  at(tuesday("10:00"));
  const { reference } = purchase;
  const { cancellation } = await carrier.voidLabel({ ...booked, context, reference }, noAbort);
  expect(cancellation!.fee_cents).toBe(Math.round(150_00 * 1.37));
  expect(cancellation!.fee_cents).toBeLessThan(booked.cost!.amount_cents);
});

test("bookings and cancellations are in the journal under their reference, and quotes are not", async () => {
  const { carrier, journal } = await aWorld();
  const purchase = await aBooking(carrier, "sim:lost_answer;cancel_fee");
  await failureOf(carrier.buyLabel(purchase, noAbort));
  await failureOf(carrier.buyLabel(await aBooking(carrier, "sim:refuse"), noAbort));
  const { reference, expected_cost } = purchase;
  const found = (await carrier.lookUpLabel(sentLabel(purchase), noAbort))!;
  const cancel = () => carrier.voidLabel({ ...found, context, reference }, noAbort);
  await failureOf(cancel());
  await cancel();
  const data = await journal();
  const shared = { carrier: "day_ross", reference, tracking_code: found.tracking_code };
  const price = expected_cost.amount_cents;
  expect(data).toMatchObject([
    { ...shared, sequence: 1, operation: "ltl_booking", amount_cents: price },
    { ...shared, sequence: 2, operation: "ltl_cancel", fee_cents: 45_00, currency: "CAD" },
  ]);
  expect(data).toHaveLength(2);
  expect(data[0]).not.toHaveProperty("request");
});

test("a restart knows every booking, and issues no number twice", async () => {
  const world = await aWorld();
  const [kept, gone] = [await world.book(), await world.book("sim:cancel_fee")];
  const cancelled = await gone.cancel();
  await world.close();
  const { journal_path, clock } = world;
  const again = await startSimulator({ host: "127.0.0.1", port: 0, journal_path, clock });
  undo.push(() => again.close());
  const carrier = createCarriers({ simulator_url: again.url }).get("day_ross");
  const find = (purchase: LabelRequest) => carrier.lookUpLabel(sentLabel(purchase), noAbort);
  expect(await find(kept.purchase)).toEqual(asSeen(kept.booked));
  const { cancellation } = cancelled;
  expect(await find(gone.purchase)).toEqual({
    ...asSeen(gone.booked),
    state: "voided",
    cancellation,
  });
  const next = await book(carrier, null);
  const numbers = [kept, gone, next].map(({ booked }) => booked.booking!.confirmation_number);
  expect(new Set(numbers).size).toBe(3);
});

test("parcels are no freight and freight is no parcel, and hostile requests commit nothing", async () => {
  const { url, journal } = await aWorld();
  const headers = {
    authorization: "Bearer sim_test_acc_1",
    "content-type": "application/json",
  };
  const post = (path: string, body: string) =>
    fetch(`${url}/carriers/${path}`, { method: "POST", headers, body });
  const requests: [number, Promise<Response>][] = [
    [404, fetch(`${url}/carriers/day_ross/labels?reference=r`, { headers })],
    [404, fetch(`${url}/carriers/ups/freight/bookings?reference=r`, { headers })],
    [404, fetch(`${url}/carriers/__proto__/freight/bookings?reference=r`, { headers })],
    [404, post("day_ross/freight/bookings/none/cancel", '{"reference": "r"}')],
    [422, post("day_ross/freight/bookings/none/cancel", "{}")],
    [422, post("day_ross/freight/bookings", "{}")],
    [422, post("day_ross/freight/quotes", `${"[".repeat(50_000)}${"]".repeat(50_000)}`)],
    [401, fetch(`${url}/carriers/day_ross/freight/bookings?reference=r`)],
  ];
  for (const [status, request] of requests) expect((await request).status).toBe(status);
  expect(await journal()).toEqual([]);
});
