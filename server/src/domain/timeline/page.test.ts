import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { beginning, comparePositions, type Position } from "./entry.ts";
import { mergePage } from "./page.ts";

/** Few moments and ranks, so that most positions have neighbours that differ in one part only. */
const position: fc.Arbitrary<Position> = fc.record({
  at: fc.integer({ min: 1, max: 3 }).map((millis) => new Date(millis)),
  rank: fc.integer({ min: 0, max: 2 }),
  id: fc.stringMatching(/^[a-c]{1,2}$/),
});
const keyOf = ({ at, rank, id }: Position) => `${at.getTime()} ${rank} ${id}`;
const sources = fc.uniqueArray(position, { selector: keyOf, maxLength: 40 }).chain((entries) =>
  fc
    .array(fc.integer({ min: 0, max: 3 }), {
      minLength: entries.length,
      maxLength: entries.length,
    })
    .map((places) =>
      [0, 1, 2, 3].map((source) => entries.filter((_, place) => places[place] === source)),
    ),
);

/** What a source reads: the first rows after the position, in order. */
function readFrom(entries: readonly Position[], after: Position, limit: number): Position[] {
  return entries
    .filter((entry) => comparePositions(entry, after) > 0)
    .toSorted(comparePositions)
    .slice(0, limit);
}

function walk(all: readonly (readonly Position[])[], limit: number): Position[] {
  const seen: Position[] = [];
  for (let after: Position | null = beginning; after;) {
    const from: Position = after;
    const read = all.map((entries) => readFrom(entries, from, limit + 1));
    const { entries, next } = mergePage(read, { after: from, limit });
    expect(entries.length).toBeLessThanOrEqual(limit);
    seen.push(...entries);
    after = next && decodeCursor(encodeCursor(next));
    if (next) expect(after).toEqual({ at: next.at, rank: next.rank, id: next.id });
  }
  return seen;
}

test("pages of any size have every entry once, in one order, also where moments are equal", () => {
  fc.assert(
    fc.property(sources, fc.integer({ min: 1, max: 50 }), (all, limit) => {
      expect(walk(all, limit).map(keyOf)).toEqual(all.flat().toSorted(comparePositions).map(keyOf));
    }),
  );
});

test("an entry of a source that was read in full is not shown again after its page", () => {
  const entry = { at: new Date(5), rank: 1, id: "a" };
  expect(mergePage([[entry]], { after: entry, limit: 10 })).toEqual({ entries: [], next: null });
});

test("a cursor that is cut, changed or another text is none", () => {
  const cursor = encodeCursor({ at: new Date(1_790_000_000_123), rank: 41, id: "hld_1.released" });
  expect(decodeCursor(cursor)).toEqual({
    at: new Date(1_790_000_000_123),
    rank: 41,
    id: "hld_1.released",
  });
  const others = [
    cursor.slice(0, -2),
    `${cursor}A`,
    `A${cursor.slice(1)}`,
    "",
    "0",
    "x".repeat(4000),
  ];
  expect(others.map(decodeCursor)).toEqual(others.map(() => null));
});
