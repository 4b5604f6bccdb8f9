import { expect, test } from "vitest";
import { ring, type LogLine } from "./ring.ts";

const at = new Date("2026-10-05T14:00:00Z");

function aRing(limits: { lines_max?: number; bytes_max?: number } = {}) {
  const counted: number[] = [];
  const all = { lines_max: 3, bytes_max: 1e9, ...limits };
  return { ...ring({ ...all, now: () => at, on_lost: (count) => counted.push(count) }), counted };
}

const aLine = (id: string, body: string | null = null): LogLine => ({
  request: { id } as never,
  bodies: body === null ? null : { request_body: body, response_body: null },
  subject_ids: [],
});
const idsOf = (lines: LogLine[]) =>
  lines.map((line) => ("request" in line ? line.request.id : null));

test("a full ring drops the oldest line, counts it, and says when", () => {
  const full = aRing();
  for (const id of ["a", "b", "c", "d", "e"]) full.append(aLine(id));
  expect(full.counted).toEqual([1, 1]);
  expect(full.lost()).toEqual({ count: 2, at });
  expect(idsOf(full.take(10))).toEqual(["c", "d", "e"]);
});

test("lines that are being written count against the limit, and are dropped by no newer one", () => {
  const slow = aRing();
  for (const id of ["a", "b"]) slow.append(aLine(id));
  expect(idsOf(slow.take(10))).toEqual(["a", "b"]);
  for (const id of ["c", "d"]) slow.append(aLine(id));
  expect(slow.counted).toEqual([1]);
  slow.release("written");
  expect(idsOf(slow.take(10))).toEqual(["d"]);
});

test("bytes are bounded as well as lines", () => {
  const small = aRing({ lines_max: 1e6, bytes_max: 100_000 });
  for (let count = 0; count < 1000; count++) small.append(aLine(String(count), "x".repeat(4000)));
  expect(idsOf(small.take(1000)).at(-1)).toBe("999");
  expect(small.counted.length).toBeGreaterThan(980);
});

test("what is reported is lost no more, and what is lost meanwhile is reported next", () => {
  const full = aRing({ lines_max: 1 });
  for (const id of ["a", "b", "c", "d"]) full.append(aLine(id));
  full.reported(2);
  expect(full.lost()).toEqual({ count: 1, at });
  full.reported(1);
  expect(full.lost()).toBeNull();
});

test("a ring that never was full loses nothing, in any order of taking and appending", () => {
  const long = aRing({ lines_max: 5000 });
  const seen: unknown[] = [];
  for (let count = 0; count < 20_000; count++) {
    long.append(aLine(String(count)));
    if (count % 700 === 699) seen.push(...idsOf(long.take(700)));
    long.release("written");
  }
  seen.push(...idsOf(long.take(700)));
  expect(seen).toEqual(Array.from({ length: 20_000 }, (_, count) => String(count)));
});
