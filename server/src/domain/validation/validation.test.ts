import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { Maybe, Money, Nullable, OneOf } from "../values/schema.ts";
import { problemsOf } from "./validation.ts";

const Part = Type.Object({
  weight: Type.Number({ exclusiveMinimum: 0 }),
  unit: OneOf(["kg", "lbs"]),
});
const Address = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 4 }) },
  { $id: "Address" },
);
const Order = Type.Object({
  to: Address,
  from: Maybe(Address),
  parts: Type.Array(Part, { minItems: 1 }),
  total: Type.Optional(Money()),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 2 })),
});
const good = { to: { name: "Ada" }, parts: [{ weight: 1, unit: "kg" }] };

describe("a value that fits", () => {
  test("has no problems", () => expect(problemsOf(Order, good)).toEqual({}));

  test("may omit what is optional, or send null for it", () => {
    expect(problemsOf(Order, { ...good, from: null })).toEqual({});
  });

  test("may carry unknown fields", () => {
    expect(problemsOf(Order, { ...good, colour: "red" })).toEqual({});
  });

  test("may have any amount of at most two decimals", () => {
    const amounts = fc.integer({ min: 0, max: 100_000_000 });
    fc.assert(
      fc.property(amounts, (cents) => Object.keys(problemsOf(Money(), cents / 100)).length === 0),
    );
  });
});

describe("an amount of money", () => {
  test.each([0.29, 19.99, 1.1 + 2.2, 4956.14, 999_999.99, -12.35, 1e9])("may be %d", (amount) =>
    expect(problemsOf(Money(), amount)).toEqual({}),
  );

  test.each([0.001, 1.005, 19.999, -0.125, 999_999.995])("has too many decimals as %d", (amount) =>
    expect(problemsOf(Money(), amount)).toEqual({ "": ["must have at most 2 decimals."] }),
  );

  test("is refused where null would be valid, too, and only for what it is", () => {
    const nullable = Nullable(Money({ minimum: 0 }));
    expect(problemsOf(nullable, null)).toEqual({});
    expect(problemsOf(nullable, 0.005)).toEqual({ "": ["must have at most 2 decimals."] });
    expect(problemsOf(nullable, "5")).toEqual({ "": ["must be a number."] });
  });
});

describe("a value that does not fit", () => {
  test("gets every failing field at once, by dotted path", () => {
    const problems = problemsOf(Order, {
      to: {},
      parts: [{ weight: 0, unit: "stone" }, { unit: "kg" }],
      total: 1.005,
    });
    expect(problems).toEqual({
      "to.name": ["is required."],
      "parts.0.weight": ["must be greater than 0."],
      "parts.0.unit": ["must be one of kg, lbs."],
      "parts.1.weight": ["is required."],
      total: ["must have at most 2 decimals."],
    });
  });

  test("is named by the empty path when it is wrong as a whole", () => {
    expect(problemsOf(Order, [])).toEqual({ "": ["must be an object."] });
    expect(problemsOf(Order, null)).toEqual({ "": ["must be an object."] });
  });

  test("gets one message where null would have been valid too", () => {
    expect(problemsOf(Nullable(OneOf(["a", "b"])), 5)).toEqual({ "": ["must be one of a, b."] });
    expect(problemsOf(Nullable(Type.String()), 5)).toEqual({ "": ["must be a string."] });
  });

  test("is not coerced", () => {
    expect(problemsOf(Part, { weight: "1", unit: "kg" })).toEqual({
      weight: ["must be a number."],
    });
  });

  test("counts characters, not bytes", () => {
    expect(problemsOf(Address, { name: "📦📦📦📦" })).toEqual({});
    expect(problemsOf(Address, { name: "📦📦📦📦📦" })).toEqual({
      name: ["must have at most 4 characters."],
    });
  });

  test("of a union gets the problems of the branch that was intended", () => {
    const Action = Type.Union([
      Type.Object({ type: Type.Literal("tag"), tag: Type.String() }),
      Type.Object({ type: Type.Literal("weigh"), weight: Type.Number(), unit: Type.String() }),
    ]);
    expect(problemsOf(Action, { type: "weigh", weight: "1" })).toEqual({
      unit: ["is required."],
      weight: ["must be a number."],
    });
    expect(problemsOf(Action, "weigh")).toEqual({ "": ["must be an object."] });
  });

  test("of a union of kinds gets the list of kinds", () => {
    expect(problemsOf(Type.Union([Type.String(), Type.Array(Type.String())]), 1)).toEqual({
      "": ["must be a string or a list."],
    });
  });

  test("may name an unknown field where the schema allows none", () => {
    const Strict = Type.Object({ a: Type.Number() }, { additionalProperties: false });
    expect(problemsOf(Strict, { a: 1, constructor: 2 })).toEqual({
      constructor: ["is not a field of this call."],
    });
  });
});

describe("values that cannot be stored are refused", () => {
  test.each(["a\u0000b", "\u001b[31m", "\ud800", "x\u007f"])(
    "the text %j, in any position",
    (text) => {
      const sentence = "must not contain control characters or broken Unicode.";
      expect(problemsOf(Order, { ...good, metadata: { note: [text] } })).toEqual({
        "metadata.note.0": [sentence],
      });
      expect(Object.keys(problemsOf(Order, { ...good, metadata: { [text]: 1 } }))).toEqual([
        "metadata",
      ]);
    },
  );

  test("a field named like a member of every object is a field like any other", () => {
    expect(
      Object.keys(problemsOf(Order, { ...good, constructor: "\u0000", toString: "\u0000" })),
    ).toEqual(["constructor", "toString"]);
  });

  test("line breaks and tabs are allowed", () => {
    expect(problemsOf(Type.String(), "one\r\n\ttwo")).toEqual({});
  });

  test("a number beyond a double, by one sentence", () => {
    const sentence = "must be a number within the range of a double.";
    const beyond = (field: string, schema: object) =>
      problemsOf(schema, JSON.parse(`{"${field}":1e400}`));
    expect(beyond("weight", Type.Partial(Part))).toEqual({ weight: [sentence] });
    expect(beyond("total", Type.Pick(Order, ["total"]))).toEqual({ total: [sentence] });
    expect(beyond("n", Type.Object({ n: Nullable(Type.Integer()) }))).toEqual({ n: [sentence] });
    expect(beyond("unit", Type.Partial(Part))).toEqual({ unit: ["must be one of kg, lbs."] });
    expect(beyond("name", Address)).toEqual({ name: ["must be a string."] });
    expect(
      Object.keys(
        problemsOf(
          Order,
          JSON.parse(`{"to":{"name":"Ada"},"parts":[{"weight":1e400,"unit":"kg"}]}`),
        ),
      ),
    ).toEqual(["parts.0.weight"]);
    expect(Object.keys(problemsOf(Order, { ...good, metadata: { big: Infinity } }))).toEqual([
      "metadata.big",
    ]);
  });

  test("ten thousand levels of nesting", () => {
    const deep = JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`) as unknown;
    expect(problemsOf(Order, { ...good, metadata: { deep } })).toEqual({
      metadata: ["must not be nested deeper than 32 levels."],
    });
  });
});

describe("moments and days", () => {
  const Moment = Type.String({ format: "date-time" });
  const Day = Type.String({ format: "date" });

  test.each([
    "2026-10-05T14:03:22Z",
    "2026-10-05T14:03:22.123Z",
    "2024-02-29t00:00:00-05:00",
    "9999-12-31T23:59:59.999999999Z",
    "0001-01-01T00:00:00-14:00",
  ])("%s is a moment", (text) => {
    expect(problemsOf(Moment, text)).toEqual({});
    expect(Number.isNaN(Date.parse(text))).toBe(false);
  });

  test.each([
    "2026-10-05",
    "2026-02-30T00:00:00Z",
    "2026-10-05T23:59:60Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    "2026-10-05T24:00:00Z",
    "now",
  ])("%s is none", (text) => expect(Object.keys(problemsOf(Moment, text))).toEqual([""]));

  test.each(["2026-02-29", "2026-13-01", "0000-01-01", "2026-1-1"])("%s is no day", (text) => {
    expect(Object.keys(problemsOf(Day, text))).toEqual([""]);
  });
});
