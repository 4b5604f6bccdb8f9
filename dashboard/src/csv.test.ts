import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";

test("what has a comma, a quote or a line of its own is one cell, and nothing is an empty one", () => {
  const rows = [["Mugs, blue", 'a "large" one', "two\nlines", null, 1.5]];
  expect(csvOf(["a", "b", "c", "d", "e"], rows)).toBe(
    'a,b,c,d,e\r\n"Mugs, blue","a ""large"" one","two\nlines",,1.5\r\n',
  );
});

test("a text that a spreadsheet would take for a formula stays a text, and a negative number a number", () => {
  expect(csvOf(["a", "b"], [["=1+1", -3]])).toBe("a,b\r\n'=1+1,-3\r\n");
});
