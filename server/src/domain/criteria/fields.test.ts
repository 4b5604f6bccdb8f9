import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fieldNames, fieldOf, type FieldType } from "./fields.ts";
import { operatorsOf } from "./operators.ts";

/** The tables of docs/filters.md, which integrators read, agree with the code. */

const rows = readFileSync("docs/filters.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

test("every field is documented with its type and its subjects", () => {
  const documented = rows.filter(([first]) => first?.startsWith("`"));
  const there = fieldNames.map((name) => {
    const { type, many, of } = fieldOf(name);
    return [`\`${name}\``, many ? `${type}, any` : type, of.join(", ")];
  });
  expect(documented).toEqual(there);
});

test("every type is documented with its operators", () => {
  const documented = rows.filter(([first]) => first !== undefined && first in operatorsOf);
  let last = "";
  const read = documented.map(([type, operators = ""]) => {
    if (!operators.startsWith("the same")) last = operators;
    return [type as FieldType, last.split(", ").sort()];
  });
  const there = Object.entries(operatorsOf).map(([type, operators]) => [
    type,
    operators.toSorted(),
  ]);
  expect(read).toEqual(there);
});
