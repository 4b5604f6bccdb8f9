import { expect, test } from "vitest";
import type { Places } from "../database/leases/claim-by-party.ts";
import { partyLanes } from "./party-lanes.ts";

interface Asked {
  party: string;
  answer(isAnswered: boolean): void;
}

/** Parties that always have more to do, and the requests of each that are not answered yet. */
function endlessWork(...parties: string[]) {
  const asked: Asked[] = [];
  const given: Places[] = [];
  const round = partyLanes<string>({
    async take(places) {
      given.push(places);
      return parties.flatMap((party) =>
        Array<string>(places.of[party] ?? places.others).fill(party),
      );
    },
    partyOf: (party) => party,
    ask: (party) =>
      new Promise<boolean>((resolve) => asked.push({ party, answer: (is) => resolve(is) })),
  });
  const openOf = (party: string) => asked.filter((each) => each.party === party);
  const answerAll = (party: string, isAnswered: boolean) => {
    const open = openOf(party);
    asked.splice(0, asked.length, ...asked.filter((each) => each.party !== party));
    for (const each of open) each.answer(isAnswered);
  };
  return { given, round, openOf, answerAll };
}

test("a party that does not answer in time is asked for one item at a time, and for more once it answers", async () => {
  const { round, openOf, answerAll } = endlessWork("slow");
  const { signal } = new AbortController();
  const first = round(signal);
  await expect.poll(() => openOf("slow").length).toBe(8);
  answerAll("slow", false);
  await first;
  for (const places of [1, 2, 8, 8]) {
    const next = round(signal);
    await expect.poll(() => openOf("slow").length).toBe(places);
    answerAll("slow", true);
    await next;
  }
});

test("a party that hangs gets no more items, and delays no other party", async () => {
  const { given, round, openOf, answerAll } = endlessWork("hangs", "works");
  const { signal } = new AbortController();
  for (let turn = 0; turn < 3; turn++) {
    const next = round(signal);
    await expect.poll(() => openOf("works").length).toBe(8);
    answerAll("works", true);
    await next;
  }
  expect(openOf("hangs")).toHaveLength(8);
  expect(given.slice(1).map(({ of }) => of["hangs"])).toEqual([0, 0]);
  answerAll("hangs", true);
});
