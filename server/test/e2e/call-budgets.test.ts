import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { outcomeOf, type Failure } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { attemptsOf, lookNow } from "../other-carriers.ts";
import { parcelHandedTo } from "../manifests.ts";
import { connectTo, type RealCarrier } from "../real-connections.ts";
import { aShipment, aSteeredShipment, type ShipmentEntry } from "../shipments.ts";
import { anAccount, aPlatform, must, type World } from "../world.ts";

/** What the contract of a connection allows is kept, counted by the carrier itself. */

const service = "ups.standard";
const cases: readonly [RealCarrier, string, ShipmentEntry][] = [
  ["ups", service, aShipment()],
  ["usps", "usps.ground_advantage", parcelHandedTo("usps")],
  ["canada_post", "canada_post.expedited_parcel", aShipment()],
  ["purolator", "purolator.express", aShipment()],
];

let world: World;
const connections = new Map<RealCarrier, string>();
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  for (const carrier of connections.keys()) await allow(carrier, null);
  await assertInvariants(world, 60);
  await world.close();
});

/** Each carrier by the first test that is about it: those before are asked for prices by all. */
async function connect(carrier: RealCarrier): Promise<void> {
  if (!connections.has(carrier)) connections.set(carrier, await connectTo(world, carrier));
}

async function allow(carrier: RealCarrier, budgets: object | null): Promise<void> {
  const path = `/carrier-connections/${connections.get(carrier)}`;
  must(await world.operator.patch(path, { budgets }), 200);
}

async function counted<Count>(path: string, carrier: RealCarrier): Promise<Count | undefined> {
  const answer = await fetch(world.simulator_url + path);
  return ((await answer.json()) as { data: Record<string, Count> }).data[carrier];
}

/** How many requests the carrier has received, by its own count: those for tokens and files, too. */
const requestsOf = async (carrier: RealCarrier) =>
  (await counted<number>("/requests", carrier)) ?? 0;

/** How often UPS was called since the last time that this was asked, by its own count. */
let before: Record<string, number> = {};
async function callsSince(): Promise<Record<string, number>> {
  const now = (await counted<Record<string, number>>("/calls", "ups")) ?? {};
  const since = Object.fromEntries(
    Object.entries(now).map(([operation, count]) => [operation, count - (before[operation] ?? 0)]),
  );
  before = now;
  return since;
}

/** A few at once, since what is tested is the carrier's limit and not the platform's own. */
async function eachOf<Given, Got>(
  given: readonly Given[],
  ask: (each: Given) => Promise<Got>,
): Promise<Got[]> {
  const got: Got[] = [];
  for (let from = 0; from < given.length; from += 6)
    got.push(...(await Promise.all(given.slice(from, from + 6).map(ask))));
  return got;
}

describe.each(cases)("%s", (carrier, of_carrier, entry) => {
  const perHour = 30;

  test("quotes and purchases stay inside it; what is beyond says so, and can be tried again", async () => {
    await connect(carrier);
    const currency = carrier === "usps" ? "USD" : "CAD";
    const account = await anAccount(world, { balance_cents: 500_000, currency });
    const create = (count: number) => eachOf(Array(count).fill(entry), account.create);
    const drafts = await create(30);
    await eachOf(drafts, ({ id }) => account.rates(id));
    const [first, ...others] = await create(16);
    const received = await requestsOf(carrier);
    const since = async () => (await requestsOf(carrier)) - received;
    // Of an hour: however slow the machine is, no part of it comes free.
    await allow(carrier, { all: { per_hour: perHour } });

    // By one alone it is known how many requests a quote takes.
    const quoted = [await account.rates(first!.id)];
    quoted.push(...(await eachOf(others, ({ id }) => account.rates(id))));
    const missed = quoted.filter(({ data }) => !data.some((rate) => rate.carrier.code === carrier));
    expect(missed.length).toBeGreaterThan(0);
    expect(missed.length).toBeLessThan(quoted.length);
    for (const { meta } of missed)
      expect(meta.excluded_services.find((each) => each.service === of_carrier)).toMatchObject({
        reason: "carrier_rate_limited",
        retryable: true,
      });
    // Prices leave a fifth of it.
    expect(await since()).toBeLessThanOrEqual(perHour * 0.8);

    const balance = await account.balanceCents();
    const buy = ({ id }: { id: string }) =>
      account.buy(id, { service: of_carrier, label_format: "zpl" });
    const bought = [await buy(drafts[0]!)];
    bought.push(...(await eachOf(drafts.slice(1), buy)));
    const refused = bought.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(bought.length);
    for (const reply of refused) {
      expect(outcomeOf(reply)).toBe("502 carrier_error");
      expect(reply.headers["retry-after"]).toBeDefined();
      expect((reply.body as unknown as Failure).error.details).toMatchObject({
        carrier_code: "over_budget",
        retryable: true,
      });
    }
    expect(await since()).toBeLessThanOrEqual(perHour);
    expect((await account.balance()).held).toBe(0);
    expect(await account.balanceCents()).toBeLessThan(balance);

    await allow(carrier, null);
    must(await buy(drafts[bought.findIndex(({ status }) => status !== 201)]!), 201);
  });
});

test("lookups of unheard purchases fit into tracking's, and find what they may ask for", async () => {
  await connect("ups");
  await allow("ups", { tracking: { per_hour: 6 } });
  await callsSince();
  const account = await anAccount(world, { balance_cents: 500_000 });
  const drafts = await Promise.all(
    Array.from({ length: 4 }, () => account.create(aSteeredShipment("sim:lost_answer;lag=ups:3"))),
  );
  await Promise.all(
    drafts.map(async ({ id }) =>
      expect(outcomeOf(await account.buy(id, { service }))).toBe("409 purchase_pending"),
    ),
  );
  // Twenty times as often as the platform looks by itself.
  for (let round = 0; round < 8; round++) {
    for (const { id } of drafts) await lookNow(world.db, id);
    const [last] = await attemptsOf(world.db, drafts[0]!.id);
    await vi
      .waitFor(
        async () =>
          expect((await attemptsOf(world.db, drafts[0]!.id))[0]?.look_count ?? Infinity).not.toBe(
            last?.look_count,
          ),
        { timeout: 1_000, interval: 50 },
      )
      .catch(() => undefined);
  }
  expect((await callsSince()).look_ups ?? 0).toBeLessThanOrEqual(6);
  await allow("ups", null);
  for (const { id } of drafts)
    await vi.waitFor(
      async () => {
        await lookNow(world.db, id);
        expect((await account.show(id)).status).toBe("purchased");
      },
      { timeout: 30_000, interval: 200 },
    );
});

test("names what is no group of calls, and what is no limit", async () => {
  await connect("ups");
  const bad = await world.operator.patch(`/carrier-connections/${connections.get("ups")}`, {
    budgets: { looks: { per_minute: 1 }, rates: { per_minute: 0 }, labels: {} },
  });
  expect(outcomeOf(bad)).toBe("422 validation_failed");
  expect(Object.keys((bad.body as Failure).error.details).sort()).toEqual([
    "budgets.labels",
    "budgets.looks",
    "budgets.rates.per_minute",
  ]);
});
