import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Carrier, LabelFile, LabelRequest } from "../carrier.ts";
import { inContext } from "../carrier-traits-world.ts";
import {
  aPurchase,
  aQuote,
  aShipment,
  context,
  manifestReferences,
  newYork,
  seattle,
  sentLabel,
  toronto,
} from "../contract-samples-world.ts";
import { aSimulator, failureOf } from "../contract-world.ts";
import { simulatedCarrier } from "../simulated/simulated-carrier.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { uspsCarrier } from "./adapter.ts";
import { uspsDialect } from "./dialect/usps-dialect.ts";
import { usps, uspsOverRest } from "./usps.ts";
import { aConnection } from "./usps-world.ts";

/** What is USPS's own, beside the contract of all carriers. */

const noAbort = new AbortController().signal;
let simulator: Simulator;
let carrier: Carrier;
beforeAll(async () => {
  simulator = await aSimulator(undefined, [uspsDialect]);
  carrier = at(aConnection());
});
afterAll(() => simulator.close());

function at(connection: ReturnType<typeof aConnection>, simulatorUrl = simulator.url): Carrier {
  const url = `${simulatorUrl}/dialects/usps`;
  return inContext(uspsCarrier(uspsOverRest, { live: url, test: url }), { ...context, connection });
}

async function aPurchaseOf(steering: string | null = null): Promise<LabelRequest> {
  const quote = aQuote(carrier, steering);
  const { rates } = await carrier.quote(quote, noAbort);
  return aPurchase(carrier, quote, rates[0]!);
}

async function committed(
  reference: string,
  operation: string,
  simulatorUrl = simulator.url,
): Promise<number> {
  const answer = await fetch(`${simulatorUrl}/journal`);
  const { data } = (await answer.json()) as { data: { reference: string; operation: string }[] };
  return data.filter((entry) => entry.reference === reference && entry.operation === operation)
    .length;
}

test("a remote state is known by its ZIP code: it takes as long as by the simulator's own form", async () => {
  const alaska = { ...seattle, city: "Anchorage", province_code: "AK", postal_code: "99501" };
  const quote = { ...aQuote(carrier), shipment: aShipment(newYork, alaska) };
  const daysOf = async (each: Carrier) =>
    (await each.quote(quote, noAbort)).rates.map((rate) => rate.estimated_delivery_days);
  expect(await daysOf(carrier)).toEqual(await daysOf(simulatedCarrier(usps, simulator.url)));
});

describe("a key", () => {
  test("buys one label however often it is sent, and the journal has our reference", async () => {
    const request = await aPurchaseOf();
    const both = await Promise.all([
      carrier.buyLabel(request, noAbort),
      carrier.buyLabel(request, noAbort).catch(() => null),
    ]);
    const again = await carrier.buyLabel(request, noAbort);
    const codes = [...both, again].flatMap((label) => label?.tracking_code ?? []);
    expect(new Set(codes).size).toBe(1);
    expect(codes[0]).toMatch(/^\d{22}$/);
    expect(await committed(request.reference, "label")).toBe(1);
  });

  test("finds what an empty success has sold, with its price", async () => {
    const request = await aPurchaseOf("sim:empty_ok=usps");
    const failure = await failureOf(carrier.buyLabel(request, noAbort));
    expect(failure).toMatchObject({ kind: "unknown", carrier_code: "bad_answer" });
    const found = await carrier.lookUpLabel(sentLabel(request), noAbort);
    expect(found).toMatchObject({ state: "live", cost: request.expected_cost, files: "fetch" });
  });

  test("that sold nothing proves it", async () => {
    const request = await aPurchaseOf("sim:refuse_in_ok=usps");
    expect((await failureOf(carrier.buyLabel(request, noAbort))).kind).toBe("refused");
    expect(await carrier.lookUpLabel(sentLabel(request), noAbort)).toBeNull();
    expect(await committed(request.reference, "label")).toBe(0);
  });
});

describe("published prices", () => {
  const basesOf = async (by: Carrier, steering: string | null = null) => {
    const { rates, unavailable } = await by.quote(aQuote(by, steering), noAbort);
    const refused = unavailable.filter(({ reason }) => reason === "carrier_credentials_invalid");
    return { bases: new Set(rates.map(({ price_basis }) => price_basis)), refused };
  };

  test("are not sold as those of a contract that was asked for", async () => {
    const contract = at(aConnection({ price_type: "CONTRACT" }));
    const usual = await basesOf(contract);
    expect(usual).toEqual({ bases: new Set(["negotiated"]), refused: [] });
    const { bases, refused } = await basesOf(contract, "sim:published=usps");
    expect(bases.size).toBe(0);
    expect(refused.length).toBeGreaterThan(0);
  });

  test("are sold where they were asked for", async () => {
    expect(await basesOf(carrier)).toEqual({ bases: new Set(["published"]), refused: [] });
  });
});

test("a label is printed again three times; the fourth is no proof that it was not sold", async () => {
  const request = await aPurchaseOf();
  await carrier.buyLabel(request, noAbort);
  const lookUp = () => carrier.lookUpLabel(sentLabel(request), noAbort);
  for (let time = 0; time < 3; time += 1) expect(await lookUp()).not.toBeNull();
  expect((await failureOf(lookUp())).kind).toBe("unknown");
});

test("an expired token is renewed, and the label bought once", async () => {
  const request = await aPurchaseOf("sim:token_expired=usps");
  await carrier.buyLabel(request, noAbort);
  expect(await committed(request.reference, "label")).toBe(1);
});

test("the payment's token is renewed when its eight hours end in the middle of many purchases", async () => {
  let hours = 0;
  const clock = { now: () => new Date(Date.now() + hours * 3_600_000) };
  const { url, close } = await aSimulator(clock, [uspsDialect]);
  onTestFinished(() => close());
  const buyer = at(aConnection(), url);
  const requests: LabelRequest[] = [];
  for (let place = 0; place < 9; place++) requests.push(await aPurchaseOf());
  const buy = (request: LabelRequest) => buyer.buyLabel(request, noAbort);
  const labels = [];
  for (const request of requests.slice(0, 3)) labels.push(await buy(request));
  // USPS's clock is ahead: the purchases find the token expired, and not the cache of tokens.
  hours = 8;
  labels.push(...(await Promise.all(requests.slice(3, 6).map(buy))));
  for (const request of requests.slice(6)) labels.push(await buy(request));
  expect(new Set(labels.map(({ tracking_code }) => tracking_code)).size).toBe(9);
  for (const { reference } of requests) expect(await committed(reference, "label", url)).toBe(1);
});

test("an access token that is refused where the payment's token is asked for is renewed, and the label bought once", async () => {
  let hours = 0;
  const clock = { now: () => new Date(Date.now() + hours * 3_600_000) };
  const { url, close } = await aSimulator(clock, [uspsDialect]);
  onTestFinished(() => close());
  const buyer = at(aConnection(), url);
  const quote = aQuote(buyer, null);
  const { rates } = await buyer.quote(quote, noAbort);
  const request = aPurchase(buyer, quote, rates[0]!);
  // USPS's clock is ahead, and this is the first call that needs a payment's token.
  hours = 4;
  await buyer.buyLabel(request, noAbort);
  expect(await committed(request.reference, "label", url)).toBe(1);
});

test("wrong credentials are known before anything is sent, and are not repeated", async () => {
  const request = await aPurchaseOf();
  const connection = { ...aConnection(), id: "con_wrong" };
  const secrets = { client_id: "client", client_secret: "wrong-0815" };
  const failure = await failureOf(at({ ...connection, secrets }).buyLabel(request, noAbort));
  expect(failure).toMatchObject({ kind: "unreachable", exclusion: "carrier_credentials_invalid" });
  expect(`${failure.message} ${failure.stack}`).not.toContain("wrong-0815");
});

test.each(["pdf", "png", "zpl"] as const)("a label comes as %s", async (label_format) => {
  const label = await carrier.buyLabel({ ...(await aPurchaseOf()), label_format }, noAbort);
  const [file] = label.files as LabelFile[];
  const begins = { pdf: "%PDF", png: "\x89PNG", zpl: "^XA" }[label_format];
  expect(file?.format).toBe(label_format);
  expect(file?.bytes.toString("latin1", 0, begins.length)).toBe(begins);
});

test("a label whose file is late is sold, and its file is had later", async () => {
  const request = await aPurchaseOf("sim:late_file=usps:1");
  const label = await carrier.buyLabel(request, noAbort);
  expect(label.files).toBe("pending");
  const ref = { ...label, context, reference: request.reference };
  await expect
    .poll(() =>
      carrier.fetchFiles(ref, "pdf", noAbort).then(
        (files) => files.length,
        () => 0,
      ),
    )
    .toBe(1);
});

test("the parcel's own price is taken, not that of a box of USPS's", async () => {
  const request = await aPurchaseOf();
  expect((await carrier.buyLabel(request, noAbort)).cost).toEqual(request.expected_cost);
});

test("a SCAN form hands over the labels on it, once", async () => {
  const request = await aPurchaseOf();
  const label = await carrier.buyLabel(request, noAbort);
  const manifest = {
    context,
    reference: "man_1",
    references: manifestReferences,
    labels: [{ ...label, context, reference: request.reference }],
    from_address: newYork,
    ship_date: request.shipment.ship_date,
  };
  const form = await carrier.manifests!.create(manifest, noAbort);
  expect(form.carrier_manifest_id).toMatch(/^\d{22}$/);
  expect(form.files.map(({ type, format }) => [type, format])).toEqual([["manifest", "pdf"]]);
  expect((await failureOf(carrier.manifests!.create(manifest, noAbort))).kind).toBe("refused");
});

test("a pickup whose state was lost is cancelled by the state that it has", async () => {
  const pickup = await carrier.pickups!.schedule(
    {
      context,
      reference: "att_1",
      references: { account_id: "acc_1", pickup_id: "pku_1", idempotency_key: null },
      address: newYork,
      contact: { name: "Ada Byron", phone: null, email: null },
      date: "2026-10-06",
      ready_time: "09:00",
      close_time: "17:00",
      instructions: null,
      tracking_codes: ["1"],
      package_count: 1,
      weight_grams: 2_000,
      expected_fee: { amount_cents: 0, currency: "USD" },
    },
    noAbort,
  );
  expect(pickup.carrier_data).toMatchObject({ etag: expect.any(String) as string });
  const request = { context, reference: "att_1", ...pickup, carrier_data: null };
  await carrier.pickups!.cancel(request, noAbort);
  await carrier.pickups!.cancel(request, noAbort);
});

test("addresses in the United States are checked, and post offices near them found", async () => {
  const check = (address: typeof newYork) =>
    carrier.addresses!.check({ context, address }, noAbort);
  expect(await check(newYork)).toMatchObject({
    state: "found",
    is_residential: true,
    candidates: [{ address1: "20 W 34TH ST", postal_code: "10001-0001" }],
  });
  expect(await check({ ...newYork, address1: "Unknown 1" })).toMatchObject({ state: "not_found" });
  expect(await check(toronto)).toMatchObject({ state: "not_covered" });
  const places = await carrier.locations!.near({ context, address: newYork, limit: 5 }, noAbort);
  expect(places.map(({ distance_metres }) => distance_metres)).toEqual([322, 2_414]);
});

test("a connection is tested by one harmless call", async () => {
  expect(await carrier.testConnection!(aConnection(), noAbort)).toMatchObject({ ok: true });
  const secrets = { client_id: "client", client_secret: "wrong" };
  const wrong = { ...aConnection(), id: "con_wrong_2", secrets };
  expect(await carrier.testConnection!(wrong, noAbort)).toMatchObject({
    ok: false,
    code: "credentials_invalid",
  });
});
