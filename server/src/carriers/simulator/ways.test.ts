import { afterEach, expect, test } from "vitest";
import { manualClock } from "../../domain/time/clock.ts";
import { asSeen } from "../carrier-traits-world.ts";
import { aPurchase, aQuote, context, sentLabel, toronto } from "../contract-samples-world.ts";
import { aSimulator, failureOf } from "../contract-world.ts";
import type { CarrierLabel, LabelRequest } from "../carrier.ts";
import { createCarriers } from "../register.ts";

/** The ways of real carriers that a shipment is steered to (decision 27), as a client sees them. */

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});
const noAbort = new AbortController().signal;

async function aWorld(code = "ups") {
  const clock = manualClock(new Date("2026-11-23T15:00:00Z"));
  const simulator = await aSimulator(clock);
  undo.push(() => simulator.close());
  const carrier = createCarriers({ simulator_url: simulator.url }).get(code);
  const purchase = async (steering: string) => {
    const quote = aQuote(carrier, steering);
    const { rates } = await carrier.quote({ ...quote, shipment: plain(quote.shipment) }, noAbort);
    return aPurchase(carrier, quote, rates[0]!);
  };
  const ref = (label: CarrierLabel, { reference }: LabelRequest) => ({
    ...label,
    context,
    reference,
  });
  const journal = async () => {
    const response = await fetch(`${simulator.url}/journal`);
    const { data } = (await response.json()) as { data: { operation: string }[] };
    return data.map(({ operation }) => operation);
  };
  return { clock, carrier, purchase, ref, journal };
}

/** Quotes are not steered here. */
const plain = <S extends { to_address: object }>(shipment: S): S => ({
  ...shipment,
  to_address: { ...shipment.to_address, address2: null },
});

test("lag: a lookup finds nothing for so long, and the label then", async () => {
  for (const code of ["ups", "day_ross"]) {
    const { carrier, purchase, clock } = await aWorld(code);
    const request = await purchase("sim:lag=*:90");
    const label = await carrier.buyLabel(request, noAbort);
    const find = () => carrier.lookUpLabel(sentLabel(request), noAbort);
    expect(await find()).toBeNull();
    clock.advance(89_000);
    expect(await find()).toBeNull();
    clock.advance(1_000);
    expect(await find()).toEqual(asSeen(label));
  }
});

test("late_file: the label is sold without its file, which can be fetched later", async () => {
  const { carrier, purchase, clock, ref } = await aWorld();
  const request = await purchase("sim:late_file=ups:30");
  const label = await carrier.buyLabel(request, noAbort);
  expect(label.files).toBe("pending");
  expect((await carrier.lookUpLabel(sentLabel(request), noAbort))!.files).toBe("fetch");
  const fetched = () => carrier.fetchFiles(ref(label, request), "pdf", noAbort);
  expect(await failureOf(fetched())).toMatchObject({ kind: "refused", carrier_code: "no_file" });
  clock.advance(30_000);
  expect((await fetched()).map(({ type, format }) => [type, format])).toEqual([["label", "pdf"]]);
});

test("late_price: neither the purchase nor a lookup tells what it costs", async () => {
  const { carrier, purchase } = await aWorld();
  const request = await purchase("sim:late_price=*");
  expect((await carrier.buyLabel(request, noAbort)).cost).toBeNull();
  expect((await carrier.lookUpLabel(sentLabel(request), noAbort))!.cost).toBeNull();
});

test("empty_ok: the purchase is committed, and its answer says nothing", async () => {
  for (const code of ["ups", "day_ross"]) {
    const { carrier, purchase } = await aWorld(code);
    const request = await purchase("sim:empty_ok=*");
    expect((await failureOf(carrier.buyLabel(request, noAbort))).kind).toBe("unknown");
    expect(await carrier.lookUpLabel(sentLabel(request), noAbort)).not.toBeNull();
  }
});

test("refuse_in_ok: a refusal in the carrier's own form is one, whatever its status", async () => {
  const { carrier, purchase, journal } = await aWorld();
  const failure = await failureOf(
    carrier.buyLabel(await purchase("sim:refuse_in_ok=ups"), noAbort),
  );
  expect(failure).toMatchObject({ kind: "refused", carrier_code: "shipment_refused" });
  expect(await journal()).toEqual([]);
});

test("token_expired: the carrier's own answer proves that nothing was done, so the call is made once more", async () => {
  for (const code of ["ups", "day_ross"]) {
    const { carrier, purchase, journal } = await aWorld(code);
    await carrier.buyLabel(await purchase("sim:token_expired=*"), noAbort);
    expect(await journal()).toHaveLength(1);
  }
});

test("throttle: quotes and purchases are refused as too many", async () => {
  const { carrier, purchase, journal } = await aWorld();
  const throttled = { kind: "refused", exclusion: "carrier_rate_limited" };
  expect(
    await failureOf(carrier.quote(aQuote(carrier, "sim:throttle=ups"), noAbort)),
  ).toMatchObject(throttled);
  const request = await purchase("sim:throttle=ups");
  expect(await failureOf(carrier.buyLabel(request, noAbort))).toMatchObject(throttled);
  expect(await journal()).toEqual([]);
});

test("no_void: what was bought cannot be voided", async () => {
  for (const code of ["ups", "day_ross"]) {
    const { carrier, purchase, ref } = await aWorld(code);
    const request = await purchase("sim:no_void=*");
    const label = await carrier.buyLabel(request, noAbort);
    const failure = await failureOf(carrier.voidLabel(ref(label, request), noAbort));
    expect(failure).toMatchObject({ kind: "refused", carrier_code: "void_not_offered" });
  }
});

test("shared_pickup: an address has one number a day, and a cancellation ends all under it", async () => {
  const { carrier, journal } = await aWorld();
  const { pickups } = carrier;
  const ask = (nth: number, date = "2026-11-24") => ({
    context,
    reference: `ref_shared_${nth}`,
    references: { account_id: "acc_1", pickup_id: `pku_${nth}`, idempotency_key: null },
    address: { ...toronto, address2: "sim:shared_pickup=*" },
    contact: { name: "Ada Byron", phone: null, email: null },
    date,
    ready_time: "09:00",
    close_time: "17:00",
    instructions: null,
    tracking_codes: ["1Z999"],
    package_count: 1,
    weight_grams: 2_000,
    expected_fee: { amount_cents: carrier.descriptor.pickups!.fee_cents["CAD"]!, currency: "CAD" },
  });
  const [one, other] = [
    await pickups!.schedule(ask(1), noAbort),
    await pickups!.schedule(ask(2), noAbort),
  ];
  expect(one).toMatchObject({ shared: true, date: "2026-11-24" });
  expect(other.confirmation_number).toBe(one.confirmation_number);
  const next = await pickups!.schedule(ask(3, "2026-11-25"), noAbort);
  expect(next.confirmation_number).not.toBe(one.confirmation_number);
  await pickups!.cancel({ context, reference: "ref_shared_1", ...one }, noAbort);
  expect((await journal()).filter((operation) => operation === "pickup_cancel")).toHaveLength(2);
});
