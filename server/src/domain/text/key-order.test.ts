import { Type } from "typebox";
import { expect, test } from "vitest";
import { inOrderOf } from "./key-order.ts";
import { Nullable, Opaque } from "../values/schema.ts";

const Place = Type.Object({ street: Type.String(), city: Type.String() }, { $id: "PlaceOfTest" });
const Record = Type.Object({
  id: Type.String(),
  place: Nullable(Place),
  parts: Type.Array(Place),
  kept: Opaque(Place),
  either: Type.Unsafe<object>({ anyOf: [Place, Type.Object({ age: Type.Integer() })] }),
  metadata: Type.Record(Type.String(), Type.Unknown()),
});

test("keys come in the schema's order, at every depth, and alphabetically where it lists none", () => {
  const place = { city: "Lévis", street: "1 Rue A" };
  const value = {
    metadata: { zone: 1, bin: { y: [{ b: 1, a: 2 }], x: null } },
    either: { age: 3, ...place },
    kept: place,
    parts: [place],
    place,
    id: "one",
  };
  const ordered = `{"street":"1 Rue A","city":"Lévis"}`;
  expect(JSON.stringify(inOrderOf(Record, value))).toBe(
    `{"id":"one","place":${ordered},"parts":[${ordered}],"kept":${ordered},` +
      `"either":{"street":"1 Rue A","city":"Lévis","age":3},` +
      `"metadata":{"bin":{"x":null,"y":[{"a":2,"b":1}]},"zone":1}}`,
  );
});

test("nothing is added, lost or changed", () => {
  const value = JSON.parse(
    `{"unknown":{"__proto__":{"b":1},"a":[1,null,"x"]},"place":null,"metadata":{"__proto__":2}}`,
  ) as object;
  expect(JSON.parse(JSON.stringify(inOrderOf(Record, value)))).toEqual(value);
  expect(Object.keys(inOrderOf(Record, value))).toEqual(["place", "metadata", "unknown"]);
  const absent = { place: undefined, at: new Date(0) };
  expect(inOrderOf(Record, absent)).toEqual(absent);
});

test("an ordered value stays the same object, and an unordered one becomes another", () => {
  const place = { street: "1 Rue A", city: "Lévis" };
  const value = { id: "one", place, parts: [place], metadata: {} };
  expect(inOrderOf(Record, value)).toBe(value);
  const inside = { ...value, parts: [place, { city: "Lévis", street: "2 Rue B" }] };
  expect(inOrderOf(Record, inside)).not.toBe(inside);
  expect(Object.keys(inOrderOf(Record, inside).parts[1]!)).toEqual(["street", "city"]);
});
