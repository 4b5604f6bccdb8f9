import { afterEach, describe, expect, test, vi } from "vitest";
import type { CarrierQuote } from "../carriers/carrier.ts";
import {
  aCarrier,
  anInput,
  answersAll,
  fates,
  hanging,
  theDeps,
  type Answering,
} from "./quote-world.ts";
import { quote } from "./quote.ts";

afterEach(() => vi.useRealTimers());

describe("the deadline", () => {
  test("with every carrier hung and ignoring its abort, the response is sent at the timeout", async () => {
    vi.useFakeTimers();
    const signals: AbortSignal[] = [];
    const deaf: Answering = (request, signal) => {
      signals.push(signal);
      return hanging(request, signal);
    };
    const settled = vi.fn();
    const carriers = [aCarrier("a", deaf), aCarrier("b", deaf)];
    const answer = fates(carriers, { timeout_seconds: 1 }).finally(settled);
    await vi.advanceTimersByTimeAsync(999);
    expect(settled).not.toHaveBeenCalled();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toHaveBeenCalled();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(await answer).toEqual({
      "a.slow": "carrier_timeout",
      "a.express": "carrier_timeout",
      "b.slow": "carrier_timeout",
      "b.express": "carrier_timeout",
    });
  });

  test("what arrived in time is returned, along with the carrier that did not answer", async () => {
    vi.useFakeTimers();
    const answer = quote(anInput(), theDeps([aCarrier("a"), aCarrier("b", hanging)]));
    await vi.advanceTimersByTimeAsync(10_000);
    const { rates, excluded } = await answer;
    expect(rates.map(({ service }) => service)).toEqual(["a.slow", "a.express"]);
    expect(excluded).toMatchObject([
      { service: "b.slow", reason: "carrier_timeout", retryable: true },
      { message: "Carrier b did not answer within 10 s." },
    ]);
  });

  test("when all have answered the quote ends at once, and no timer is left behind", async () => {
    vi.useFakeTimers();
    const { rates } = await quote(anInput(), theDeps([aCarrier("a")]));
    expect(rates).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a carrier that fails after the deadline, or because of it, causes no unhandled rejection", async () => {
    vi.useFakeTimers();
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const late = Promise.withResolvers<CarrierQuote>();
    const obedient: Answering = (_request, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    const answer = fates([aCarrier("a", () => late.promise), aCarrier("b", obedient)]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(new Set(Object.values(await answer))).toEqual(new Set(["carrier_timeout"]));
    late.reject(new Error("late"));
    vi.useRealTimers();
    // Node reports unhandled rejections once the microtasks are done, before the next macrotask.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test("a carrier that answered in time is not aborted", async () => {
    const signals: AbortSignal[] = [];
    const noting: Answering = (request, signal) => {
      signals.push(signal);
      return answersAll(request, signal);
    };
    await quote(anInput(), theDeps([aCarrier("a", noting)]));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});
