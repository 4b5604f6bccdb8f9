import { expect, test } from "vitest";
import { piecesInReadingOrder, readsFromTheRight } from "./reading-order.ts";

/** The line as it is displayed, right-to-left letters reversed as their font does it. */
function seen(text: string): string {
  return piecesInReadingOrder(text)
    .map((piece) => (readsFromTheRight(piece) ? Array.from(piece).reverse().join("") : piece))
    .join("");
}

test("right-to-left words are displayed from right to left", () => {
  expect(seen("שלום עולם")).toBe("םלוע םולש");
});

test("a number among them is not reversed, nor is a Latin word", () => {
  expect(seen("הרצל 15")).toBe("15 לצרה");
  expect(seen("הרצל 1,250.5 קג")).toBe("גק 1,250.5 לצרה");
  expect(seen("שרה Cohen לוי")).toBe("הרש Cohen יול");
});

test("brackets open to the side that they are read from", () => {
  expect(seen("דירה (12) קומה")).toBe("המוק (12) הריד");
  expect(seen("דירה (12)")).toBe("(12) הריד");
  expect(seen("דירה (12) Tower")).toBe("(12) הריד Tower");
  expect(seen("דירה (12), קומה")).toBe("המוק ,(12) הריד");
});

test("a number after a Latin word, and every Latin line, stay as they are", () => {
  for (const text of ["Suite 12 (rear)", "12 Main St", "(905) 555-0142", "12", ""])
    expect(seen(text)).toBe(text);
  expect(seen("Suite 12 רחוב")).toBe("Suite 12 בוחר");
});
