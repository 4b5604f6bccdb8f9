import { isRetryable } from "../domain/pricing/rate.ts";
import { describe, expect, test } from "vitest";
import { CarrierError, type CarrierRate } from "../carriers/carrier.ts";
import {
  aCarrier,
  aRate,
  aService,
  anInput,
  fates,
  saying,
  theDeps,
  throwing,
  type Answering,
} from "./quote-world.ts";
import { quote } from "./quote.ts";

describe("why a service is missing", () => {
  const failure = { kind: "refused", carrier: "a", carrier_code: "x", message: "No." } as const;

  test.each<[string, unknown]>([
    ["carrier_error", new Error("a bug")],
    ["carrier_error", "not even an error"],
    ["carrier_error", new CarrierError(failure)],
    ["carrier_timeout", new CarrierError({ ...failure, carrier_code: "timeout" })],
    ["carrier_timeout", new DOMException("too slow", "TimeoutError")],
    ["carrier_rate_limited", new CarrierError({ ...failure, exclusion: "carrier_rate_limited" })],
    [
      "carrier_credentials_invalid",
      new CarrierError({ ...failure, exclusion: "carrier_credentials_invalid" }),
    ],
  ])("%s when the carrier throws %s, and the others' rates are kept", async (reason, error) => {
    const result = await fates([aCarrier("a", throwing(error as Error)), aCarrier("b")]);
    expect(result).toEqual({
      "a.slow": reason,
      "a.express": reason,
      "b.slow": "rate",
      "b.express": "rate",
    });
  });

  test("a carrier that has to be called on a connection is left out without one, and without a call", async () => {
    const carrier = aCarrier("a", throwing(new Error("it was called")));
    const descriptor = { ...carrier.descriptor, requires_connection: ["test"] as const };
    const { excluded } = await quote(anInput(), theDeps([{ ...carrier, descriptor }]));
    expect(excluded).toMatchObject(
      ["a.slow", "a.express"].map((service) => ({
        service,
        reason: "carrier_credentials_invalid",
        message: "There is no connection with Carrier a: its credentials are missing.",
        retryable: false,
      })),
    );
    const elsewhere = { ...carrier.descriptor, requires_connection: ["live"] as const };
    const answering = { ...aCarrier("a"), descriptor: elsewhere };
    expect((await quote(anInput(), theDeps([answering]))).rates).toHaveLength(2);
  });

  test("a carrier that throws before its first await fails alone, too", async () => {
    const atOnce: Answering = () => {
      throw new Error("at once");
    };
    const result = await fates([aCarrier("a", atOnce), aCarrier("b")]);
    expect(result).toMatchObject({ "a.slow": "carrier_error", "b.slow": "rate" });
  });

  test("an excluded service has the six fields of the specification and whether to retry", async () => {
    const services = [aService("a.slow")];
    const failing = aCarrier("a", throwing(new CarrierError(failure)), services);
    const { excluded } = await quote(anInput(), theDeps([failing]));
    expect(excluded).toEqual([
      {
        postage_type_id: 906,
        service: "a.slow",
        carrier: "a",
        service_name: "Name of a.slow",
        reason: "carrier_error",
        message: "No.",
        retryable: true,
      },
    ]);
  });

  test.each<[string, unknown]>([
    ["no_rate_for_lane", { rates: [], unavailable: [] }],
    [
      "destination_not_supported",
      {
        rates: [],
        unavailable: [{ service: "a.slow", reason: "destination_not_supported", message: "Far." }],
      },
    ],
    ["carrier_error", { rates: [], unavailable: [{ service: "a.slow", reason: "whim" }] }],
    ["carrier_error", { rates: [aRate("a.slow"), aRate("a.slow")], unavailable: [] }],
    [
      "carrier_error",
      {
        rates: [aRate("a.slow")],
        unavailable: [{ service: "a.slow", reason: "no_rate_for_lane", message: "None." }],
      },
    ],
    ["carrier_error", { rates: null, unavailable: [] }],
    ["carrier_error", null],
  ])("%s when the carrier answers %j", async (reason, answer) => {
    const carrier = aCarrier("a", saying(answer), [aService("a.slow")]);
    expect(await fates([carrier])).toEqual({ "a.slow": reason });
  });

  test.each<[string, Partial<CarrierRate>]>([
    ["is not a number", { base_cents: NaN }],
    ["is infinite", { base_cents: Infinity }],
    ["is negative", { base_cents: -1 }],
    ["is a fraction of a cent", { base_cents: 10.5 }],
    ["is nothing", { base_cents: 0, surcharges: [] }],
    ["is eaten up by discounts", { surcharges: [{ code: "d", name: "D", amount_cents: -1000 }] }],
    ["is absurd", { base_cents: 10_000_001 }],
    ["is text", { base_cents: "1000" as unknown as number }],
    ["has a surcharge that is none", { surcharges: [{ code: "f", name: "F", amount_cents: NaN }] }],
    [
      "has an add-on twice",
      {
        add_ons: [
          { code: "signature", cost_cents: 1, required: false },
          { code: "signature", cost_cents: 2, required: false },
        ],
      },
    ],
    ["promises a day that is no day", { estimated_delivery_date: "soon" }],
  ])("carrier_error when the price %s", async (_what, wrong) => {
    const answering = saying({ rates: [aRate("a.slow", wrong)], unavailable: [] });
    const carrier = aCarrier("a", answering, [aService("a.slow")]);
    expect(await fates([carrier])).toEqual({ "a.slow": "carrier_error" });
  });

  test("currency_not_supported when the price is in another currency, without a retry", async () => {
    const answering = saying({ rates: [aRate("a.slow", { currency: "USD" })], unavailable: [] });
    const carrier = aCarrier("a", answering, [aService("a.slow")]);
    expect(await fates([carrier])).toEqual({ "a.slow": "currency_not_supported" });
    expect(isRetryable("currency_not_supported")).toBe(false);
  });

  test("option_not_supported when the lane lacks an add-on that the shipment must have", async () => {
    const services = [aService("a.slow"), aService("a.express")];
    const answering = saying({
      rates: [aRate("a.slow"), aRate("a.express", { add_ons: [] })],
      unavailable: [],
    });
    const result = await fates([aCarrier("a", answering, services)], { add_ons: ["signature"] });
    expect(result).toEqual({ "a.slow": "rate", "a.express": "option_not_supported" });
  });

  test("a service that was not asked for is left out and logged", async () => {
    const answering = saying({ rates: [aRate("a.slow"), aRate("z.ghost")], unavailable: [null] });
    const given = theDeps([aCarrier("a", answering, [aService("a.slow")])]);
    const { rates, excluded } = await quote(anInput(), given);
    expect(rates.map(({ service }) => service)).toEqual(["a.slow"]);
    expect(excluded).toEqual([]);
    expect(given.warnings).toEqual([
      { event: "quote.unasked_services", carrier: "a", services: ["z.ghost", "(none)"] },
    ]);
  });
});
