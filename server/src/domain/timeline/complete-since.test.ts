import { expect, test } from "vitest";
import { completeSince } from "./complete-since.ts";

const now = new Date("2026-11-23T12:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

test.each([
  ["nothing, for what is younger than all that is pruned", 3, null, null],
  ["the shortest of the days that are kept", 10, null, daysAgo(7)],
  ["the last loss of lines", 3, daysAgo(2), daysAgo(2)],
  ["nothing, for a loss before it was created", 3, daysAgo(4), null],
  ["the later of both", 40, daysAgo(20), daysAgo(7)],
])("a timeline is complete since %s", (_name, created, gap, since) => {
  const kept = { days: [30, 7], last_gap: gap };
  expect(completeSince(daysAgo(created), kept, now)).toEqual(since);
});
