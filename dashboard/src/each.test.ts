import { WaybillError } from "@waybill/sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callEach, type Settled } from "./each.ts";

const things = Array.from({ length: 20 }, (_, index) => index);

test("four calls are under way at once, and each thing is called for once", async () => {
  const called: number[] = [];
  const settled: Settled<number>[] = [];
  let open = 0;
  let most = 0;
  await callEach(
    things,
    async (thing) => {
      called.push(thing);
      most = Math.max(most, ++open);
      await Promise.resolve();
      open--;
    },
    { signal: new AbortController().signal, onSettled: (each) => settled.push(each) },
  );
  expect(most).toBe(4);
  expect(called).toEqual(things);
  expect(settled.every(({ error }) => error === null)).toBe(true);
});

test("a call that fails keeps no other from being made, and its error is told with its thing", async () => {
  const settled: Settled<number>[] = [];
  const refusal = new Error("no");
  await callEach(things, (thing) => (thing === 3 ? Promise.reject(refusal) : Promise.resolve()), {
    signal: new AbortController().signal,
    onSettled: (each) => settled.push(each),
  });
  expect(settled).toHaveLength(20);
  expect(settled.filter(({ error }) => error !== null)).toEqual([{ thing: 3, error: refusal }]);
});

test("no call begins after the signal, and those under way are waited for", async () => {
  const stopping = new AbortController();
  const settled: Settled<number>[] = [];
  await callEach(
    things,
    async (thing) => {
      if (thing === 3) stopping.abort();
      await Promise.resolve();
    },
    { signal: stopping.signal, onSettled: (each) => settled.push(each) },
  );
  expect(settled.map(({ thing }) => thing)).toEqual([0, 1, 2, 3]);
});

const limited = (retryAfterSeconds: number) =>
  new WaybillError({ code: "too_many_requests", message: "", status: 429, retryAfterSeconds });

describe("when the server takes no more calls", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("all calls wait until it takes more, which is told, and the refused one is made again", async () => {
    const called: number[] = [];
    const pauses: (number | null)[] = [];
    const settled: Settled<number>[] = [];
    const start = Date.now();
    const ended = callEach(
      things,
      async (thing) => {
        called.push(thing);
        if (called.length === 3) throw limited(20);
      },
      {
        signal: new AbortController().signal,
        onSettled: (each) => settled.push(each),
        onPause: (until) => pauses.push(until),
      },
    );
    await vi.advanceTimersByTimeAsync(19_000);
    expect(pauses).toEqual([start + 20_000]);
    const before = called.length;
    expect(before).toBeLessThanOrEqual(8);
    await vi.advanceTimersByTimeAsync(1000);
    await ended;
    expect(pauses).toEqual([start + 20_000, null]);
    expect(called.filter((thing) => thing === 2)).toHaveLength(2);
    expect(settled.map(({ thing }) => thing).sort((a, b) => a - b)).toEqual(things);
    expect(settled.every(({ error }) => error === null)).toBe(true);
  });

  test("a signal ends the wait, and what was to be tried again is not settled", async () => {
    const stopping = new AbortController();
    const settled: Settled<number>[] = [];
    const ended = callEach([1, 2], () => Promise.reject(limited(60)), {
      signal: stopping.signal,
      onSettled: (each) => settled.push(each),
    });
    await vi.advanceTimersByTimeAsync(1000);
    stopping.abort();
    await ended;
    expect(settled).toEqual([]);
  });

  test("a wait of more than a minute is no limit of calls, and is told as the error that it is", async () => {
    const settled: Settled<number>[] = [];
    const refusal = limited(3000);
    await callEach([1], () => Promise.reject(refusal), {
      signal: new AbortController().signal,
      onSettled: (each) => settled.push(each),
    });
    expect(settled).toEqual([{ thing: 1, error: refusal }]);
  });

  test("a call without an answer is tried twice more", async () => {
    const settled: Settled<number>[] = [];
    const lost = new WaybillError({ code: "connection_failed", message: "" });
    let calls = 0;
    const ended = callEach(
      [1],
      () => {
        calls++;
        return Promise.reject(lost);
      },
      { signal: new AbortController().signal, onSettled: (each) => settled.push(each) },
    );
    await vi.advanceTimersByTimeAsync(5000);
    await ended;
    expect(calls).toBe(3);
    expect(settled).toEqual([{ thing: 1, error: lost }]);
  });
});
