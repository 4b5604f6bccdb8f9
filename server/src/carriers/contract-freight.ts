import { expect, test } from "vitest";
import type { Accessorial } from "../domain/goods/freight.ts";
import type { Carrier, CarrierRate, QuoteRequest } from "./carrier.ts";
import { asSeen } from "./carrier-traits-world.ts";
import {
  aPurchase,
  aQuote,
  context,
  costOf,
  sentLabel,
  someFreight,
} from "./contract-samples-world.ts";
import { failureOf } from "./contract-world.ts";

/** The part of the contract for carriers of freight: see `contract.ts`. Buying is booking, voiding is cancelling. */
export function freightContract(theCarrier: () => Carrier): void {
  pricing(theCarrier);
  booking(theCarrier);
  cancelling(theCarrier);
}

const noAbort = new AbortController().signal;

/** The rate of the first service for freight that needs these accessorials at its delivery. */
async function rateWith(carrier: Carrier, accessorials: Accessorial[], steering?: string) {
  const quote = aQuote(carrier, steering);
  const freight = someFreight();
  freight.delivery.accessorials = accessorials;
  const request = { ...quote, shipment: { ...quote.shipment, freight } };
  const { rates } = await carrier.quote(request, noAbort);
  return { request, rate: rates[0]! };
}

async function book(carrier: Carrier, steering?: string) {
  const { request, rate } = await rateWith(carrier, [], steering);
  const purchase = aPurchase(carrier, request, rate);
  return { purchase, booked: await carrier.buyLabel(purchase, noAbort) };
}

function pricing(theCarrier: () => Carrier): void {
  test("an accessorial adds its own line to the price, and nothing else", async () => {
    const carrier = theCarrier();
    const plain = await rateWith(carrier, []);
    for (const code of ["liftgate_delivery", "notify_before_delivery"] as const) {
      const { rate } = await rateWith(carrier, [code]);
      const line = rate.surcharges.find((surcharge) => surcharge.code === code)!;
      expect(line.amount_cents).toBeGreaterThan(0);
      expect(costOf(rate)).toBe(costOf(plain.rate) + line.amount_cents);
      expect(rate.freight?.accessorials).toEqual([code]);
    }
  });

  test("an accessorial that a service lacks makes it unavailable, not cheaper", async () => {
    const carrier = theCarrier();
    const missing = carrier.descriptor.services.find(
      (service) => "accessorials" in service && !service.accessorials.includes("hazmat"),
    )!;
    const { request } = await rateWith(carrier, ["hazmat"]);
    const { rates, unavailable } = await carrier.quote(request, noAbort);
    expect(rates.map(({ service }) => service)).not.toContain(missing.code);
    expect(unavailable).toContainEqual(
      expect.objectContaining({ service: missing.code, reason: "accessorial_not_supported" }),
    );
  });
}

function booking(theCarrier: () => Carrier): void {
  test("a booking has its carrier's numbers, and no file", async () => {
    const carrier = theCarrier();
    const { booked } = await book(carrier);
    const { confirmation_number, bol_number, pro_number } = booked.booking!;
    expect(confirmation_number).toMatch(/^[A-Z]{2,3}\d{8}$/);
    expect(bol_number).toMatch(/^\d{8,9}$/);
    expect(booked.tracking_code).toBe(pro_number ?? confirmation_number);
    expect([booked.package_tracking_codes, booked.files]).toEqual([[], []]);
    const other = (await book(carrier)).booked;
    expect(other.booking!.confirmation_number).not.toBe(confirmation_number);
    expect(other.booking!.bol_number).not.toBe(bol_number);
  });

  const refusals: [string, (quote: { request: QuoteRequest; rate: CarrierRate }) => object][] = [
    ["a quote that was never given", () => ({ quote_number: "Q123456-0123456789" })],
    ["a quote for lighter freight", ({ request }) => ({ shipment: heavier(request) })],
    ["a quote for freight to somewhere nearer", ({ request }) => ({ shipment: farther(request) })],
  ];
  test.each(refusals)("%s is refused, and nothing is booked", async (_name, change) => {
    const carrier = theCarrier();
    const quote = await rateWith(carrier, []);
    const purchase = aPurchase(carrier, quote.request, quote.rate);
    const failure = await failureOf(carrier.buyLabel({ ...purchase, ...change(quote) }, noAbort));
    expect(failure).toMatchObject({ kind: "refused", carrier_code: "quote_unknown" });
    expect(await carrier.lookUpLabel(sentLabel(purchase), noAbort)).toBeNull();
  });
}

function heavier({ shipment }: QuoteRequest): QuoteRequest["shipment"] {
  const [unit, ...rest] = shipment.freight!.handling_units;
  const handling_units = [{ ...unit!, weight: unit!.weight * 4 }, ...rest];
  return { ...shipment, freight: { ...shipment.freight!, handling_units } };
}

function farther({ shipment }: QuoteRequest): QuoteRequest["shipment"] {
  const to_address = { ...shipment.to_address, city: "Victoria", postal_code: "V8W 1P6" };
  return { ...shipment, to_address };
}

function cancelling(theCarrier: () => Carrier): void {
  test.each([
    ["before the day of the pickup is free", undefined, 0],
    ["on the day of the pickup costs a part of the price", "sim:cancel_fee", 1],
  ])(
    "cancelling %s, the same twice, and a lookup reports it afterwards",
    async (_name, steering, least) => {
      const carrier = theCarrier();
      const { purchase, booked } = await book(carrier, steering);
      const { reference } = purchase;
      const cancel = () => carrier.voidLabel({ ...booked, context, reference }, noAbort);
      const first = await cancel();
      const { carrier_confirmation, fee_cents } = first.cancellation!;
      expect(first.refund).toBe("approved");
      expect(carrier_confirmation).toMatch(/^[A-Z]{3}\d{8}$/);
      expect(fee_cents).toBeGreaterThanOrEqual(least);
      expect(fee_cents).toBeLessThanOrEqual(least * (booked.cost!.amount_cents - 1));
      expect(await cancel()).toEqual(first);
      const found = await carrier.lookUpLabel(sentLabel(purchase), noAbort);
      const { cancellation } = first;
      expect(found).toEqual({ ...asSeen(booked), state: "voided", cancellation });
    },
  );

  test("freight that was picked up cannot be cancelled, and the booking stands", async () => {
    const carrier = theCarrier();
    const { purchase, booked } = await book(carrier, "sim:used_label");
    const { reference } = purchase;
    const failure = await failureOf(carrier.voidLabel({ ...booked, context, reference }, noAbort));
    expect(failure).toMatchObject({ kind: "refused", carrier_code: "picked_up" });
    expect(await carrier.lookUpLabel(sentLabel(purchase), noAbort)).toMatchObject({
      state: "live",
    });
  });

  test("a cancellation whose response is lost is unknown, and is found afterwards", async () => {
    const carrier = theCarrier();
    const { request, rate } = await rateWith(carrier, [], "sim:lost_answer");
    const purchase = aPurchase(carrier, request, rate);
    await failureOf(carrier.buyLabel(purchase, noAbort));
    const { reference } = purchase;
    const booked = (await carrier.lookUpLabel(sentLabel(purchase), noAbort))!;
    const cancel = () => carrier.voidLabel({ ...booked, context, reference }, noAbort);
    expect((await failureOf(cancel())).kind).toBe("unknown");
    const found = await carrier.lookUpLabel(sentLabel(purchase), noAbort);
    expect(found).toMatchObject({ state: "voided" });
    expect(await cancel()).toMatchObject({ cancellation: found!.cancellation });
  });
}
