import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { plantedBugs } from "./planted-bugs/planted-bugs.ts";

test.each(plantedBugs)("it can still be planted: $name", ({ file, find, tests }) => {
  expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
  expect(tests.filter((path) => !existsSync(path) && !existsSync(`${path}.test.ts`))).toEqual([]);
});
