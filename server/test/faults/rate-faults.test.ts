import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Rates } from "../client.ts";
import { boston, ottawa, aShipment, type ShipmentEntry } from "../shipments.ts";
import { anAccount, type TestAccount } from "../world.ts";
import type { Fault } from "./faulty-carrier.ts";
import { aFaultyPlatform, type FaultyWorld } from "./faulty-world.ts";
import {
  canary,
  edited,
  followedBy,
  manglings,
  odd429s,
  refusing,
  connectionFaults,
} from "./spoiled-responses.ts";

/**
 * Whatever one carrier does, rates are answered in time (issue 3): its services are excluded with the
 * reason, the others are quoted, nothing of its response is published, and memory stays bounded.
 */

let world: FaultyWorld;
let account: TestAccount;

beforeAll(async () => {
  world = await aFaultyPlatform();
  account = await anAccount(world, { balance_cents: 0 });
});
afterAll(() => world.close());

/** The timeout of a quote that is not about time: no carrier is excluded because the machine is busy. */
const writeWaitSeconds = 20;

/** The quote of a lane, and how long it took. */
async function quoted(entry: ShipmentEntry, timeout_seconds = writeWaitSeconds) {
  const { id } = await account.create(entry);
  const askedAt = performance.now();
  const rates = await account.rates(id, `?timeout=${timeout_seconds}`);
  return { rates, milliseconds: performance.now() - askedAt };
}

const ofCarrier = ({ data }: Rates, carrier: string) =>
  data.filter((rate) => rate.carrier.code === carrier).map(({ service }) => service);
const notOfCarrier = ({ data }: Rates, carrier: string) =>
  data
    .filter((rate) => rate.carrier.code !== carrier)
    .map(({ service, total }) => [service, total]);

/** What may be asked for as a time-out. */
const clamped = (seconds: number) => Math.min(Math.max(seconds, 1), 25);

/** Asserts the quote while one carrier has a fault; `entry` is a lane that it serves. */
async function expectExcluded(
  { carrier, fault, reason }: { carrier: string; fault: Fault; reason: string },
  entry = aShipment(),
): Promise<void> {
  const { rates: sound, milliseconds: soundMs } = await quoted(entry);
  const services = ofCarrier(sound, carrier);
  expect(services.length).toBeGreaterThan(0);
  const spoiled = world.faulty.spoil(
    { who: account.account_id, operation: "rates", carrier },
    fault,
  );
  onTestFinished(spoiled.lift);
  // The quote without the fault has shown how fast the machine is at the moment.
  const isSlow = reason === "carrier_timeout";
  const timeoutSeconds = isSlow ? clamped(Math.ceil((10 * soundMs) / 1000)) : writeWaitSeconds;
  const { rates, milliseconds } = await quoted(entry, timeoutSeconds);
  spoiled.lift();
  expect(spoiled.hits()).toBe(1);
  const inTimeMs = isSlow
    ? timeoutSeconds * 1000 + Math.max(250, 5 * soundMs)
    : Math.max(1250, 25 * soundMs);
  expect(milliseconds).toBeLessThanOrEqual(inTimeMs);
  expect(ofCarrier(rates, carrier)).toEqual([]);
  const excluded = rates.meta.excluded_services.filter(({ service }) => services.includes(service));
  expect(excluded.map((each) => [each.service, each.reason]).toSorted()).toEqual(
    services.map((service) => [service, reason]).toSorted(),
  );
  expect(notOfCarrier(rates, carrier)).toEqual(notOfCarrier(sound, carrier));
  expect(JSON.stringify(rates).includes(canary)).toBe(false);
}

const slow = ["hangs", "trickles", "responds after the connection was closed"];

function reasonOf(name: string): string {
  if (slow.includes(name)) return "carrier_timeout";
  return name.includes("429") ? "carrier_rate_limited" : "carrier_error";
}

const { "responds about another reference": _ofLabels, ...manglingsOfRates } = manglings;
const silenceNames = Object.keys(connectionFaults(""));

describe("rates come in time and without a carrier that", () => {
  test.each(silenceNames)("%s", async (name) => {
    const fault = connectionFaults(world.internal.url)[name]!;
    await expectExcluded({ carrier: "ups", fault, reason: reasonOf(name) });
  });

  test.each(Object.entries({ ...manglingsOfRates, ...odd429s }))("%s", async (name, fault) => {
    await expectExcluded({ carrier: "ups", fault, reason: reasonOf(name) });
  });

  test.each([401, 403])("answers %i", async (status) => {
    const reason = "carrier_credentials_invalid";
    await expectExcluded({ carrier: "ups", fault: refusing(status), reason });
  });

  test.each([
    ["in another currency", { currency: "USD" }, "currency_not_supported"],
    ["of a negative amount", { base_cents: -1 }, "carrier_error"],
    ["of null, which is what NaN becomes", { base_cents: null }, "carrier_error"],
    ["as text", { base_cents: `1${canary}` }, "carrier_error"],
    ["beyond belief", { base_cents: 1e15 }, "carrier_error"],
    ["of half a cent", { base_cents: 100.5 }, "carrier_error"],
  ])("quotes prices %s", async (_name, change, reason) => {
    const fault = edited(({ rates }) => {
      for (const rate of rates as object[]) Object.assign(rate, change);
    });
    await expectExcluded({ carrier: "ups", fault, reason });
  });

  const withinTheStates = aShipment({
    from_address: { ...boston, name: "Back Bay Books" },
    to_address: {
      ...boston,
      address1: "1 Pike St",
      city: "Seattle",
      province_code: "WA",
      postal_code: "98101",
    },
  });
  test.each([
    ["canada_post", aShipment()],
    ["purolator", aShipment()],
    ["fedex", aShipment()],
    ["usps", withinTheStates],
  ])("is %s", async (carrier, entry) => {
    for (const name of ["hangs", "resets the connection", "responds with a web page"]) {
      const fault = connectionFaults(world.internal.url)[name]!;
      await expectExcluded({ carrier, fault, reason: reasonOf(name) }, entry);
    }
  });
});

test("when no carrier can be reached at all, every service is excluded at once", async () => {
  await world.faulty.refuse();
  const { rates, milliseconds } = await quoted(aShipment({ from_address: ottawa }));
  await world.faulty.listen();
  expect(milliseconds).toBeLessThan((writeWaitSeconds * 1000) / 2);
  expect(rates.data).toEqual([]);
  expect(new Set(rates.meta.excluded_services.map(({ reason }) => reason))).toContain(
    "carrier_error",
  );
  expect((await quoted(aShipment())).rates.data.length).toBeGreaterThan(0);
});

test("a second response on the connection belongs to no request", async () => {
  const { rates: sound } = await quoted(aShipment());
  const forged = followedBy(({ body }) =>
    Buffer.from(body.toString().replaceAll(/"base_cents":\d+/g, '"base_cents":1')),
  );
  const calls = { who: account.account_id, operation: "rates", carrier: "ups" } as const;
  const spoiled = world.faulty.spoil(calls, forged, 1);
  const totals = ({ data }: Rates) => data.map(({ service, total }) => [service, total]);
  for (let round = 0; round < 3; round += 1) {
    const { rates } = await quoted(aShipment());
    // At worst the connection is lost and with it one carrier's response, never a made-up price.
    expect(totals(sound)).toEqual(expect.arrayContaining(totals(rates)));
  }
  expect(spoiled.hits()).toBe(1);
});

test("the text of a refused service is bounded, however much the carrier sends", async () => {
  const fault = edited((data) => {
    const rates = data["rates"] as { service_code: string }[];
    data["unavailable"] = rates.map(({ service_code }) => ({
      service_code,
      code: "lane_not_served",
      message: canary.repeat(10_000),
    }));
    data["rates"] = [];
  });
  await expectExcluded({ carrier: "ups", fault, reason: "carrier_error" });
});

test("no redirect was followed, and nothing was inflated or kept: memory stayed bounded", () => {
  expect(world.internal.calls()).toBe(0);
  // The peak of the whole process, this test's own bombs included.
  expect(process.resourceUsage().maxRSS).toBeLessThan(700 * 1024);
});
