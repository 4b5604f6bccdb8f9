import { Type } from "typebox";
import { expect, test } from "vitest";
import { Currency, Logged, Maybe, Moment, Money, OneOf } from "../values/schema.ts";
import { redactedError } from "./redact-error.ts";
import { redacted } from "./redact.ts";

const shp = "shp_01k6x3v2m4f8r9t0a1b2c3d4e5";
const Thing = Type.Object({
  id: Type.String(),
  name: Maybe(Type.String()),
  status: OneOf(["draft", "bought"]),
  total: Money(),
  weight: Type.Number(),
  is_return: Type.Boolean(),
  currency: Currency(),
  service: Maybe(Logged(Type.String(), "known")),
  tracking_code: Maybe(Logged(Type.String())),
  at: Moment(),
  lines: Type.Array(Type.Object({ quantity: Type.Integer(), title: Type.String() })),
});
const kept = (value: unknown, schema: object = Thing) =>
  JSON.parse(redacted(value, schema, { known: new Set(["ups.ground"]) })) as unknown;

test("ids, options, amounts, dates and marked codes are shown; other texts are hidden", () => {
  const thing = {
    id: shp,
    name: "Ada Tremblay",
    status: "draft",
    total: 12.34,
    weight: 2,
    is_return: false,
    currency: "CAD",
    service: "ups.ground",
    tracking_code: "1Z999AA10123456784",
    at: "2026-10-05T14:03:22.120Z",
    lines: [{ quantity: 2, title: "A gift for Ada" }],
  };
  expect(kept(thing)).toEqual({ ...thing, name: "…", lines: [{ quantity: 2, title: "…" }] });
});

test("a field takes no text of another kind: what a client writes where a code belongs is hidden", () => {
  const texts = {
    id: "Ada",
    status: "Ada",
    total: "Ada",
    is_return: "Ada",
    currency: "Ada Tremblay",
    service: "ada",
    tracking_code: "12 Main Street",
    at: "2026-10-05 Ada",
    lines: "Ada",
  };
  expect(kept(texts)).toEqual(Object.fromEntries(Object.keys(texts).map((name) => [name, "…"])));
});

test("a number with as many digits as a card or a telephone is hidden", () => {
  expect(kept({ total: 4242424242424242, weight: 4165550123 })).toEqual({
    total: "…",
    weight: "…",
  });
});

test("fields that the schema does not have are hidden with their names", () => {
  expect(kept({ id: shp, "Ada Tremblay": 1, "12 Main Street": { id: shp } })).toEqual({
    id: shp,
    "…": "…",
  });
  expect(kept({ constructor: 1, toString: shp })).toEqual({ "…": "…" });
});

test("without a schema nothing is shown", () => {
  expect([kept({ id: shp }, {}), kept([shp], {}), kept(shp, {}), kept(7, {})]).toEqual(
    ["…", "…", "…", "…"].map((each, index) => (index === 0 ? { "…": "…" } : each)),
  );
});

test("of a long body the beginning is kept, in 4 KB of valid JSON", () => {
  const lines = Array.from({ length: 5000 }, (_, quantity) => ({
    quantity,
    title: "é".repeat(50),
  }));
  const text = redacted({ id: shp, lines }, Thing);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
  expect(Buffer.byteLength(text)).toBeGreaterThan(3000);
  expect((JSON.parse(text) as { id: string }).id).toBe(shp);
  const names = Object.fromEntries(lines.map((_, index) => [`${"n".repeat(200)}${index}`, 1]));
  expect(Buffer.byteLength(redacted(names, Thing))).toBeLessThanOrEqual(4096);
});

test("of an error the code and what follows from schemas is shown, and nothing that quotes the request", () => {
  const fields = new Set(["packages", "weight", "name"]);
  const details = {
    "packages.0.weight": ["weight must be greater than 0."],
    name: ["name must not be Ada Tremblay."],
    "Ada Tremblay": ["Ada Tremblay is not a field of this call."],
  };
  const error = { code: "validation_failed", message: "name must not be Ada Tremblay.", details };
  expect(JSON.parse(redactedError({ error }, fields, {})!)).toEqual({
    error: {
      code: "validation_failed",
      message: "…",
      details: { "packages.0.weight": details["packages.0.weight"], name: ["…"], "…": ["…"] },
    },
  });
  const missing = { code: "not_found", message: "There is no such resource in this account." };
  expect(redactedError({ error: { ...missing, details: {} } }, fields, {})).toBe(
    JSON.stringify({ error: { ...missing, details: {} } }),
  );
  expect(redactedError({ error: { code: "Ada" } }, fields, {})).toBeNull();
});
