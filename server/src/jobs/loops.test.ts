import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { DatabaseUnavailable } from "../database/errors.ts";
import { newActivity } from "../domain/scheduling/activity.ts";
import { startLoops } from "./loops.ts";

const away = () => new DatabaseUnavailable("the database is unavailable", { may_have_run: false });

/** Runs one loop through these rounds, each of which throws or does not, and returns what was logged. */
async function logOf(rounds: (Error | null)[]): Promise<string[]> {
  const logged: string[] = [];
  const log = pino({ level: "error" }, { write: (line) => void logged.push(line) });
  const left = [...rounds];
  const run = async () => {
    const next = left.shift();
    if (next) throw next;
    return left.length > 0;
  };
  const loops = startLoops([{ name: "test", every_ms: 1, run }], log);
  onTestFinished(() => loops.stop());
  await vi.waitFor(() => expect(left).toEqual([]), { timeout: 10_000, interval: 5 });
  await loops.stop();
  return logged.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message);
}

test("a loop survives an unavailable database, and logs it once each time", async () => {
  const one = "the database is unavailable";
  expect(await logOf([away(), away(), away(), null])).toEqual([one]);
  expect(await logOf([away(), null, away(), null])).toEqual([one, one]);
});

test("a loop survives bugs, and logs each one", async () => {
  const bug = () => new Error("boom");
  expect(await logOf([bug(), bug(), away(), bug(), null])).toHaveLength(4);
});

test("while nothing is asked of a process, its loops rest until something is, but for those that must not", async () => {
  const rounds = { poll: 0, daily: 0, restless: 0 };
  const counting = (name: keyof typeof rounds, options: { every_ms: number }) => ({
    name,
    run: async () => {
      rounds[name]++;
      return false;
    },
    ...options,
  });
  const activity = newActivity(0);
  const loops = startLoops(
    [
      counting("poll", { every_ms: 1 }),
      counting("daily", { every_ms: 86_400_000 }),
      { ...counting("restless", { every_ms: 1 }), is_restless: true },
    ],
    pino({ level: "silent" }),
    activity,
  );
  onTestFinished(() => loops.stop());
  const untilRestless = (count: number) =>
    vi.waitFor(() => expect(rounds.restless).toBeGreaterThanOrEqual(count), { interval: 1 });
  await untilRestless(20);
  expect(rounds).toMatchObject({ poll: 1, daily: 1 });
  activity.note();
  await untilRestless(rounds.restless + 20);
  expect(rounds).toMatchObject({ poll: 2, daily: 1 });
});

test("the first rounds of several loops do not begin at once, but one after the other", async () => {
  const begun: string[] = [];
  const names = ["one", "two", "three"];
  const daily = names.map((name) => ({
    name,
    every_ms: 86_400_000,
    run: async () => {
      begun.push(name);
      return false;
    },
  }));
  const loops = startLoops(daily, pino({ level: "silent" }));
  onTestFinished(() => loops.stop());
  expect(begun).toEqual(["one"]);
  await vi.waitFor(() => expect(begun).toEqual(names), { interval: 1 });
});
