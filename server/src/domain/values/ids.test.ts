import fc from "fast-check";
import { TypeID } from "typeid-js";
import { expect, test } from "vitest";
import { isId, newId, timeOfId } from "./ids.ts";

const moment = fc.date({ min: new Date(0), max: new Date("2200-01-01"), noInvalidDate: true });

test("an id is what the library of TypeIDs makes of the same UUID, of version 7 and of its moment", () => {
  fc.assert(
    fc.property(moment, (at) => {
      const id = newId("shp", at);
      const uuid = TypeID.fromString(id).toUUID();
      expect(TypeID.fromUUID("shp", uuid).toString()).toBe(id);
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(timeOfId(id)).toEqual(at);
      expect(isId("shp", id)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("ids sort in the order in which they were made, also 100,000 of one millisecond", () => {
  const at = new Date();
  const ids = Array.from({ length: 100_000 }, () => newId("evt", at));
  ids.push(newId("evt", new Date(at.getTime() + 1)));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});
