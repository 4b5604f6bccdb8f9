import { describe, expect, test } from "vitest";
import { newId } from "../domain/values/ids.ts";
import type { Carrier } from "./carrier.ts";
import { aBrokenParty, garbage } from "./broken-party-world.ts";
import type { CarrierTraits } from "./carrier-traits-world.ts";
import { context, newYork, toronto } from "./contract-samples-world.ts";
import { failureOf } from "./contract-world.ts";
import type {
  CarrierPickups,
  FoundPickup,
  ListedPickup,
  PickupPage,
  PickupRequest,
  SentPickup,
} from "./pickups.ts";

/** The part of the contract for carriers that do pickups: see `contract.ts`. */
export function pickupContract(
  theCarrier: () => Carrier,
  makeCarrier: (url: string) => Carrier,
  traits: CarrierTraits,
): void {
  const { descriptor } = makeCarrier("http://127.0.0.1");
  if (!descriptor.pickups) return;
  describe(`${descriptor.name} does pickups`, () => {
    fetching(() => pickupFixture(theCarrier()), traits);
    refusing(() => pickupFixture(theCarrier()), traits);
  });
  if (descriptor.pickups.listsPickups)
    describe(`${descriptor.name} lists its pickups`, () =>
      listing(() => pickupFixture(theCarrier())));
  describe(`${descriptor.name} reports failures of pickups truthfully`, () =>
    failing(() => pickupFixture(theCarrier()), makeCarrier, traits));

  function pickupFixture(carrier: Carrier): PickupFixture {
    const isCanadian = descriptor.services.some(({ origins }) => origins.includes("CA"));
    const ask = (
      steering: string | null = null,
      currency = traits.currency ?? "CAD",
    ): PickupRequest => ({
      context,
      reference: newId("att"),
      references: { account_id: "acc_1", pickup_id: "pku_1", idempotency_key: "key 1" },
      address: { ...(isCanadian ? toronto : newYork), address2: steering },
      contact: { name: "Ada Byron", phone: null, email: null },
      date: "2026-10-06",
      ready_time: "09:00",
      close_time: "17:00",
      instructions: "Ring twice.",
      tracking_codes: ["1Z999"],
      package_count: 1,
      weight_grams: 2_000,
      expected_fee: { amount_cents: descriptor.pickups!.fee_cents[currency]!, currency },
    });
    const pickups = carrier.pickups!;
    const find = async (request: PickupRequest) =>
      descriptor.pickups!.lookUp.by === "none"
        ? undefined
        : pickups.lookUp(sentPickup(request), noAbort);
    return { pickups, find, ask };
  }
}

interface PickupFixture {
  pickups: CarrierPickups;
  /** What its lookup shows; undefined where it has none. */
  find(request: PickupRequest): Promise<FoundPickup | null | undefined>;
  ask(steering?: string | null, currency?: string): PickupRequest;
}

const noAbort = new AbortController().signal;

/** The lookup of a pickup that was requested just now. */
function sentPickup({ reference, date, address }: PickupRequest): SentPickup {
  const { country_code: country, postal_code } = address;
  return { context, reference, sent_at: new Date(), look_up: { date, country, postal_code } };
}

/** All pages of a list. */
async function listAll(
  pickups: CarrierPickups,
  request: { environment: "live" | "test"; since: Date },
): Promise<ListedPickup[]> {
  const listed: ListedPickup[] = [];
  let cursor: string | null = null;
  do {
    const page: PickupPage = await pickups.list({ ...request, cursor }, noAbort);
    listed.push(...page.pickups);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return listed;
}

function fetching(theFixture: () => PickupFixture, traits: CarrierTraits): void {
  test.each(["CAD", "USD"])(
    "a pickup is scheduled at the fee in the descriptor (%s), found, cancelled twice, and found cancelled",
    async (currency) => {
      if (traits.currency !== null && traits.currency !== currency) return;
      const { pickups, ask, find } = theFixture();
      const request = ask(null, currency);
      const pickup = await pickups.schedule(request, noAbort);
      expect(pickup.fee ?? request.expected_fee).toEqual(request.expected_fee);
      expect(pickup).toMatchObject({ date: request.date, shared: false });
      expect(pickup.confirmation_number).toMatch(/^[A-Z0-9]{5,20}$/);
      const { seenPickup } = traits;
      const seen = seenPickup ? seenPickup(pickup) : { ...pickup, cancelled: false };
      expect([seen, undefined]).toContainEqual(await find(request));
      const { reference } = request;
      const cancel = () => pickups.cancel({ context, reference, ...pickup }, noAbort);
      await cancel();
      await cancel();
      const after = seenPickup ? null : { ...pickup, cancelled: true };
      expect([after, undefined]).toContainEqual(await find(request));
    },
  );

  test("two pickups have two confirmation numbers", async () => {
    const { pickups, ask } = theFixture();
    const both = [await pickups.schedule(ask(), noAbort), await pickups.schedule(ask(), noAbort)];
    expect(new Set(both.map(({ confirmation_number }) => confirmation_number)).size).toBe(2);
  });

  test("an unknown reference finds nothing, and an unknown pickup cannot be cancelled", async () => {
    const { pickups, ask, find } = theFixture();
    const reference = "ref_never_used";
    expect([null, undefined]).toContain(await find({ ...ask(), reference }));
    const request = {
      context,
      reference,
      carrier_pickup_id: "no such/pickup?",
      confirmation_number: "NONE1",
      date: "2026-10-06",
      carrier_data: null,
    };
    expect((await failureOf(pickups.cancel(request, noAbort))).kind).toBe("refused");
  });

  test("a reference is good for one pickup: another one under it is refused as unknown, to be looked up", async () => {
    if (traits.sells_twice) return;
    const { pickups, ask } = theFixture();
    const request = ask();
    const both = [pickups.schedule(request, noAbort), pickups.schedule(request, noAbort)];
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const failure = await failureOf(pickups.schedule(request, noAbort));
    expect(failure).toMatchObject({ kind: "unknown", carrier_code: "duplicate_reference" });
  });
}

function refusing(theFixture: () => PickupFixture, traits: CarrierTraits): void {
  test.each([
    ["sim:refuse", "pickup_refused"],
    ["sim:no_lane=*", "area_not_served"],
    ["sim:price_up", "price_changed"],
  ])(
    "%s is refused with %s, or says what it costs, and nothing else is scheduled",
    async (steering, carrier_code) => {
      const { pickups, ask, find } = theFixture();
      const request = ask(steering);
      if (carrier_code === "price_changed" && traits.own_codes) {
        // What is free by the carrier's own documents cannot become more expensive.
        if (request.expected_fee.amount_cents === 0) return;
        const { fee } = await pickups.schedule(request, noAbort);
        expect(fee!.amount_cents).toBeGreaterThan(request.expected_fee.amount_cents);
        return;
      }
      const failure = await failureOf(pickups.schedule(request, noAbort));
      const code = traits.own_codes ? {} : { carrier_code };
      expect(failure).toMatchObject({ kind: "refused", ...code });
      expect([null, undefined]).toContain(await find(request));
    },
  );

  test("a driver under way cannot be cancelled", async () => {
    const { pickups, ask, find } = theFixture();
    const request = ask("sim:used_label");
    const pickup = await pickups.schedule(request, noAbort);
    const { reference } = request;
    const failure = await failureOf(pickups.cancel({ context, reference, ...pickup }, noAbort));
    const code = traits.own_codes ? {} : { carrier_code: "pickup_underway" };
    expect(failure).toMatchObject({ kind: "refused", ...code });
    expect([false, undefined]).toContain((await find(request))?.cancelled);
  });
}

function listing(theFixture: () => PickupFixture): void {
  test("pickups are listed with their references from when they were scheduled or cancelled on", async () => {
    const { pickups, ask } = theFixture();
    const request = ask();
    const { reference, references, address, contact, date, ready_time, close_time } = request;
    const { instructions, tracking_codes } = request;
    const list = async (since: Date, environment: "live" | "test" = "test") => {
      const all = await listAll(pickups, { environment, since });
      return all.filter((each) => each.reference === reference);
    };
    const before = new Date();
    const pickup = await pickups.schedule(request, noAbort);
    const expected = {
      ...pickup,
      reference,
      references,
      cancelled: false,
      address,
      contact,
      date,
      ready_time,
      close_time,
      instructions,
      tracking_codes,
    };
    const first = await list(before);
    expect(first).toEqual([{ ...expected, asked_at: expect.any(Date) as Date }]);
    expect(await list(before, "live")).toEqual([]);
    const after = new Date(first[0]!.asked_at.getTime() + 1);
    await expect.poll(() => Date.now()).toBeGreaterThan(after.getTime());
    expect(await list(after)).toEqual([]);
    await pickups.cancel({ context, reference, ...pickup }, noAbort);
    expect(await list(after)).toEqual([{ ...first[0]!, cancelled: true }]);
  });

  test("pickups of other systems under the same contract are left out", async () => {
    const { pickups, ask } = theFixture();
    const { references: _ours, ...anonymous } = ask();
    await pickups.schedule(anonymous as never, noAbort);
    const all = await listAll(pickups, { environment: "test", since: new Date(0) });
    expect(all.map(({ reference }) => reference)).not.toContain(anonymous.reference);
  });
}

function failing(
  theFixture: () => PickupFixture,
  makeCarrier: (url: string) => Carrier,
  traits: CarrierTraits,
): void {
  test("a pickup whose response is lost is unknown and found afterwards, and so is its cancellation", async () => {
    const { pickups, ask, find } = theFixture();
    const request = ask("sim:lost_answer");
    const { reference } = request;
    expect((await failureOf(pickups.schedule(request, noAbort))).kind).toBe("unknown");
    const found = await find(request);
    if (found === undefined) return;
    expect(found!.fee ?? request.expected_fee).toEqual(request.expected_fee);
    expect(found!.cancelled).toBe(false);
    const cancel = () => pickups.cancel({ context, reference, ...found! }, noAbort);
    expect((await failureOf(cancel())).kind).toBe("unknown");
    const after = await find(request);
    expect(traits.seenPickup ? after : after?.cancelled).toBe(traits.seenPickup ? null : true);
    await cancel();
  });

  test("a carrier that fails before it does anything is unknown, and has nothing", async () => {
    const { pickups, ask, find } = theFixture();
    const request = ask("sim:error=*");
    expect((await failureOf(pickups.schedule(request, noAbort))).kind).toBe("unknown");
    expect([null, undefined]).toContain(await find(request));
  });

  test("an abort ends a hung call", async () => {
    const { pickups, ask } = theFixture();
    const failure = await failureOf(
      pickups.schedule(ask("sim:timeout=*"), AbortSignal.timeout(30)),
    );
    expect(failure.exclusion).toBe("carrier_timeout");
    // One that is asked for a price first may be given up before anything was sent.
    const kinds = traits.asks_before_scheduling ? ["unknown", "unreachable"] : ["unknown"];
    expect(kinds).toContain(failure.kind);
  });

  test.each(garbage)(
    "%s proves nothing of a pickup that was sent, and is unknown for its lookup, its list and its cancellation",
    async (name, answer) => {
      const broken = await aBrokenParty((request, response) => {
        if (!traits.beforehand(request, response)) answer(response);
      });
      const { ask } = theFixture();
      const { pickups, descriptor } = makeCarrier(broken.url);
      const { schedule, lookUp, list, cancel } = pickups!;
      const request = {
        context,
        reference: "r",
        carrier_pickup_id: "p",
        confirmation_number: "NONE1",
        date: "2026-10-06",
        carrier_data: null,
      };
      const scheduled = await failureOf(schedule(ask(), noAbort));
      expect(scheduled.kind).toBe(traits.asks_before_scheduling ? "unreachable" : "unknown");
      for (const call of [
        ...(descriptor.pickups!.lookUp.by === "none"
          ? []
          : [() => lookUp(sentPickup(ask()), noAbort)]),
        ...(descriptor.pickups!.listsPickups
          ? [() => list({ environment: "test", since: new Date(0), cursor: null }, noAbort)]
          : []),
        ...(traits.cancels_silently && name === "an empty response"
          ? []
          : [() => cancel(request, noAbort)]),
      ])
        expect((await failureOf(call())).kind).toBe("unknown");
      await broken.close();
    },
  );
}
