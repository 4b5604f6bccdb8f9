import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  CarrierError,
  type CallContext,
  type Carrier,
  type CarrierLabel,
  type CarrierQuote,
  type LabelRequest,
  type QuoteRequest,
  type SentLabel,
  type TrackRequest,
} from "../carrier.ts";
import { spendCall } from "../../domain/scheduling/call-budget.ts";
import { ups, upsOverRest } from "../ups/ups.ts";
import { carrierGuard, type GuardOptions } from "./guard.ts";

/** A guarded carrier whose responses, and their times, the test decides. */

interface Call {
  operation: string;
  account_id: string;
  answer(): void;
  fail(error: CarrierError): void;
}

function aWorld(options: Partial<GuardOptions> = {}) {
  const calls: Call[] = [];
  const refused: string[] = [];
  const open: number[] = [];
  const guard = carrierGuard({
    quotes_max: 3,
    purchases_max: 2,
    calls_max: 20,
    wait_ms: 1000,
    circuit_failures: 3,
    processes: () => 1,
    on_circuit: (_carrier, count) => void open.push(count),
    on_refused: (_carrier, operation, reason) => void refused.push(`${operation} ${reason}`),
    ...options,
  });
  const told = (operation: string, { account_id }: CallContext, signal: AbortSignal) =>
    new Promise<never>((resolve, reject) => {
      const answer = () => resolve(null as never);
      calls.push({ operation, account_id, answer, fail: reject });
      signal.addEventListener("abort", () => reject(late), { once: true });
    });
  const plain: Carrier = {
    descriptor: { ...ups, connected: upsOverRest, purchaseTimeoutSeconds: 10 },
    quote: ({ context }, signal) => told("quotes", context, signal),
    buyLabel: ({ context }, signal) => told("purchases", context, signal),
    lookUpLabel: ({ context }, signal) => told("look_ups", context, signal),
    fetchFiles: ({ context }, _format, signal) => told("look_ups", context, signal),
    refundState: ({ context }, signal) => told("look_ups", context, signal),
    voidLabel: ({ context }, signal) => told("voids", context, signal),
    track: ({ context }, signal) => told("tracking", context, signal),
    listLabels: async () => ({ labels: [], next_cursor: null }),
    pickups: {
      schedule: ({ context }, signal) => told("pickups", context, signal),
      lookUp: ({ context }, signal) => told("look_ups", context, signal),
      list: async () => ({ pickups: [], next_cursor: null }),
      cancel: ({ context }, signal) => told("pickups", context, signal),
    },
  };
  return { carrier: guard.guard(plain), plain, calls, refused, open, guard };
}

const error = (kind: CarrierError["kind"], carrier_code: string) =>
  new CarrierError({ kind, carrier: "ups", carrier_code, message: "No." });
const late = error("unknown", "timeout");
const gone = error("unreachable", "connection");
const refusal = error("refused", "shipment_refused");
const lost = error("unknown", "connection");
const broken = error("unknown", "bad_answer");

const never = new AbortController().signal;
const context = (account_id: string) => ({
  context: { account_id, environment: "test" as const, connection: null },
});
const onConnection = (id: string, account_id: string) => {
  const owned = { id, environment: "test" as const, origin: "platform" as const, version: 1 };
  const connection = { ...owned, values: {}, secrets: {} };
  return { context: { account_id, environment: "test" as const, connection } };
};
const onBudget = (budgets: object, id = "con_1") => {
  const { context: at } = onConnection(id, "a");
  return { context: { ...at, connection: { ...at.connection, budgets } } };
};
const buy = (carrier: Carrier, account = "a", signal = never): Promise<CarrierLabel> =>
  carrier.buyLabel(context(account) as LabelRequest, signal);
const quote = (carrier: Carrier, account = "a", signal = never): Promise<CarrierQuote> =>
  carrier.quote(context(account) as QuoteRequest, signal);
const find = (carrier: Carrier, account = "a") =>
  carrier.lookUpLabel(context(account) as SentLabel, never);

/** Lets everything that does not wait for time or a response run to its end. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** How the call ended: `answered`, or the failure's code. */
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => "answered",
    (failure: CarrierError) => `${failure.kind} ${failure.carrier_code}`,
  );

describe("slots", () => {
  test("an account has so many purchases in flight; the next waits for a slot", async () => {
    const { carrier, calls } = aWorld();
    const bought = [1, 2, 3].map(() => outcomeOf(buy(carrier)));
    await settled();
    expect(calls).toHaveLength(2);
    calls[0]!.answer();
    await settled();
    expect(calls).toHaveLength(3);
    calls.forEach(({ answer }) => answer());
    expect(await Promise.all(bought)).toEqual(["answered", "answered", "answered"]);
  });

  test("another account, and another operation, has slots of its own", async () => {
    const { carrier, calls } = aWorld();
    const all = [
      buy(carrier),
      buy(carrier),
      buy(carrier),
      buy(carrier, "b"),
      quote(carrier),
      find(carrier),
    ];
    await settled();
    expect(calls.map(({ operation, account_id }) => `${account_id} ${operation}`)).toEqual([
      "a purchases",
      "a purchases",
      "b purchases",
      "a quotes",
      "a look_ups",
    ]);
    calls.forEach(({ answer }) => answer());
    await settled();
    calls.forEach(({ answer }) => answer());
    await Promise.all(all);
  });

  test("each connection has slots of its own, and circuits", async () => {
    const { carrier, calls, guard } = aWorld();
    const on = (id: string) =>
      outcomeOf(carrier.buyLabel(onConnection(id, "a") as LabelRequest, never));
    const none = () => outcomeOf(buy(carrier));
    const all = [none(), none(), none(), on("con_1"), on("con_1"), on("con_1")];
    await settled();
    expect(calls).toHaveLength(4);
    const ended = () => calls.splice(0).forEach(({ fail }) => fail(late));
    for (let round = 0; round < 2; round++) {
      ended();
      await settled();
    }
    await Promise.all(all);
    expect(guard.openCircuits()).toEqual([
      { carrier: "ups", account_id: "a" },
      { carrier: "ups", account_id: "a", connection_id: "con_1" },
    ]);
    const other = on("con_2");
    await settled();
    expect(calls).toHaveLength(1);
    calls[0]!.answer();
    expect(await other).toBe("answered");
    expect(await on("con_1")).toBe("unreachable circuit_open");
  });

  test("all accounts on one connection have so many together", async () => {
    const { carrier, calls } = aWorld();
    const accounts = Array.from({ length: 10 }, (_each, index) => `account ${index}`);
    const all = accounts.flatMap((account) =>
      ["con_1", "con_2"].map((id) =>
        carrier.buyLabel(onConnection(id, account) as LabelRequest, never),
      ),
    );
    await settled();
    // Of 20 calls on each connection six may be purchases.
    expect(calls).toHaveLength(12);
    while (calls.length < all.length) {
      calls.forEach(({ answer }) => answer());
      await settled();
    }
    calls.forEach(({ answer }) => answer());
    await Promise.all(all);
  });

  test("all accounts together have so many of an operation: quotes cannot take the purchases' slots", async () => {
    // Of 20: ten quotes, six purchases, two lookups, one void, one pickup.
    const { carrier, calls } = aWorld();
    const accounts = Array.from({ length: 10 }, (_each, index) => `account ${index}`);
    const all = accounts.flatMap((account) => [
      quote(carrier, account),
      quote(carrier, account),
      buy(carrier, account),
      find(carrier, account),
    ]);
    await settled();
    const count = (kind: string) => calls.filter(({ operation }) => operation === kind).length;
    expect([count("quotes"), count("purchases"), count("look_ups")]).toEqual([9, 6, 2]);
    while (calls.length < all.length) {
      calls.forEach(({ answer }) => answer());
      await settled();
    }
    calls.forEach(({ answer }) => answer());
    await Promise.all(all);
  });

  test("a purchase that gets no slot in time is refused and never sent", async () => {
    const { carrier, calls, refused } = aWorld({ wait_ms: 30 });
    const first = [buy(carrier), buy(carrier)];
    expect(await outcomeOf(buy(carrier))).toBe("unreachable carrier_busy");
    calls.forEach(({ answer }) => answer());
    await Promise.all(first);
    await settled();
    expect(calls).toHaveLength(2);
    expect(refused).toEqual(["purchases carrier_busy"]);
  });

  test("a purchase whose slot is freed only after the process was paused is not sent", async () => {
    const { carrier, calls } = aWorld({ wait_ms: 30 });
    const first = [buy(carrier), buy(carrier)];
    const third = outcomeOf(buy(carrier));
    await settled();
    // Nothing runs meanwhile, no timer either: the slot is freed before the clock is read.
    const until = performance.now() + 40;
    while (performance.now() < until);
    calls.forEach(({ answer }) => answer());
    expect(await third).toBe("unreachable carrier_busy");
    await Promise.all(first);
    expect(calls).toHaveLength(2);
  });

  test("a quote waits until its caller's deadline", async () => {
    const { carrier, calls } = aWorld({ wait_ms: 1 });
    const asking = [1, 2, 3].map(() => quote(carrier));
    const caller = new AbortController();
    const fourth = outcomeOf(quote(carrier, "a", caller.signal));
    await settled();
    caller.abort();
    expect(await fourth).toBe("unreachable carrier_busy");
    calls.forEach(({ answer }) => answer());
    await Promise.all(asking);
    await settled();
    expect(calls).toHaveLength(3);
  });

  test("beyond a thousand waiting, the next is refused at once, and its services are excluded as retryable", async () => {
    const { carrier, calls } = aWorld();
    const waiting = Array.from({ length: 1003 }, () => outcomeOf(quote(carrier)));
    const refused = await quote(carrier).catch((failure: unknown) => failure);
    expect(refused).toMatchObject({
      carrier_code: "carrier_busy",
      exclusion: "carrier_rate_limited",
    });
    while (calls.length < 1003) {
      calls.forEach(({ answer }) => answer());
      await settled();
    }
    calls.forEach(({ answer }) => answer());
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["answered"]));
  });

  test("a thousand idle accounts are kept, and beyond that only busy ones", async () => {
    const { carrier, calls } = aWorld();
    const busy = [buy(carrier, "busy"), buy(carrier, "busy")];
    await settled();
    for (let index = 0; index < 1100; index++) {
      const asked = quote(carrier, `account ${index}`);
      await settled();
      calls.at(-1)!.answer();
      await asked;
    }
    const third = buy(carrier, "busy");
    await settled();
    const ofBusy = () => calls.filter(({ account_id }) => account_id === "busy").length;
    expect(ofBusy()).toBe(2);
    calls.forEach(({ answer }) => answer());
    await settled();
    expect(ofBusy()).toBe(3);
    calls.forEach(({ answer }) => answer());
    await Promise.all([...busy, third]);
  });
});

describe("the budget of a connection", () => {
  /** Calls that are answered at once, each as one call of the carrier's. */
  function answering(options: Partial<GuardOptions> = {}) {
    const world = aWorld(options);
    const made: string[] = [];
    const one = async (operation: string) => {
      spendCall();
      made.push(operation);
      return null as never;
    };
    const carrier = world.guard.guard({
      ...world.plain,
      quote: () => one("quote"),
      buyLabel: () => one("buy"),
      lookUpLabel: () => one("look up"),
      track: () => one("track"),
    });
    return { ...world, carrier, made };
  }
  const times = async (count: number, ask: () => Promise<unknown>) => {
    const outcomes: string[] = [];
    for (let each = 0; each < count; each++) outcomes.push(await outcomeOf(ask()));
    return outcomes.filter((outcome) => outcome === "answered").length;
  };

  test("tracking and prices leave a part of it to labels", async () => {
    const { carrier, made } = answering();
    const on = onBudget({ all: { per_hour: 10 } });
    expect(await times(20, () => carrier.track(on as TrackRequest, never))).toBe(6);
    expect(await times(20, () => carrier.quote(on as QuoteRequest, never))).toBe(2);
    expect(await times(20, () => carrier.buyLabel(on as LabelRequest, never))).toBe(2);
    expect(made).toHaveLength(10);
  });

  test("a group has its own, and lookups of a carrier that is asked by way of tracking are tracking's", async () => {
    const { carrier } = answering();
    const on = onBudget({ tracking: { per_minute: 5 }, labels: { per_minute: 2 } });
    expect(await times(9, () => carrier.track(on as TrackRequest, never))).toBe(3);
    expect(await times(9, () => carrier.lookUpLabel(on as SentLabel, never))).toBe(2);
    expect(await times(9, () => carrier.buyLabel(on as LabelRequest, never))).toBe(2);
    expect(await times(9, () => carrier.quote(on as QuoteRequest, never))).toBe(9);
    const other = onBudget({ labels: { per_minute: 2 } }, "con_2");
    expect(await times(9, () => carrier.buyLabel(other as LabelRequest, never))).toBe(2);
  });

  test("what is beyond it is not sent, says when it may be, and opens no circuit", async () => {
    const { carrier, refused, open } = answering();
    const on = onBudget({ rates: { per_minute: 1 } });
    expect(await times(9, () => carrier.quote(on as QuoteRequest, never))).toBe(1);
    const failure = await carrier
      .quote(on as QuoteRequest, never)
      .catch((error: unknown) => error as CarrierError);
    expect(failure).toMatchObject({
      kind: "unreachable",
      carrier_code: "over_budget",
      exclusion: "carrier_rate_limited",
      retry_after_seconds: expect.toSatisfy(
        (seconds: number) => seconds > 50 && seconds < 62,
      ) as number,
    });
    expect(refused).toContain("quotes over_budget");
    expect(open).toEqual([]);
  });

  test("several processes share it", async () => {
    const { carrier } = answering({ processes: () => 3 });
    const on = onBudget({ labels: { per_minute: 9 } });
    expect(await times(9, () => carrier.buyLabel(on as LabelRequest, never))).toBe(3);
  });
});

describe("the circuit", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());
  const passMs = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

  type World = ReturnType<typeof aWorld>;
  /** One call that ends in this way. */
  async function ends(world: World, call: Promise<unknown>, failure: CarrierError | null) {
    const outcome = outcomeOf(call);
    await settled();
    const last = world.calls.at(-1)!;
    if (failure) last.fail(failure);
    else last.answer();
    return outcome;
  }
  const isOpen = ({ open }: World) => (open.at(-1) ?? 0) > 0;

  test("opens when there is no listener, for any operation; then nothing is sent", async () => {
    const world = aWorld();
    const { carrier, calls } = world;
    await ends(world, buy(carrier), gone);
    await ends(world, quote(carrier), gone);
    expect(isOpen(world)).toBe(false);
    await ends(world, find(carrier), gone);
    expect(isOpen(world)).toBe(true);
    expect(world.guard.openCircuits()).toEqual([{ carrier: "ups", account_id: "a" }]);
    expect(await outcomeOf(buy(carrier))).toBe("unreachable circuit_open");
    const excluded = await quote(carrier).catch((failure: unknown) => failure);
    expect(excluded).toMatchObject({ carrier_code: "circuit_open", exclusion: "carrier_error" });
    expect(calls).toHaveLength(3);
    expect(world.refused).toEqual(["purchases circuit_open", "quotes circuit_open"]);
    // Other accounts have circuits of their own, which open by their own failures.
    expect(await ends(world, buy(carrier, "b"), null)).toBe("answered");
  });

  test("lets lookups through, and closes when one is answered", async () => {
    const world = aWorld();
    const { carrier } = world;
    for (let each = 0; each < 3; each++) await ends(world, buy(carrier), gone);
    expect(await ends(world, find(carrier), gone)).toBe("unreachable connection");
    expect(isOpen(world)).toBe(true);
    expect(await ends(world, find(carrier), null)).toBe("answered");
    expect(isOpen(world)).toBe(false);
    expect(await ends(world, buy(carrier), null)).toBe("answered");
  });

  test("lets one call through after two seconds; its response closes, its failure opens again", async () => {
    const world = aWorld();
    const { carrier, calls } = world;
    for (let each = 0; each < 3; each++) await ends(world, buy(carrier), gone);
    passMs(1999);
    expect(await outcomeOf(buy(carrier))).toBe("unreachable circuit_open");
    passMs(1);
    const probe = outcomeOf(buy(carrier));
    expect(await outcomeOf(buy(carrier))).toBe("unreachable circuit_open");
    calls.at(-1)!.fail(gone);
    expect(await probe).toBe("unreachable connection");
    expect(await outcomeOf(quote(carrier))).toBe("unreachable circuit_open");
    passMs(2000);
    expect(await ends(world, quote(carrier), null)).toBe("answered");
    expect(isOpen(world)).toBe(false);
    expect(await ends(world, buy(carrier), gone)).toBe("unreachable connection");
    expect(isOpen(world)).toBe(false);
  });

  test("opens when purchases time out, even if quotes and lookups are answered", async () => {
    const world = aWorld();
    const { carrier, calls } = world;
    for (let each = 0; each < 3; each++) {
      await ends(world, quote(carrier), null);
      await ends(world, find(carrier), null);
      await ends(world, buy(carrier), late);
    }
    expect(isOpen(world)).toBe(true);
    await ends(world, find(carrier), null);
    expect(await outcomeOf(quote(carrier))).toBe("unreachable circuit_open");
    passMs(2000);
    // A quote would not show that purchases work again.
    expect(await ends(world, quote(carrier), null)).toBe("answered");
    expect(isOpen(world)).toBe(true);
    expect(await ends(world, buy(carrier), late)).toBe("unknown timeout");
    expect(await outcomeOf(quote(carrier))).toBe("unreachable circuit_open");
    passMs(2000);
    expect(await ends(world, buy(carrier), refusal)).toBe("refused shipment_refused");
    expect(isOpen(world)).toBe(false);
    expect(calls.length).toBeGreaterThan(0);
  });

  test.each([
    ["quotes that are not answered", quote, late],
    ["quotes that are answered with nonsense", quote, broken],
    ["purchases that are refused", buy, refusal],
    ["purchases whose connection breaks", buy, lost],
    ["purchases that are answered with nonsense", buy, broken],
  ])("never opens for %s", async (_what, ask, failure) => {
    const world = aWorld();
    for (let each = 0; each < 20; each++) await ends(world, ask(world.carrier), failure);
    expect(world.open).toEqual([]);
    expect(world.refused).toEqual([]);
  });

  test("counts consecutive failures: a response in between starts anew", async () => {
    const world = aWorld();
    const { carrier } = world;
    for (let each = 0; each < 4; each++) {
      await ends(world, buy(carrier), late);
      await ends(world, buy(carrier), late);
      await ends(world, buy(carrier), refusal);
    }
    expect(world.open).toEqual([]);
  });

  test("calls that waited for a slot when it opened are not sent", async () => {
    const world = aWorld({ wait_ms: 60_000 });
    const { carrier, calls } = world;
    const outcomes = Array.from({ length: 8 }, () => outcomeOf(buy(carrier)));
    await settled();
    while (!isOpen(world)) {
      calls.forEach(({ fail }) => fail(gone));
      await settled();
    }
    const ended = await Promise.all(outcomes);
    expect(
      ended.filter((outcome) => outcome === "unreachable circuit_open").length,
    ).toBeGreaterThan(3);
    expect(calls.length).toBeLessThan(5);
  });
});
