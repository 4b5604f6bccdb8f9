import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { outcomeOf, type Failure } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { attemptsOf, lookNow } from "../other-carriers.ts";
import { connectTo } from "../real-connections.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/** What the contract of a connection allows is kept, counted by the carrier itself. */

const service = "ups.standard";

let world: World;
let connection: string;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  connection = await connectTo(world, "ups");
  account = await anAccount(world, { balance_cents: 500_000 });
});
afterAll(async () => {
  await allow(null);
  await assertInvariants(world, 60);
  await world.close();
});

async function allow(budgets: object | null): Promise<void> {
  must(await world.operator.patch(`/carrier-connections/${connection}`, { budgets }), 200);
}

/** How often UPS was called since the last time that this was asked, by its own count. */
let before: Record<string, number> = {};
async function callsSince(): Promise<Record<string, number>> {
  const answer = await fetch(`${world.simulator_url}/calls`);
  const { data } = (await answer.json()) as { data: { ups?: Record<string, number> } };
  const now = data.ups ?? {};
  const since = Object.fromEntries(
    Object.entries(now).map(([operation, count]) => [operation, count - (before[operation] ?? 0)]),
  );
  before = now;
  return since;
}

test("quotes and purchases stay inside it; what is beyond says so, and can be tried again", async () => {
  const drafts = await Promise.all(Array.from({ length: 12 }, () => account.create(aShipment())));
  for (const { id } of drafts) must(await account.get(`/rates/${id}`), 200);
  await callsSince();
  await allow({ rates: { per_minute: 10 }, labels: { per_minute: 5 } });

  const quoted = await Promise.all(
    Array.from({ length: 30 }, async () => account.rates((await account.create(aShipment())).id)),
  );
  const missed = quoted.filter(({ data }) => !data.some(({ carrier }) => carrier.code === "ups"));
  expect(missed.length).toBeGreaterThanOrEqual(22);
  expect(missed.length).toBeLessThan(30);
  for (const { meta } of missed)
    expect(meta.excluded_services.find((each) => each.service === service)).toMatchObject({
      reason: "carrier_rate_limited",
      retryable: true,
    });

  const balance = await account.balanceCents();
  const bought = await Promise.all(drafts.map(({ id }) => account.buy(id, { service })));
  const refused = bought.filter(({ status }) => status !== 201);
  expect(bought.length - refused.length).toBe(5);
  for (const reply of refused) {
    expect(outcomeOf(reply)).toBe("502 carrier_error");
    expect(reply.headers["retry-after"]).toBeDefined();
    expect((reply.body as unknown as Failure).error.details).toMatchObject({
      carrier_code: "over_budget",
      retryable: true,
    });
  }
  // Prices leave a fifth of their budget.
  const calls = await callsSince();
  expect(calls.purchases).toBe(5);
  expect(calls.quotes).toBeLessThanOrEqual(8);
  expect((await account.balance()).held).toBe(0);
  expect(await account.balanceCents()).toBeLessThan(balance);

  await allow(null);
  const again = await account.buy(
    drafts.find((_each, place) => bought[place]!.status !== 201)!.id,
    {
      service,
    },
  );
  must(again, 201);
});

test("look-ups of unheard purchases fit into tracking's, and find what they may ask for", async () => {
  await allow(null);
  const drafts = await Promise.all(
    Array.from({ length: 4 }, () => account.create(aSteeredShipment("sim:lost_answer;lag=ups:3"))),
  );
  await Promise.all(
    drafts.map(async ({ id }) =>
      expect(outcomeOf(await account.buy(id, { service }))).toBe("409 purchase_pending"),
    ),
  );
  await callsSince();
  await allow({ tracking: { per_minute: 6 } });
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
        { timeout: 5_000, interval: 50 },
      )
      .catch(() => undefined);
  }
  expect((await callsSince()).look_ups ?? 0).toBeLessThanOrEqual(6);
  await allow(null);
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
  const bad = await world.operator.patch(`/carrier-connections/${connection}`, {
    budgets: { looks: { per_minute: 1 }, rates: { per_minute: 0 }, labels: {} },
  });
  expect(outcomeOf(bad)).toBe("422 validation_failed");
  expect(Object.keys((bad.body as Failure).error.details).sort()).toEqual([
    "budgets.labels",
    "budgets.looks",
    "budgets.rates.per_minute",
  ]);
});
