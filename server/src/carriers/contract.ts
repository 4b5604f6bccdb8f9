import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TrackingStatus } from "../domain/shipments/shipment-status.ts";
import { byTime } from "../domain/shipments/tracking.ts";
import type { Carrier, CarrierLabel, CarrierRate, LabelFile } from "./carrier.ts";
import { aBrokenParty, garbage } from "./broken-party-world.ts";
import { inContext, simulatorTraits, type CarrierTraits } from "./carrier-traits-world.ts";
import { aPurchase, aQuote, context, sentLabel } from "./contract-samples-world.ts";
import { aSimulator, failureOf, listAll } from "./contract-world.ts";
import { freightContract } from "./contract-freight.ts";
import { manifestContract } from "./contract-manifests.ts";
import { pickupContract } from "./contract-pickups.ts";
import { itineraryKinds, type ItineraryKind } from "./simulator/itineraries/itinerary.ts";
import type { Simulator } from "./simulator/simulator.ts";
import type { CarrierTrackingEvent } from "./tracking.ts";

/**
 * The contract of every carrier adapter, as tests. A carrier's own test file calls this with how to
 * make it for a given address; the other end is the simulator, over real HTTP, or a broken server.
 */
export function carrierContract(
  makeOne: (url: string) => Carrier,
  traits: CarrierTraits = simulatorTraits,
): void {
  const makeCarrier = (url: string) => inContext(makeOne(url), traits.context);
  const { name, mode } = makeCarrier("http://127.0.0.1").descriptor;
  let simulator: Simulator;
  let carrier: Carrier;
  beforeAll(async () => {
    simulator = await aSimulator(undefined, traits.dialects);
    carrier = makeCarrier(simulator.url + traits.path);
  });
  afterAll(() => simulator.close());

  describe(`${name} quotes`, () => quoting(() => carrier, traits));
  describe(`${name} issues and voids`, () => buying(() => carrier, traits));
  describe(`${name} tracks`, () => tracking(() => ({ carrier, simulator }), traits));
  describe(`${name} reports failures truthfully`, () =>
    failing(() => carrier, makeCarrier, traits));
  if (mode === "ltl") describe(`${name} hauls freight`, () => freightContract(() => carrier));
  else describe(`${name} issues labels`, () => labelling(() => carrier, traits));
  pickupContract(() => carrier, makeCarrier, traits);
  manifestContract(() => carrier, makeCarrier, traits);
}

const unknownCode = { context, tracking_code: "1", carrier_data: null };
const noAbort = new AbortController().signal;

async function aRate(carrier: Carrier, steering: string | null = null) {
  const quote = aQuote(carrier, steering);
  const { rates } = await carrier.quote(quote, noAbort);
  return { quote, rate: rates[0]!, purchase: aPurchase(carrier, quote, rates[0]!) };
}

function quoting(theCarrier: () => Carrier, traits: CarrierTraits): void {
  test("every requested service is returned exactly once, and several have a rate", async () => {
    const carrier = theCarrier();
    const { rates, unavailable } = await carrier.quote(aQuote(carrier), noAbort);
    const answered = [...rates, ...unavailable].map(({ service }) => service).sort();
    expect(answered).toEqual(carrier.descriptor.services.map(({ code }) => code).sort());
    expect(rates.length).toBeGreaterThanOrEqual(2);
  });

  test("prices are whole cents above zero, in the requested currency or the carrier's own, and the same each time", async () => {
    const carrier = theCarrier();
    const request = { ...aQuote(carrier), currency: "USD" };
    const { rates } = await carrier.quote(request, noAbort);
    for (const { base_cents, surcharges, add_ons, currency } of rates) {
      expect(currency).toBe(traits.currency ?? "USD");
      expect(base_cents).toBeGreaterThan(0);
      const extras = add_ons.map(({ cost_cents }) => cost_cents);
      // A surcharge may be a discount, but no price is below zero for it.
      const lines = surcharges.map((line) => line.amount_cents);
      expect([base_cents, ...lines, ...extras].every(Number.isInteger)).toBe(true);
      const sum = lines.reduce((so_far, cents) => so_far + cents, base_cents);
      expect([sum, ...extras].every((cents) => cents >= 0)).toBe(true);
    }
    const prices = (all: typeof rates) => all.map(({ freight: _number, ...price }) => price);
    const again = await carrier.quote(request, noAbort);
    expect(prices(again.rates)).toEqual(prices(rates));
  });

  test("a lane without coverage is unavailable, not an error", async () => {
    const carrier = theCarrier();
    const { rates, unavailable } = await carrier.quote(aQuote(carrier, "sim:no_lane=*"), noAbort);
    expect(rates).toEqual([]);
    expect(unavailable.map(({ reason }) => reason)).toContain("no_rate_for_lane");
  });
}

function buying(theCarrier: () => Carrier, traits: CarrierTraits): void {
  test("a label is bought, found by its reference, voided, and found void", async () => {
    const carrier = theCarrier();
    const { purchase } = await aRate(carrier);
    const label = await carrier.buyLabel(purchase, noAbort);
    expect(label.cost).toEqual(purchase.expected_cost);

    const { reference } = purchase;
    const find = () => carrier.lookUpLabel(sentLabel(purchase), noAbort);
    expect(await find()).toEqual(traits.seen(label));
    const ref = { ...label, context, reference };
    expect(await carrier.refundState(ref, noAbort)).toBe("none");

    const request = { ...label, context, reference };
    const first = await carrier.voidLabel(request, noAbort);
    expect(["approved", "pending"]).toContain(first.refund);
    expect(await carrier.voidLabel(request, noAbort)).toEqual(first);
    const { cancellation } = first;
    const after = { state: "voided", ...(cancellation && { cancellation }) };
    if (!traits.shows_voids) return;
    expect(await find()).toEqual({ ...traits.seen(label), ...after });
    expect(await carrier.refundState(ref, noAbort)).toBe("approved");
  });

  test("labels are listed with their references from when they were bought or voided on", async () => {
    const carrier = theCarrier();
    if (!carrier.descriptor.listsLabels) return;
    const { purchase } = await aRate(carrier);
    const { reference, references, service } = purchase;
    const list = async (since: Date, environment: "live" | "test" = "test") => {
      const { labels } = await listAll(carrier, { environment, since });
      return labels.filter((label) => label.reference === reference);
    };
    const before = new Date();
    const label = await carrier.buyLabel(purchase, noAbort);
    const expected = {
      reference,
      references,
      carrier_label_id: label.carrier_label_id,
      tracking_code: label.tracking_code,
      carrier_service_code: service.carrier_service_code,
      add_ons: [],
      label_format: "pdf",
      cost: label.cost,
      voided: false,
      refund: "none",
    };
    expect(await list(before)).toEqual([{ ...expected, bought_at: expect.any(Date) as Date }]);
    expect(await list(before, "live")).toEqual([]);
    const after = new Date((await list(before))[0]!.bought_at.getTime() + 1);
    await expect.poll(() => Date.now()).toBeGreaterThan(after.getTime());
    expect(await list(after)).toEqual([]);
    await carrier.voidLabel({ ...label, context, reference }, noAbort);
    expect(await list(after)).toMatchObject([{ reference, voided: true }]);
  });

  test("an unknown reference finds nothing", async () => {
    const carrier = theCarrier();
    const { purchase } = await aRate(carrier);
    expect(await carrier.lookUpLabel(sentLabel(purchase), noAbort)).toBeNull();
  });

  test("a reference buys once: another purchase under it, concurrent or later, buys nothing and is to be looked up", async () => {
    const carrier = theCarrier();
    if (traits.sells_twice) return;
    const { purchase } = await aRate(carrier);
    const both = [carrier.buyLabel(purchase, noAbort), carrier.buyLabel(purchase, noAbort)];
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const failure = await failureOf(carrier.buyLabel(purchase, noAbort));
    expect(failure).toMatchObject({ kind: "unknown", carrier_code: "duplicate_reference" });
    const bought = outcomes.find((outcome) => outcome.status === "fulfilled")!.value;
    const found = await carrier.lookUpLabel(sentLabel(purchase), noAbort);
    expect(found?.tracking_code).toBe(bought.tracking_code);
  });

  test("a refused purchase buys nothing, and a more expensive one is refused or says what it cost", async () => {
    const carrier = theCarrier();
    for (const [steering, carrier_code] of [
      ["sim:refuse", "shipment_refused"],
      ["sim:price_up", "price_changed"],
    ] as const) {
      const { purchase } = await aRate(carrier, steering);
      if (steering === "sim:price_up" && carrier.descriptor.confirms_price === "after") {
        const { cost } = await carrier.buyLabel(purchase, noAbort);
        expect(cost!.amount_cents).toBeGreaterThan(purchase.expected_cost.amount_cents);
        continue;
      }
      const failure = await failureOf(carrier.buyLabel(purchase, noAbort));
      const code = traits.own_codes ? {} : { carrier_code };
      expect(failure).toMatchObject({ kind: "refused", ...code });
      expect(await carrier.lookUpLabel(sentLabel(purchase), noAbort)).toBeNull();
    }
  });

  test("the void of a label that was used is accepted as pending, and its refund is refused", async () => {
    const carrier = theCarrier();
    if (carrier.descriptor.mode === "ltl") return;
    for (const steering of ["sim:used_label", "sim:scan_after_void"]) {
      const { purchase } = await aRate(carrier, steering);
      const label = await carrier.buyLabel(purchase, noAbort);
      const ref = { ...label, context, reference: purchase.reference };
      expect(await carrier.voidLabel(ref, noAbort)).toEqual({ refund: "pending" });
      expect(await carrier.refundState(ref, noAbort)).toBe("rejected");
      const found = await carrier.lookUpLabel(sentLabel(purchase), noAbort);
      expect(["live", "unknown"]).toContain(found?.state);
    }
  });

  test("what shows that a voided label was used is no scan: the parcel is still announced", async () => {
    const carrier = theCarrier();
    if (carrier.descriptor.mode === "ltl") return;
    const { purchase } = await aRate(carrier, "sim:used_label");
    const label = await carrier.buyLabel(purchase, noAbort);
    await carrier.voidLabel({ ...label, context, reference: purchase.reference }, noAbort);
    const { tracking_code, carrier_data } = label;
    const tracking = await carrier.track({ context, tracking_code, carrier_data }, noAbort);
    const last = [...tracking!.events].sort(byTime).at(-1);
    expect(last?.status).toBe("pre_transit");
  });

  test("what a carrier does not void is refused, and the label lives", async () => {
    const carrier = theCarrier();
    const { purchase } = await aRate(carrier, "sim:no_void=*");
    const label = await carrier.buyLabel(purchase, noAbort);
    const ref = { ...label, context, reference: purchase.reference };
    expect((await failureOf(carrier.voidLabel(ref, noAbort))).kind).toBe("refused");
    expect(await carrier.refundState(ref, noAbort)).toBe("none");
  });

  test("voiding a label that is not there is refused", async () => {
    const request = {
      context,
      reference: "ref_never_used",
      carrier_label_id: "no such/label?",
      tracking_code: "1",
      carrier_data: null,
    };
    expect((await failureOf(theCarrier().voidLabel(request, noAbort))).kind).toBe("refused");
  });
}

function tracking(
  theWorld: () => { carrier: Carrier; simulator: Simulator },
  traits: CarrierTraits,
): void {
  /** A label whose itinerary is over, and its tracking. */
  const afterAll = async (steering: string | null) => {
    const { carrier, simulator } = theWorld();
    const { purchase } = await aRate(carrier, steering);
    const { tracking_code } = await carrier.buyLabel(purchase, noAbort);
    const before = await carrier.track({ context, tracking_code, carrier_data: null }, noAbort);
    await setAhead(simulator, aLongTimeSeconds);
    const after = await carrier.track({ context, tracking_code, carrier_data: null }, noAbort);
    expect(await carrier.track({ context, tracking_code, carrier_data: null }, noAbort)).toEqual(
      after,
    );
    await setAhead(simulator, 0);
    return { before: before!, after: after! };
  };
  const byAge = (events: readonly CarrierTrackingEvent[]) => [...events].sort(byTime);

  test("a label without scans is announced, and nothing else", async () => {
    const { before } = await afterAll(null);
    expect(before.events.map(({ status }) => status)).toEqual(["pre_transit"]);
  });

  test.each(itineraryKinds)(
    "the scenario %s comes to its end, in codes that the table knows",
    async (kind) => {
      const { before, after } = await afterAll(`sim:track=${kind}`);
      const statuses = byAge(after.events).map(({ status }) => status);
      expect(statuses).not.toContain("unknown");
      expect(statuses.slice(0, 2)).toEqual(["pre_transit", "accepted"]);
      expect(statuses.at(-1)).toBe(lastOf[kind]);
      expect(after.events).toEqual(expect.arrayContaining(before.events));
      for (const { description, location } of after.events) {
        expect(description).toBeTruthy();
        expect(location?.city).toBeTruthy();
      }
    },
  );

  test("a code that it never issued is unknown to it", async () => {
    const { carrier } = theWorld();
    expect(
      await carrier.track({ ...unknownCode, tracking_code: "no such/code?" }, noAbort),
    ).toBeNull();
  });

  test("a label that was scanned is not voided", async () => {
    const { carrier, simulator } = theWorld();
    const { purchase } = await aRate(carrier);
    const label = await carrier.buyLabel(purchase, noAbort);
    await setAhead(simulator, aLongTimeSeconds);
    const { reference } = purchase;
    const failure = await failureOf(carrier.voidLabel({ ...label, context, reference }, noAbort));
    const carrier_code = carrier.descriptor.mode === "ltl" ? "picked_up" : "label_scanned";
    const code = traits.own_codes ? {} : { carrier_code };
    expect(failure).toMatchObject({ kind: "refused", ...code });
    await setAhead(simulator, 0);
  });
}

/** All freight was picked up by then, too. */
const aLongTimeSeconds = 100 * 86_400;

const lastOf: Record<ItineraryKind, TrackingStatus> = {
  delivered: "delivered",
  delayed: "delivered",
  attempted: "attempted_delivery",
  pickup: "available_for_pickup",
  exception: "exception",
  returned: "return_to_sender",
  stuck: "in_transit",
};

/** Sets the clock of itineraries ahead of the real one. */
async function setAhead({ url }: Simulator, ahead_seconds: number): Promise<void> {
  const answer = await fetch(`${url}/clock`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ahead_seconds }),
  });
  expect(answer.status).toBe(200);
}

/** A courier's label, apart from its price. */
function labelling(theCarrier: () => Carrier, traits: CarrierTraits): void {
  test("protection of a parcel without a declared value has a price, at which it is bought", async () => {
    const carrier = theCarrier();
    const quote = aQuote(carrier);
    const packages = quote.shipment.packages.map((parcel) => ({ ...parcel, declared_value: null }));
    const asked = { ...quote, shipment: { ...quote.shipment, packages } };
    const { rates } = await carrier.quote(asked, noAbort);
    const priceOf = ({ add_ons }: CarrierRate) =>
      add_ons.find(({ code }) => code === "protection")?.cost_cents;
    const rate = rates.find((each) => priceOf(each) !== undefined)!;
    const purchase = aPurchase(carrier, asked, rate);
    const { amount_cents, currency } = purchase.expected_cost;
    const expected_cost = { amount_cents: amount_cents + priceOf(rate)!, currency };
    const add_ons = ["protection"] as const;
    const label = await carrier.buyLabel({ ...purchase, expected_cost, add_ons }, noAbort);
    expect(label.cost).toEqual(expected_cost);
  });

  test("each package has a tracking code of its own, on a label that prints", async () => {
    const carrier = theCarrier();
    const { quote, purchase } = await aRate(carrier);
    const { service } = purchase;
    const count = "max_packages" in service ? Math.min(3, service.max_packages) : 1;
    const packages = Array.from({ length: count }, () => quote.shipment.packages[0]!);
    const shipment = { ...quote.shipment, packages };
    const { rates } = await carrier.quote({ ...quote, shipment }, noAbort);
    const label: CarrierLabel = await carrier.buyLabel(
      aPurchase(carrier, { ...quote, shipment }, rates[0]!),
      noAbort,
    );
    expect(new Set(label.package_tracking_codes).size).toBe(count);
    expect(label.package_tracking_codes[0]).toBe(label.tracking_code);
    const files = label.files as LabelFile[];
    expect(files.length).toBeGreaterThan(0);
    for (const { bytes } of files) expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("the file of a label can be had again, the same each time", async () => {
    const carrier = theCarrier();
    const { purchase } = await aRate(carrier);
    const { reference } = purchase;
    const label = await carrier.buyLabel(purchase, noAbort);
    const ref = { ...label, context, reference };
    const first = await carrier.fetchFiles(ref, "pdf", noAbort);
    if (traits.same_file_again) expect(first).toEqual(label.files);
    expect(first.map(({ bytes }) => bytes.subarray(0, 5).toString())).toEqual(["%PDF-"]);
    expect(await carrier.fetchFiles(ref, "pdf", noAbort)).toEqual(first);
  });
}

function failing(
  theCarrier: () => Carrier,
  makeCarrier: (url: string) => Carrier,
  traits: CarrierTraits,
): void {
  test("a purchase whose response is lost is unknown, and is found afterwards", async () => {
    const carrier = theCarrier();
    const { purchase } = await aRate(carrier, "sim:lost_answer");
    expect((await failureOf(carrier.buyLabel(purchase, noAbort))).kind).toBe("unknown");
    const found = await carrier.lookUpLabel(sentLabel(purchase), noAbort);
    expect(found?.cost ?? purchase.expected_cost).toEqual(purchase.expected_cost);
    expect(found?.tracking_code).toBeTruthy();
  });

  test("a carrier without a listener is unreachable", async () => {
    const gone = await aBrokenParty(() => undefined);
    await gone.close();
    const { purchase } = await aRate(theCarrier());
    const failure = await failureOf(makeCarrier(gone.url).buyLabel(purchase, noAbort));
    expect(failure).toMatchObject({ kind: "unreachable", carrier_code: "connection" });
  });

  test("an abort ends a hung call within 250 ms and closes its socket", async () => {
    const hung = await aBrokenParty(
      (request, response) => void traits.beforehand(request, response),
    );
    const { quote, purchase } = await aRate(theCarrier());
    const carrier = makeCarrier(hung.url);
    for (const begin of [
      (signal: AbortSignal) => carrier.quote(quote, signal),
      (signal: AbortSignal) => carrier.buyLabel(purchase, signal),
      (signal: AbortSignal) => carrier.lookUpLabel(sentLabel(purchase), signal),
      (signal: AbortSignal) => carrier.track(unknownCode, signal),
    ]) {
      const abort = AbortSignal.timeout(30);
      const call = failureOf(begin(abort));
      await once(abort, "abort");
      const abortedAt = performance.now();
      const { kind, exclusion } = await call;
      expect(exclusion).toBe("carrier_timeout");
      // A carrier that is asked for a token or a price first may be given up before anything was sent.
      const asksFirst = traits.own_codes || traits.asks_before_buying;
      expect(asksFirst ? ["unknown", "unreachable"] : ["unknown"]).toContain(kind);
      expect(performance.now() - abortedAt).toBeLessThan(250);
      await expect.poll(() => hung.connections()).toBe(0);
    }
    await hung.close();
  });

  test.each(garbage)(
    "%s proves nothing of a purchase that was sent and is carrier_error for a quote",
    async (_name, answer) => {
      const broken = await aBrokenParty((request, response) => {
        if (!traits.beforehand(request, response)) answer(response);
      });
      const { quote, purchase } = await aRate(theCarrier());
      const carrier = makeCarrier(broken.url);
      const bought = await failureOf(carrier.buyLabel(purchase, noAbort));
      expect(bought.kind).toBe(traits.asks_before_buying ? "unreachable" : "unknown");
      expect((await failureOf(carrier.quote(quote, noAbort))).exclusion).toBe("carrier_error");
      const found = carrier.lookUpLabel(sentLabel(purchase), noAbort);
      expect((await failureOf(found)).kind).toBe("unknown");
      const tracked = carrier.track(unknownCode, noAbort);
      expect((await failureOf(tracked)).kind).toBe("unknown");
      await broken.close();
    },
  );

  test.each([
    [401, "carrier_credentials_invalid"],
    [403, "carrier_credentials_invalid"],
    [429, "carrier_rate_limited"],
  ])("status %i excludes for %s", async (status, exclusion) => {
    const refusing = await aBrokenParty((request, response) => {
      if (!traits.beforehand(request, response)) response.writeHead(status).end(traits.refusal);
    });
    const failure = await failureOf(makeCarrier(refusing.url).quote(aQuote(theCarrier()), noAbort));
    expect(failure).toMatchObject({ kind: "refused", exclusion });
    await refusing.close();
  });
}
