import { expect, test } from "vitest";
import { newActivity } from "./activity.ts";

const never = 1_000_000;
const { signal } = new AbortController();

test("a rest ends at once while there is activity", async () => {
  const activity = newActivity(never);
  await activity.rest(never, signal);
});

test("all that rest are woken by activity, and rest again after it", async () => {
  const activity = newActivity(0);
  for (const _ of [1, 2]) {
    const rests = [activity.rest(never, signal), activity.rest(never, signal)];
    expect(await Promise.race([...rests, Promise.resolve("resting")])).toBe("resting");
    activity.note();
    await Promise.all(rests);
  }
});

test("a stop ends a rest", async () => {
  const stopping = new AbortController();
  const rest = newActivity(0).rest(never, stopping.signal);
  stopping.abort();
  await rest;
});
