import { sql } from "kysely";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Carrier } from "../../src/carriers/carrier.ts";
import { carrierRegister, createCarriers } from "../../src/carriers/register.ts";
import { startSimulator, type Simulator } from "../../src/carriers/simulator/simulator.ts";
import { countOutcomes, outcomeOf, type DataOf, type Failure, type Shipment } from "../client.ts";
import { assertInvariants, untilAtRest } from "../invariants.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, setDials, type TestAccount, type World } from "../world.ts";
import { frozenTracking } from "../frozen-tracking.ts";

/** One carrier that hangs or is down affects neither the others nor the database. */

let world: World;
afterEach(async () => {
  vi.useRealTimers();
  await world.close();
});

/** Until `vi.useRealTimers()` a circuit that opens stays so: its pause of two seconds does not pass. */
const stopTheHour = () => vi.useFakeTimers({ toFake: ["Date"] });

/** A draft for each of so many, in one call. */
async function drafts(account: TestAccount, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => aShipment());
  const { data } = must(await account.post<DataOf<{ data: Shipment }[]>>("/shipments", rows), 201);
  return data.map((row) => row.data.id);
}

/** The cheapest service of a carrier, and of another one. */
async function servicesOf(account: TestAccount, carrier: string) {
  const { data } = await account.rates((await drafts(account, 1))[0]!);
  const its = data.find((rate) => rate.carrier.code === carrier)!;
  const others = data.find((rate) => rate.carrier.code !== carrier)!;
  return { its: its.service, others: others.service };
}

describe("a carrier that hangs", () => {
  const carrierCode = "ups";
  /** The calls that hang, by account and operation, until they are passed on to the carrier. */
  let hanging: { account_id: string; kind: "quote" | "buyLabel" } | null = null;
  let letGo = Promise.withResolvers<void>();
  const inFlight = { now: 0, most: 0 };

  beforeEach(async () => {
    hanging = null;
    letGo = Promise.withResolvers();
    Object.assign(inFlight, { now: 0, most: 0 });
    world = await aPlatform(
      // All of them reach the carrier's guard: an account's own limit is admission's.
      {
        WAYBILL_REQUESTS_IN_WORK_MAX: "1000",
        WAYBILL_ACCOUNT_REQUESTS_IN_WORK_MAX: "500",
        WAYBILL_RATE_TIMEOUT_SECONDS: "25",
      },
      {
        carriers: (simulator_url) =>
          carrierRegister(createCarriers({ simulator_url }).all.map(hangable)),
      },
    );
  });

  function hangable(carrier: Carrier): Carrier {
    if (carrier.descriptor.code !== carrierCode) return carrier;
    const hang = async (kind: "quote" | "buyLabel", account_id: string, signal: AbortSignal) => {
      if (hanging?.kind !== kind || hanging.account_id !== account_id) return;
      inFlight.most = Math.max(inFlight.most, ++inFlight.now);
      const aborted = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => aborted.resolve(), { once: true });
      await Promise.race([letGo.promise, aborted.promise]);
      inFlight.now--;
    };
    return {
      ...carrier,
      // No call must time out before the test releases it, however busy the machine.
      descriptor: { ...carrier.descriptor, purchaseTimeoutSeconds: 60 },
      async quote(request, signal) {
        await hang("quote", request.context.account_id, signal);
        return carrier.quote(request, signal);
      },
      async buyLabel(request, signal) {
        await hang("buyLabel", request.context.account_id, signal);
        return carrier.buyLabel(request, signal);
      },
    };
  }

  const untilInFlight = (count: number) =>
    vi.waitFor(() => expect(inFlight.now).toBe(count), { timeout: 20_000, interval: 5 });

  /** No request holds a connection of the database while it waits for the carrier. */
  const untilDatabaseIsFree = () =>
    vi.waitFor(
      async () => {
        const { rows } = await sql`
          SELECT state, query FROM pg_stat_activity
          WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`.execute(
          world.db,
        );
        expect(rows).toEqual([]);
      },
      { timeout: 20_000, interval: 5 },
    );

  test("300 purchases at it leave every other purchase alone", async () => {
    const account = await anAccount(world, { balance_cents: 5_000_000 });
    const other = await anAccount(world);
    const { its, others } = await servicesOf(account, carrierCode);
    const ids = await drafts(account, 301);
    hanging = { account_id: account.account_id, kind: "buyLabel" };
    const replies = ids.slice(1).map((id) => account.buy(id, { service: its }));
    await untilInFlight(32);
    await untilDatabaseIsFree();
    // Another carrier, and another account at this one; while all the others still hang.
    await account.bought(ids[0]!, { service: others });
    const [mine, alsoMine] = await drafts(other, 2);
    await other.bought(mine!, { service: its });
    await other.bought(alsoMine!, { service: others });
    expect(inFlight).toEqual({ now: 32, most: 32 });
    letGo.resolve();
    hanging = null;
    const outcomes = countOutcomes(await Promise.all(replies));
    const { "201": bought = 0, "502 carrier_error": busy = 0, ...rest } = outcomes;
    expect(rest).toEqual({});
    expect(bought).toBeGreaterThanOrEqual(32);
    expect(bought + busy).toBe(300);
    expect((await account.balance()).held).toBe(0);
    await assertInvariants(world);
  });

  test("those that got no slot were not sent, cost nothing and may be bought again", async () => {
    const account = await anAccount(world, { balance_cents: 500_000 });
    const { its } = await servicesOf(account, carrierCode);
    const ids = await drafts(account, 34);
    hanging = { account_id: account.account_id, kind: "buyLabel" };
    const held = ids.slice(0, 32).map((id) => account.buy(id, { service: its }));
    await untilInFlight(32);
    const refused = await account.buy(ids[32]!, { service: its });
    expect(outcomeOf(refused)).toBe("502 carrier_error");
    expect((refused.body as unknown as Failure).error.details).toMatchObject({
      carrier_code: "carrier_busy",
      retryable: true,
    });
    expect((await account.show(ids[32]!)).status).toBe("draft");
    letGo.resolve();
    expect(countOutcomes(await Promise.all(held))).toEqual({ "201": 32 });
    await account.bought(ids[32]!, { service: its });
    await assertInvariants(world);
  });

  test("300 quotes at it do not affect the others' rates and its own purchases", async () => {
    const account = await anAccount(world, { balance_cents: 500_000 });
    const other = await anAccount(world);
    const { its } = await servicesOf(account, carrierCode);
    const ids = await drafts(account, 301);
    await account.rates(ids[0]!);
    hanging = { account_id: account.account_id, kind: "quote" };
    const asking = ids.slice(1).map((id) => account.rates(id, "?timeout=25"));
    await untilInFlight(50);
    await untilDatabaseIsFree();
    // Its quotes hang, and purchases still work; and all others have rates of every carrier.
    await account.bought(ids[0]!, { service: its });
    const { data, meta } = await other.rates((await drafts(other, 1))[0]!);
    expect(new Set(data.map((rate) => rate.carrier.code))).toContain(carrierCode);
    expect(meta.excluded_services.filter(({ retryable }) => retryable)).toEqual([]);
    expect(inFlight).toEqual({ now: 50, most: 50 });
    letGo.resolve();
    for (const { data, meta } of await Promise.all(asking)) {
      expect(data.map(({ service }) => service)).toContain(its);
      expect(meta.excluded_services.filter(({ retryable }) => retryable)).toEqual([]);
    }
    await assertInvariants(world);
  });
});

test("purchases that time out open the circuit; their outcomes are looked up meanwhile", async () => {
  const impatient = (carrier: Carrier): Carrier => ({
    ...carrier,
    descriptor: {
      ...carrier.descriptor,
      purchaseTimeoutSeconds: 1,
      lookUp: { by: "reference", absence: "proof", after_seconds: 1 },
    },
  });
  world = await aPlatform(
    {},
    {
      carriers: (simulator_url) =>
        carrierRegister(createCarriers({ simulator_url }).all.map(impatient)),
    },
  );
  const account = await anAccount(world, { balance_cents: 500_000 });
  const ids = await drafts(account, 6);
  const { service, carrier } = (await account.rates(ids[0]!)).data[0]!;
  await setDials(world, { [carrier.code]: { hang: true, operations: ["purchases"] } });
  stopTheHour();
  const unheard = await Promise.all(ids.slice(0, 5).map((id) => account.buy(id, { service })));
  expect(countOutcomes(unheard)).toEqual({ "409 purchase_pending": 5 });
  // Its quotes are answered, and are left out all the same: a client that asks for rates should buy
  // elsewhere.
  const { meta } = await account.rates(ids[5]!);
  expect(meta.excluded_services.find((each) => each.service === service)).toMatchObject({
    reason: "carrier_error",
    retryable: true,
  });
  vi.useRealTimers();
  await untilAtRest(world.db);
  expect(await openCircuits()).toEqual([{ carrier: carrier.code, account_id: account.account_id }]);
  for (const id of ids) expect((await account.show(id)).status).toBe("draft");
  await setDials(world, {});
  await vi.waitFor(async () => expect((await account.buy(ids[0]!, { service })).status).toBe(201), {
    timeout: 15_000,
    interval: 100,
  });
  expect(await openCircuits()).toEqual([]);
  await assertInvariants(world);
});

async function openCircuits() {
  interface Health {
    open_circuits: { carrier: string; account_id: string }[];
  }
  const { data } = must(await world.operator.get<DataOf<Health>>("/health"), 200);
  return data.open_circuits;
}

describe("carriers that are down", () => {
  let simulator: Simulator;
  let start: () => Promise<void>;
  let journal: string;

  beforeEach(async () => {
    journal = await mkdtemp(join(tmpdir(), "waybill-gone-"));
    let port = 0;
    start = async () => {
      const journal_path = join(journal, "journal.jsonl");
      simulator = await startSimulator({
        host: "127.0.0.1",
        port,
        journal_path,
        pace: frozenTracking,
      });
      port = Number(new URL(simulator.url).port);
    };
    await start();
    world = await aPlatform({}, { simulator_url: simulator.url });
  });
  afterEach(async () => {
    await simulator.close();
    await rm(journal, { recursive: true, force: true });
  });

  const gauge = async (carrier: string) => {
    const metrics = await (await fetch(`${world.url}/metrics`)).text();
    const name = `waybill_carrier_circuit_open{carrier="${carrier}"} `;
    return metrics
      .split("\n")
      .find((line) => line.startsWith(name))
      ?.slice(name.length);
  };

  test("are not called any more after five failures, and again once they answer", async () => {
    const account = await anAccount(world, { balance_cents: 500_000 });
    const ids = await drafts(account, 8);
    for (const id of ids) await account.rates(id);
    const { data } = await account.rates(ids[0]!);
    const { service, carrier } = data[0]!;
    const codeOf = async (id: string) => {
      const reply = await account.buy(id, { service });
      expect(outcomeOf(reply)).toBe("502 carrier_error");
      const { error } = reply.body as unknown as Failure;
      expect(error.details).toMatchObject({ carrier: carrier.code, retryable: true });
      return error.details["carrier_code"];
    };
    expect(await openCircuits()).toEqual([]);

    stopTheHour();
    await simulator.close();
    for (const id of ids.slice(0, 5)) expect(await codeOf(id)).toBe("connection");
    expect(await codeOf(ids[5]!)).toBe("circuit_open");
    expect(await openCircuits()).toEqual([
      { carrier: carrier.code, account_id: account.account_id },
    ]);
    expect(await gauge(carrier.code)).toBe("1");
    const { meta } = await account.rates(ids[6]!);
    const excluded = meta.excluded_services.find((each) => each.service === service);
    expect(excluded).toMatchObject({ reason: "carrier_error", retryable: true });
    expect(excluded!.message).toContain("cannot be reached at the moment");
    expect((await account.balance()).held).toBe(0);

    vi.useRealTimers();
    await start();
    await vi.waitFor(
      async () => expect((await account.buy(ids[5]!, { service })).status).toBe(201),
      { timeout: 15_000, interval: 100 },
    );
    await vi.waitFor(
      async () => {
        await account.rates(ids[6]!);
        expect(await openCircuits()).toEqual([]);
      },
      { timeout: 20_000 },
    );
    expect(await gauge(carrier.code)).toBe("0");
    for (const id of ids.slice(0, 5)) await account.bought(id, { service });
    await assertInvariants(world);
  });

  test("one shipment's steering opens no other account's circuit, however often", async () => {
    const account = await anAccount(world, { balance_cents: 500_000 });
    const steered = ["sim:timeout=*", "sim:error=*"].flatMap((steering) =>
      Array.from({ length: 8 }, async () => {
        const { id } = await account.create(aSteeredShipment(steering));
        expect((await account.rates(id, "?timeout=1")).data).toEqual([]);
      }),
    );
    await Promise.all(steered);
    for (const [steering, outcome] of [
      ["sim:refuse", "502 carrier_error"],
      ["sim:lost_answer", "409 purchase_pending"],
      ["sim:price_up", "409 rate_changed"],
    ] as const) {
      const bought = Array.from({ length: 8 }, async () => {
        const { id } = await account.create(aSteeredShipment(steering));
        return outcomeOf(await account.buy(id));
      });
      expect(new Set(await Promise.all(bought))).toEqual(new Set([outcome]));
    }
    expect(await openCircuits()).toEqual([]);
    const plain = await account.create(aShipment());
    const { data, meta } = await account.rates(plain.id);
    expect(new Set(data.map((rate) => rate.carrier.code)).size).toBeGreaterThan(3);
    expect(meta.excluded_services.filter(({ retryable }) => retryable)).toEqual([]);
    await account.bought(plain.id);
    await assertInvariants(world);
  });
});
