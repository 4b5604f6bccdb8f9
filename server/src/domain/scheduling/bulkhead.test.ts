import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { aBound, bulkhead, BulkheadFull, type Bound, type Seeker } from "./bulkhead.ts";

const seeker = (owner: string | null, bounds: Bound[], rank = 0): Seeker => ({
  owner,
  rank,
  bounds,
});

/** Lets every seeker that can be admitted be admitted. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** So many concurrent seekers of one owner; how many were admitted, and what releases the first of them. */
async function enterMany(places: ReturnType<typeof bulkhead>, who: Seeker, count: number) {
  const leaves: (() => void)[] = [];
  for (let asked = 0; asked < count; asked++)
    void places.enter(who).then((leave) => leaves.push(leave));
  await settled();
  return leaves;
}

test("one owner that wants all has half, two a third each, and a newcomer gets a slot", async () => {
  const [places, all] = [bulkhead(), aBound("all", 16)];
  const one = await enterMany(places, seeker("one", [all]), 100);
  expect(one.length).toBe(8);
  const two = await enterMany(places, seeker("two", [all]), 100);
  expect(two.length).toBe(4);
  for (const leave of one.splice(0, 8)) leave();
  await settled();
  // Eight released slots are shared with the owners that had fewer.
  expect([all.held.get("one")!, all.held.get("two")!].sort()).toEqual([5, 6]);
  expect((await enterMany(places, seeker("three", [all]), 1)).length).toBe(1);
});

test("however many come and go, no owner holds more than are left, and no slot is lost", async () => {
  const owners = fc.constantFrom("a", "b", "c", null);
  const moves = fc.array(fc.record({ owner: owners, leaves: fc.boolean() }), { maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(moves, async (list) => {
      const [places, all, few] = [
        bulkhead(),
        aBound("all", 10),
        aBound("few", 8, { each: () => 3 }),
      ];
      const inside: (() => void)[] = [];
      for (const { owner, leaves } of list) {
        if (leaves) inside.shift()?.();
        else
          void places
            .enter(seeker(owner, owner === null ? [all] : [all, few], owner === null ? 0 : 1))
            .then((leave) => inside.push(leave));
        await settled();
        expect(all.taken).toBe(inside.length);
        expect(all.taken).toBeLessThanOrEqual(10);
        expect(few.taken).toBeLessThanOrEqual(8);
        expect(Math.max(0, ...few.held.values())).toBeLessThanOrEqual(3);
      }
      while (inside.length > 0) {
        inside.shift()!();
        await settled();
      }
      expect([all.taken, few.taken, few.held.size]).toEqual([0, 0, 0]);
    }),
    { numRuns: 50 },
  );
});

test("a free slot goes to the lower rank, then to the owner that holds fewer, then to the first in the queue", async () => {
  const [places, all] = [bulkhead(), aBound("all", 4)];
  const order: string[] = [];
  const ask = (owner: string, name: string, rank: number) =>
    void places.enter(seeker(owner, [all], rank)).then(() => order.push(name));
  const busy = await enterMany(places, seeker("busy", [all], 1), 2);
  const other = await enterMany(places, seeker("other", [all], 1), 1);
  const platform = await enterMany(places, seeker(null, [all]), 1);
  ask("busy", "the busy one's", 1);
  ask("first", "the first", 1);
  ask("second", "the second", 1);
  ask("production", "production's", 0);
  for (const leave of [busy[0]!, other[0]!, platform[0]!, busy[1]!]) {
    leave();
    await settled();
  }
  expect(order).toEqual(["production's", "the first", "the second", "the busy one's"]);
});

test("a seeker that times out, is aborted, or is one too many, gets no slot and keeps none from others", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const [places, all] = [bulkhead(), aBound("all", 2)];
    const [leave] = await enterMany(places, seeker("one", [all]), 1);
    const late = places.enter(seeker("one", [all]), { wait_ms: 100, waiting_max: 2 });
    const gone = new AbortController();
    const left = places.enter(seeker("one", [all]), { wait_ms: 900, signal: gone.signal });
    const many = places.enter(seeker("one", [all]), { wait_ms: 900, waiting_max: 2 });
    await expect(many).rejects.toBeInstanceOf(BulkheadFull);
    const refused = Promise.allSettled([late, left]);
    gone.abort();
    vi.advanceTimersByTime(101);
    expect((await refused).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    leave!();
    leave!();
    expect(all.taken).toBe(0);
    expect((await enterMany(places, seeker("one", [all]), 1)).length).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test("each seeker times out by its own deadline, whatever the others'", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const [places, all] = [bulkhead(), aBound("all", 2)];
    await enterMany(places, seeker("one", [all]), 1);
    const ended: number[] = [];
    for (const wait_ms of [300, 100, 200])
      places.enter(seeker("one", [all]), { wait_ms }).catch(() => ended.push(wait_ms));
    for (const wanted of [[], [100], [100, 200], [100, 200, 300]]) {
      await settled();
      expect(ended).toEqual(wanted);
      vi.advanceTimersByTime(101);
    }
    expect((await enterMany(places, seeker("two", [all]), 1)).length).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test("an owner that has used up its time pauses until then, without any release; others do not wait for it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const [places, all] = [bulkhead(), aBound("all", 10, { each: () => 1 })];
    const one = seeker("one", [all]);
    const [leave] = await enterMany(places, one, 1);
    const next = await enterMany(places, one, 2);
    vi.advanceTimersByTime(500);
    places.use(one, 1500);
    leave!();
    await settled();
    // Of 1500 ms it may be ahead by 1000.
    expect(next.length).toBe(0);
    expect(places.enterNow(seeker("one", [aBound("elsewhere", 1)]))).not.toBeNull();
    expect((await enterMany(places, seeker("two", [all]), 1)).length).toBe(1);
    vi.advanceTimersByTime(499);
    await settled();
    expect(next.length).toBe(0);
    vi.advanceTimersByTime(2);
    await settled();
    expect(next.length).toBe(1);
    const late = places.enter(one, { wait_ms: 20 });
    const refused = expect(late).rejects.toBeInstanceOf(BulkheadFull);
    vi.advanceTimersByTime(21);
    await refused;
  } finally {
    vi.useRealTimers();
  }
});

test("an owner that uses less than its share of the time never pauses", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const [places, all] = [bulkhead(), aBound("all", 10)];
    for (let round = 0; round < 50; round++) {
      const leave = places.enterNow(seeker("one", [all]));
      expect(leave).not.toBeNull();
      places.use(seeker("one", [all]), 80);
      leave!();
      vi.advanceTimersByTime(80);
    }
  } finally {
    vi.useRealTimers();
  }
});
