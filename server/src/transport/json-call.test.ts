import { expect, test } from "vitest";
import { retryAfterSeconds } from "./http-call.ts";
import { parsed } from "./json-call.ts";

const now = Date.parse("2026-10-05T12:00:00Z");

test.each([
  ["120", 120],
  ["0", null],
  ["-1", null],
  ["1.5", null],
  ["soon", null],
  ["", null],
  [undefined, null],
  [["1", "2"], null],
  ["99999999999999999999", 3_600],
  ["Mon, 05 Oct 2026 12:00:30 GMT", 30],
  ["Mon, 05 Oct 2026 11:59:00 GMT", null],
  ["Wed, 21 Oct 2065 07:28:00 GMT", 3_600],
  ["2026-10-05T12:00:30Z", null],
  ["never GMT", null],
])("Retry-After %j is %j seconds", (value, seconds) => {
  expect(retryAfterSeconds(value, now)).toBe(seconds);
});

test.each([
  [String.raw`{"a": ["x\u0000y"], "b": "\ud83d\udce6\uDC00"}`, { a: ["x\ufffdy"], b: "📦\ufffd" }],
  [String.raw`"\\u0000"`, String.raw`\u0000`],
  ["NaN", undefined],
  ["", undefined],
])("%s is parsed as text that a database can store", (text, value) => {
  expect(parsed(text)).toEqual(value);
});
