import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { longestStretchMs } from "../../../test/loop/stretch.ts";
import { NotJson, parseJson, TooManyValues, valuesMax } from "./parse-json.ts";

const json = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 30 }),
  fc.record({ a: fc.jsonValue(), rows: fc.array(fc.jsonValue({ maxDepth: 2 })), z: fc.string() }),
);

describe("in pieces of any length", () => {
  const options = fc.record({ piece_length: fc.integer({ min: 1, max: 40 }) });

  test("a text has the same value as in one piece", async () => {
    await fc.assert(
      fc.asyncProperty(json, options, fc.constantFrom(undefined, 1, "\t"), async (...given) => {
        const [value, { piece_length }, space] = given;
        const text = JSON.stringify(value, null, space).replaceAll("__proto__", "proto");
        const read = await parseJson(` ${text}\n`, { piece_length, rows: "rows" });
        expect(read).toEqual(JSON.parse(text));
      }),
      { numRuns: 200 },
    );
  });

  test("a text that is no JSON is refused, wherever a character is missing or too many", async () => {
    const change = fc.record({
      at: fc.nat(),
      without: fc.nat({ max: 1 }),
      added: fc.constantFrom("", ",", "[", "]", "{", "}", '"', ":", "\\", "1"),
    });
    await fc.assert(
      fc.asyncProperty(json, options, change, async (value, { piece_length }, edit) => {
        const whole = JSON.stringify(value).replaceAll("__proto__", "proto");
        const at = edit.at % (whole.length + 1);
        const text = whole.slice(0, at) + edit.added + whole.slice(at + edit.without);
        const read = parseJson(text, { piece_length, rows: "rows" });
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          await expect(read).rejects.toThrow(NotJson);
          return;
        }
        expect(await read).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(["[1,]", "[,1]", "[1,,2]", '{"rows":[1],}', '{,"rows":[1]}', '{"rows":[1]}}', "[1}"])(
    "%s is no JSON",
    async (text) => {
      const read = parseJson(text, { piece_length: 1, rows: "rows" });
      await expect(read).rejects.toThrow(NotJson);
    },
  );

  test("keys that reach a prototype are left out", async () => {
    const text = '{"a":{"__proto__":{"x":1}},"__proto__":{"y":1},"rows":[{"__proto__":1,"b":2}]}';
    const read = await parseJson(text, { piece_length: 1, rows: "rows" });
    expect(read).toEqual({ a: {}, rows: [{ b: 2 }] });
    expect((read as { y?: unknown }).y).toBeUndefined();
  });
});

describe("the number of values", () => {
  const list = (count: number, entry = "1") => `[${Array(count).fill(entry).join(",")}]`;

  test("is limited in a whole and in each entry of a list", async () => {
    for (const text of [`{"a":${list(valuesMax)}}`, `[1,${list(valuesMax)}]`])
      await expect(parseJson(text)).rejects.toThrow(TooManyValues);
    const members = Array.from({ length: valuesMax + 1 }, (_, place) => `"k${place}":1`);
    await expect(parseJson(`{${members.join(",")}}`)).rejects.toThrow(TooManyValues);
  });

  test("is not limited by the number of entries, where a list may be long", async () => {
    const long = list(4 * valuesMax, '{"a":1}');
    expect(await parseJson(long)).toHaveLength(4 * valuesMax);
    const named = await parseJson(`{"a":1,"rows":${long},"z":[2]}`, { rows: "rows" });
    expect(named).toEqual({ a: 1, rows: JSON.parse(long) as unknown, z: [2] });
  });
});

test("five mebibytes are read without blocking the event loop", async () => {
  const text = `[${Array(1_700_000).fill("{}").join(",")}]`;
  let read: unknown;
  const longest = await longestStretchMs(async () => (read = await parseJson(text)));
  expect(read).toHaveLength(1_700_000);
  expect(longest).toBeLessThan(100);
});
