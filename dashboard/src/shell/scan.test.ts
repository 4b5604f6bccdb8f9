import { expect, test } from "vitest";
import { scanReader } from "./scan.ts";

/** Presses the keys with so many milliseconds between two; the text of a scan that ended, or null. */
function press(text: string, gap: number): string | null {
  const reader = scanReader();
  let read: string | null = null;
  [...text].forEach((key, index) => (read = reader.key(key, 1000 + index * gap) ?? read));
  return reader.key("Enter", 1000 + text.length * gap) ?? read;
}

test("six or more characters that come quickly and end with Enter are a scan", () => {
  expect(press("1Z999AA1", 8)).toBe("1Z999AA1");
});

test("what a person types is no scan, and neither is a short code", () => {
  expect(press("1Z999AA1", 120)).toBeNull();
  expect(press("12345", 8)).toBeNull();
});

test("keys typed before a scan are not a part of it", () => {
  const reader = scanReader();
  reader.key("a", 0);
  [..."MP-2078"].forEach((key, index) => reader.key(key, 500 + index * 5));
  expect(reader.key("Enter", 540)).toBe("MP-2078");
});
