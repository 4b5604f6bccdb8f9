import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { canadaPostCarrier } from "../canada-post/adapter.ts";
import { canadaPostOverRest } from "../canada-post/canada-post.ts";
import { aConnection as withCanadaPost } from "../canada-post/canada-post-world.ts";
import { CarrierError, type Carrier } from "../carrier.ts";
import type { CarrierConnection } from "../connection.ts";
import { inContext } from "../carrier-traits-world.ts";
import { aPurchase, aQuote, context } from "../contract-samples-world.ts";
import { aSimulator } from "../contract-world.ts";
import { dialects } from "../dialects.ts";
import type { Hosts } from "../protocol/rest-client.ts";
import { purolatorCarrier } from "../purolator/adapter.ts";
import { purolatorOverSoap } from "../purolator/purolator.ts";
import { aConnection as withPurolator } from "../purolator/purolator-world.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { upsCarrier } from "../ups/adapter.ts";
import { upsOverRest } from "../ups/ups.ts";
import { aConnection as withUps } from "../ups/ups-world.ts";
import { uspsCarrier } from "../usps/adapter.ts";
import { uspsOverRest } from "../usps/usps.ts";
import { aConnection as withUsps } from "../usps/usps-world.ts";
import { carrierGuard } from "./guard.ts";

/** What a contract allows, at each carrier in its own form: its requests are counted where they arrive. */

const noAbort = new AbortController().signal;
const carriers: readonly [string, CarrierConnection, (hosts: Hosts) => Carrier][] = [
  ["ups", withUps(), (hosts) => upsCarrier(upsOverRest, hosts)],
  ["usps", withUsps(), (hosts) => uspsCarrier(uspsOverRest, hosts)],
  ["canada_post", withCanadaPost(), (hosts) => canadaPostCarrier(canadaPostOverRest, hosts)],
  ["purolator", withPurolator(), (hosts) => purolatorCarrier(purolatorOverSoap, hosts)],
];

let simulator: Simulator;
beforeAll(async () => {
  simulator = await aSimulator(undefined, dialects);
});
afterAll(() => simulator.close());

async function dataAt<Data>(path: string): Promise<Data> {
  const answer = await fetch(simulator.url + path);
  return ((await answer.json()) as { data: Data }).data;
}

const perMinute = 40;
/** The guard counts by it: a test sets it, instead of waiting for a minute. */
const passSeconds = (seconds: number) => vi.advanceTimersByTime(seconds * 1_000);

/** The carrier behind its guard, under a connection with the budget; and what asks it. */
async function aBudgeted(code: string, own: CarrierConnection, at: (hosts: Hosts) => Carrier) {
  const url = `${simulator.url}/dialects/${code}`;
  const hosts = { live: url, test: url };
  const unlimited = inContext(at(hosts), { ...context, connection: own });
  const shipment_quote = aQuote(unlimited);
  const { rates } = await unlimited.quote(shipment_quote, noAbort);
  // The quickest to draw.
  const aRequest = () =>
    ({ ...aPurchase(unlimited, shipment_quote, rates[0]!), label_format: "zpl" }) as const;
  const sold = await unlimited.buyLabel(aRequest(), noAbort);
  const { tracking_code, carrier_data } = sold;
  const { guard } = carrierGuard({
    quotes_max: 20,
    purchases_max: 10,
    calls_max: 100,
    wait_ms: 10_000,
    circuit_failures: 3,
    processes: () => 1,
    on_circuit: () => undefined,
    on_refused: () => undefined,
  });
  const connection = { ...own, budgets: { all: { per_minute: perMinute } } };
  const carrier = inContext(guard(at(hosts)), { ...context, connection });
  // By one of each the guard knows how many requests they take.
  await carrier.quote(shipment_quote, noAbort);
  await carrier.buyLabel(aRequest(), noAbort);
  passSeconds(62);
  const references: string[] = [];
  return {
    references,
    track: () => carrier.track({ context, tracking_code, carrier_data }, noAbort),
    quote: () => carrier.quote(shipment_quote, noAbort),
    buy: () => {
      const request = aRequest();
      references.push(request.reference);
      return carrier.buyLabel(request, noAbort);
    },
  };
}

/** Asks so often at once; returns how many were answered. All others are over the budget, and say so. */
async function asked(times: number, ask: () => Promise<unknown>): Promise<number> {
  const ends = await Promise.allSettled(Array.from({ length: times }, ask));
  for (const end of ends) {
    if (end.status === "fulfilled") continue;
    expect(end.reason).toBeInstanceOf(CarrierError);
    expect(end.reason).toMatchObject({
      kind: "unreachable",
      carrier_code: "over_budget",
      exclusion: "carrier_rate_limited",
    });
  }
  return ends.filter(({ status }) => status === "fulfilled").length;
}

describe.each(carriers)("%s", (code, own, at) => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());
  const received = async () => (await dataAt<Record<string, number>>("/requests"))[code] ?? 0;

  test("gets no more requests in a minute than its contract allows, of 1,000 quotes and 200 purchases", async () => {
    const { track, quote, buy, references } = await aBudgeted(code, own, at);
    let bought = 0;
    let quoted = 0;
    for (let minute = 0; minute < 5; minute++) {
      const before = await received();
      const since = async () => (await received()) - before;
      // What is least urgent comes first, and leaves what is kept for the others.
      await asked(30, track);
      expect(await since()).toBeLessThanOrEqual(perMinute * 0.6);
      const now_quoted = await asked(100, quote);
      expect(await since()).toBeLessThanOrEqual(perMinute * 0.8);
      const now_bought = await asked(20, buy);
      expect(Math.min(now_quoted, now_bought)).toBeGreaterThan(0);
      // Half a minute later all of that still counts.
      passSeconds(31);
      quoted += now_quoted + (await asked(100, quote));
      bought += now_bought + (await asked(20, buy));
      expect(await since()).toBeLessThanOrEqual(perMinute);
      passSeconds(62);
    }
    expect(references).toHaveLength(200);
    expect(bought).toBeLessThan(200);
    expect(quoted).toBeLessThan(1_000);
    const journal = await dataAt<{ reference: string; operation: string }[]>("/journal");
    const sold = journal.filter(
      ({ operation, reference }) =>
        operation === "label" && references.includes(reference.split("~")[0]!),
    );
    expect(sold).toHaveLength(bought);
    expect(new Set(sold.map(({ reference }) => reference.split("~")[0])).size).toBe(bought);
  });

  test("labels that come first leave nothing for prices and tracking, which are told", async () => {
    const { track, quote, buy } = await aBudgeted(code, own, at);
    const before = await received();
    const bought = await asked(60, buy);
    expect(bought).toBeGreaterThan(0);
    expect(await asked(20, quote)).toBe(0);
    expect(await asked(20, track)).toBe(0);
    expect((await received()) - before).toBeLessThanOrEqual(perMinute);
  });
});
