import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { priceRate } from "../domain/pricing/pricing.ts";
import { defaultPricingSettings } from "../domain/pricing/pricing-settings.ts";
import {
  aCarrier,
  aRate,
  aService,
  anInput,
  answersAll,
  fates,
  hanging,
  saying,
  theDeps,
  throwing,
  type Answering,
} from "./quote-world.ts";
import { quote } from "./quote.ts";

afterEach(() => vi.useRealTimers());

describe("what is asked", () => {
  test("every carrier is asked once and concurrently, for all its services", async () => {
    const started: string[] = [];
    const everybodyAsked = Promise.withResolvers<void>();
    const waiting: Answering = async (request, signal) => {
      started.push(request.services[0]!.code);
      if (started.length === 3) everybodyAsked.resolve();
      await everybodyAsked.promise;
      return answersAll(request, signal);
    };
    const given = theDeps(["a", "b", "c"].map((code) => aCarrier(code, waiting)));
    const { rates, timeout_seconds } = await quote(anInput(), given);
    expect(rates).toHaveLength(6);
    expect(timeout_seconds).toBe(10);
    expect(given.calls).toEqual(["a quote", "b quote", "c quote"]);
  });

  test("a carrier is given the account, the currency to answer in, and whether it is an estimate", async () => {
    const requests: unknown[] = [];
    const noting: Answering = (request, signal) => {
      requests.push(request);
      return answersAll(request, signal);
    };
    const services = [aService("a.slow")];
    const input = anInput({ currency: "USD", estimated: true });
    const { rates } = await quote(input, theDeps([aCarrier("a", noting, services)]));
    const context = { ...input.context, connection: null };
    // Values declared in another currency than the account's are not sent to a carrier.
    const packages = input.shipment.packages.map((parcel) => ({
      ...parcel,
      declared_value: null,
      currency: null,
    }));
    const shipment = { ...input.shipment, packages };
    expect(requests).toEqual([
      {
        context: { ...context, connection: null },
        shipment,
        services,
        currency: "USD",
        estimated: true,
      },
    ]);
    // The fake answers in CAD all the same.
    expect(rates).toEqual([]);
  });

  test("services that are disabled or beyond a limit are reported but not asked for", async () => {
    const asked: string[] = [];
    const noting: Answering = async (request, signal) => {
      asked.push(...request.services.map(({ code }) => code));
      return answersAll(request, signal);
    };
    const services = [
      aService("a.good"),
      aService("a.off"),
      aService("a.light", { max_weight_grams: 500 }),
    ];
    const result = await fates([aCarrier("a", noting, services)], { disabled_services: ["a.off"] });
    expect(asked).toEqual(["a.good"]);
    expect(result).toEqual({
      "a.good": "rate",
      "a.off": "service_disabled",
      "a.light": "weight_limit_exceeded",
    });
  });

  test("a carrier with no service left is not called", async () => {
    const given = theDeps([aCarrier("a", throwing(new Error("called")))]);
    const off = anInput({ disabled_services: ["a.slow", "a.express"] });
    const { excluded } = await quote(off, given);
    expect(excluded.map(({ reason }) => reason)).toEqual(["service_disabled", "service_disabled"]);
    expect(given.calls).toEqual([]);
  });

  test("re-rating one service asks only its carrier and reports no other", async () => {
    const given = theDeps([aCarrier("a"), aCarrier("b")]);
    const { rates, excluded } = await quote(anInput({ only_service: "b.slow" }), given);
    expect(rates.map(({ service }) => service)).toEqual(["b.slow"]);
    expect(excluded).toEqual([]);
    expect(given.calls).toEqual(["b quote"]);
  });
});

describe("what is captured", () => {
  test("a rate has all that it will be priced, shown and bought by", async () => {
    const given = theDeps([aCarrier("a", undefined, [aService("a.slow")])]);
    const { rates } = await quote(anInput(), given);
    expect(rates).toEqual([
      {
        id: expect.stringMatching(/^rat_/) as string,
        expires_at: "2026-10-05T12:30:00.000Z",
        estimated: false,
        carrier: { code: "a", name: "Carrier a", scac: null },
        service: "a.slow",
        service_name: "Name of a.slow",
        postage_type_id: 906,
        package_type: "parcel",
        trackable: true,
        pickup_supported: true,
        currency: "CAD",
        base_cents: 1000,
        surcharges: [{ code: "fuel", name: "Fuel", amount_cents: 200 }],
        add_ons: [{ code: "signature", cost_cents: 150, required: false }],
        declared_value_cents: 8000,
        taxed_lane: { from_country_code: "CA", to_country_code: "CA", to_province_code: "QC" },
        estimated_delivery_days: 2,
        estimated_delivery_date: "2026-10-07",
        billable_weight: { value: 2, unit: "kg", basis: "actual" },
        zone: "3",
      },
    ]);
    expect(JSON.parse(JSON.stringify(rates))).toEqual(rates);
  });

  test("protection covers an insured value instead of the declared ones", async () => {
    const { rates } = await quote(anInput({ insured_value: 250.5 }), theDeps([aCarrier("a")]));
    expect(rates.map((rate) => rate.declared_value_cents)).toEqual([25_050, 25_050]);
  });

  test("an add-on that the service does not promise is not offered", async () => {
    const services = [aService("a.slow", { add_ons: ["protection"] })];
    const { rates } = await quote(anInput(), theDeps([aCarrier("a", undefined, services)]));
    expect(rates[0]?.add_ons).toEqual([]);
  });

  test("pricing captured rates at every tier calls no carrier", async () => {
    const given = theDeps([aCarrier("a"), aCarrier("b")]);
    const { rates } = await quote(anInput(), given);
    expect(given.calls).toEqual(["a quote", "b quote"]);
    const settings = { ...defaultPricingSettings, show_tier_rates_api: true };
    for (const rate of rates) {
      const terms = { settings, add_ons: [], now: given.clock.now() };
      const { tier_pricing: tiers } = priceRate(rate, terms).rate;
      expect([tiers?.retail.subtotal, tiers?.enterprise.subtotal]).toEqual([14.4, 12.6]);
    }
    expect(rates).toHaveLength(4);
    expect(given.calls).toEqual(["a quote", "b quote"]);
  });
});

describe("the invariant", () => {
  const codes = ["one", "two", "three", "four"];
  const anything = fc.oneof(
    fc.constantFrom(...codes.map((code) => `a.${code}`), "b.one", "z.ghost"),
    fc.constant({ toString: "a word that is no function" }),
    fc.anything(),
  );
  const aCost = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.double(), fc.anything());
  const anEntry = fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(anything, aCost)
        .map(([service, base_cents]) =>
          aRate(service as string, { base_cents: base_cents as number }),
        ),
    },
    fc.record({ service: anything, reason: fc.anything(), message: fc.anything() }),
    fc.anything(),
  );
  const someEntries = fc.oneof(fc.array(anEntry, { maxLength: 8 }), fc.anything());
  const anAnswer = fc.oneof(
    { weight: 6, arbitrary: fc.record({ rates: someEntries, unavailable: someEntries }) },
    fc.anything(),
  );
  const aBehaviour: fc.Arbitrary<Answering> = fc.oneof(
    { weight: 4, arbitrary: anAnswer.map(saying) },
    anAnswer.map((answer) => throwing(answer as Error)),
    fc.constant(answersAll),
    fc.constant(hanging),
  );

  test("whatever carriers do, each enabled service is in exactly one of rates and excluded", async () => {
    vi.useFakeTimers();
    const services = (carrier: string) => codes.map((code) => aService(`${carrier}.${code}`));
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(aBehaviour, aBehaviour),
        fc.subarray(["a.one", "b.two"]),
        async ([first, second], disabled) => {
          const carriers = [
            aCarrier("a", first, services("a")),
            aCarrier("b", second, services("b")),
          ];
          const answer = quote(anInput({ disabled_services: disabled }), theDeps(carriers));
          await vi.runAllTimersAsync();
          const { rates, excluded } = await answer;
          const mentioned = [...rates, ...excluded].map(({ service }) => service);
          const enabled = [...services("a"), ...services("b")].map(({ code }) => code);
          expect(mentioned.sort()).toEqual(enabled.sort());
          for (const { base_cents } of rates) expect(base_cents).toBeGreaterThanOrEqual(0);
          for (const { message } of excluded) expect(message).not.toBe("");
        },
      ),
      { numRuns: 300 },
    );
  });
});
