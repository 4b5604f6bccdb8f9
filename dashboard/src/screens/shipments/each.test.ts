import { expect, test } from "vitest";
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
