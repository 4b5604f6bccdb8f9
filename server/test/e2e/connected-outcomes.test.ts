import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CarrierDescriptor } from "../../src/carriers/carrier.ts";
import { carrierRegister, createCarriers } from "../../src/carriers/register.ts";
import { outcomeOf } from "../client.ts";
import { accountFor, parcelFor, serviceOf } from "../faults/connected-scenarios.ts";
import { assertInvariants, labelsIn, readJournal, referencesOf } from "../invariants.ts";
import { attemptsOf, lookNow, untilStatus } from "../other-carriers.ts";
import { connectTo, realCarriers, type RealCarrier } from "../real-connections.ts";
import { decide, untilUnderReview } from "../reviews.ts";
import { aPlatform, must, setDials, type World } from "../world.ts";

/**
 * Purchases at carriers that are called in their own forms, whose answer was lost: where a lookup proves something the
 * money is free within thirty seconds after it may be, where it proves nothing it is held.
 */

const horizon = 2;
let world: World;
beforeAll(async () => {
  world = await aPlatform({}, { carriers: soonOver });
  for (const carrier of realCarriers) await connectTo(world, carrier);
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

/** The catalogue, whose carriers with adapters wait less long for an answer and for what it proves. */
function soonOver(simulator_url: string) {
  const soon = (facts: CarrierDescriptor): CarrierDescriptor => ({
    ...facts,
    purchaseTimeoutSeconds: 2,
    ...(facts.lookUp.by === "none" ? {} : { lookUp: { ...facts.lookUp, after_seconds: horizon } }),
  });
  return carrierRegister(
    createCarriers({ simulator_url }).all.map((carrier) => {
      const { descriptor } = carrier;
      const connected = descriptor.connected && soon(descriptor.connected);
      return { ...carrier, descriptor: { ...descriptor, connected } };
    }),
  );
}

async function aDraft(at: World, carrier: RealCarrier, steering?: string) {
  const account = await accountFor(at, carrier);
  const { id } = await account.create(parcelFor(carrier, steering));
  await account.rates(id);
  return { account, id, before: await account.balanceCents() };
}

type Draft = Awaited<ReturnType<typeof aDraft>>;

/**
 * One purchase at each carrier, under a dial by which the carrier never gets it and nothing is heard. All at once, because
 * each is watched for ten seconds.
 */
async function unsoldPurchases(at: World, dial: object): Promise<Record<RealCarrier, Draft>> {
  const drafts = await Promise.all(
    realCarriers.map(async (carrier) => [carrier, await aDraft(at, carrier)] as const),
  );
  const operations = ["purchases"];
  await setDials(
    at,
    Object.fromEntries(realCarriers.map((each) => [each, { ...dial, operations }])),
  );
  const replies = await Promise.all(
    drafts.map(([carrier, { account, id }]) => account.buy(id, { service: serviceOf(carrier) })),
  );
  await setDials(at, {});
  expect(replies.map(outcomeOf)).toEqual(realCarriers.map(() => "409 purchase_pending"));
  for (const [, { account }] of drafts) expect((await account.balance()).held).toBeGreaterThan(0);
  return Object.fromEntries(drafts) as Record<RealCarrier, Draft>;
}

let unsold: Record<RealCarrier, Draft>;
beforeAll(async () => {
  unsold = await unsoldPurchases(world, { hang: true });
});

describe.each<RealCarrier>(["canada_post", "usps"])("%s, whose lookups prove", (carrier) => {
  test("that nothing was sold: the money is free within 30 s after the horizon", async () => {
    const { account, id, before } = unsold[carrier];
    await untilStatus(account, id, { status: "draft", seconds: horizon + 6 + 30 });
    expect((await account.balance()).held).toBe(0);
    expect(await account.balanceCents()).toBe(before);
  });

  test("that it was sold: it settles", async () => {
    const { account, id } = await aDraft(world, carrier, "sim:lost_answer");
    const reply = await account.buy(id, { service: serviceOf(carrier) });
    expect(outcomeOf(reply)).toBe("409 purchase_pending");
    await untilStatus(account, id, { status: "purchased", seconds: 30 });
  });
});

describe.each<RealCarrier>(["ups", "purolator"])("%s, whose lookups hint", (carrier) => {
  test("never frees the money of what they do not show; an operator does", async () => {
    const { account, id, before } = unsold[carrier];
    const looks = async () => (await attemptsOf(world.db, id))[0]!.look_count;
    const first = await looks();
    // Long after the horizon, and however often it was looked up.
    await vi.waitFor(
      async () => {
        await lookNow(world.db, id);
        expect(await looks()).toBeGreaterThan(first + 5);
      },
      { timeout: 60_000, interval: 200 },
    );
    expect(labelsIn(await readJournal(world), await referencesOf(world.db, id))).toEqual([]);
    expect((await account.show(id)).status).toBe("purchase_pending");
    expect((await account.balance()).held).toBeGreaterThan(0);
    expect(await attemptsOf(world.db, id)).toMatchObject([{ status: "unknown" }]);
    await world.db
      .updateTable("attempts")
      .set({ begun_at: sql<Date>`begun_at - interval '2 days'` })
      .where("subject_id", "=", id)
      .execute();
    await lookNow(world.db, id);
    must(await decide(world, await untilUnderReview(world, id), { decision: "void" }), 200);
    await untilStatus(account, id, { status: "draft", seconds: 10 });
    expect((await account.balance()).held).toBe(0);
    expect(await account.balanceCents()).toBe(before);
  });

  test("settles what shows late", async () => {
    const { account, id } = await aDraft(world, carrier, `sim:lost_answer;lag=${carrier}:6`);
    const reply = await account.buy(id, { service: serviceOf(carrier) });
    expect(outcomeOf(reply)).toBe("409 purchase_pending");
    await vi.waitFor(
      async () => {
        await lookNow(world.db, id);
        expect((await account.show(id)).status).toBe("purchased");
      },
      { timeout: 40_000, interval: 500 },
    );
  });
});

test("a price that Purolator does not confirm leaves nothing unknown: the purchase was not sent", async () => {
  const { account, id } = await aDraft(world, "purolator");
  await setDials(world, {
    purolator: { error_rate: 1, error_status: 500, operations: ["quotes"] },
  });
  const reply = await account.buy(id, { service: serviceOf("purolator") });
  await setDials(world, {});
  expect(outcomeOf(reply)).toBe("502 carrier_error");
  expect((await account.show(id)).status).toBe("draft");
  expect((await account.balance()).held).toBe(0);
});

describe("under the connections that a start gives the sandbox", () => {
  let sandbox: World;
  let lost: Record<RealCarrier, Draft>;
  beforeAll(async () => {
    sandbox = await aPlatform({ WAYBILL_SANDBOX_CARRIERS: "connected" });
    lost = await unsoldPurchases(sandbox, { error_rate: 1 });
  });
  afterAll(async () => {
    await assertInvariants(sandbox);
    await sandbox.close();
  });

  test.each(realCarriers)(
    "%s: what never reached the simulator is a draft again in half a minute, whatever the carrier takes",
    async (carrier) => {
      const { account, id, before } = lost[carrier];
      await untilStatus(account, id, { status: "draft", seconds: 30 });
      expect(await account.balanceCents()).toBe(before);
    },
  );
});
