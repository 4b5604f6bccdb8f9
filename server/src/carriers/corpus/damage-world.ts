import fc from "fast-check";
import type { HttpAnswer } from "../../transport/http-call.ts";

/** Answers as carriers never should give them, and all have: good ones, damaged. */

const oddValues: unknown[] = [
  null,
  true,
  "",
  " ",
  "0012",
  "-1",
  "1e5",
  "12.345",
  "NaN",
  "9".repeat(22),
  "\0\ud800",
  "&#xD;1",
  "20261399",
  9.4e21,
  1e308,
  -0.005,
  [],
  {},
  [[]],
  ["x", 1],
  { a: { b: 1 } },
];

/** Any of these answers with some of its parts replaced, wrapped in lists, cut off, or none of it left. */
export function damaged(seeds: readonly unknown[]): fc.Arbitrary<HttpAnswer> {
  return fc
    .record({
      seed: fc.constantFrom(...seeds),
      changes: fc.array(
        fc.record({
          at: fc.nat(400),
          how: fc.constantFrom("replace", "wrap", "unwrap", "remove" as const),
          value: fc.constantFrom(...oddValues),
        }),
        { maxLength: 4 },
      ),
      cut: fc.option(fc.nat(3_000), { freq: 6 }),
      garbage: fc.option(fc.uint8Array({ maxLength: 60 }), { freq: 10 }),
      status: fc.constantFrom(200, 200, 200, 201, 204, 302, 400, 401, 404, 409, 429, 500, 503),
      headers: fc.constantFrom({}, { errordescription: "No.", errorcode: "1" }),
    })
    .map(({ seed, changes, cut, garbage, status, headers }) => {
      const value = changes.reduce<unknown>((changed, change) => apply(changed, change), seed);
      const text = JSON.stringify(value) ?? "";
      const whole = garbage ? Buffer.from(garbage) : Buffer.from(text);
      const bytes = cut === null ? whole : whole.subarray(0, cut);
      return { status, headers, bytes, retry_after_seconds: null };
    });
}

interface Change {
  at: number;
  how: string;
  value: unknown;
}

/** The value with the change made to the part that is reached after so many others. */
function apply(value: unknown, { at, how, value: put }: Change): unknown {
  let left = at;
  const visit = (part: unknown): unknown => {
    if (left === 0) {
      left -= 1;
      if (how === "wrap") return [part];
      if (how === "unwrap") return Array.isArray(part) ? (part as unknown[])[0] : part;
      return how === "remove" ? undefined : put;
    }
    left -= 1;
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, visit(each)]));
  };
  return visit(value);
}
