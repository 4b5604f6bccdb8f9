import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanText, isOneLine, isStorable } from "./text.ts";

describe("cleanText", () => {
  test("trims, collapses white space and composes accents", () => {
    expect(cleanText("  12\u00A0 rue\tde  l'E\u0301glise \n")).toBe("12 rue de l'Église");
  });

  test.each(["", "   ", "\t\n", "\u200B\uFEFF", "\u00A0\u2003", "\u200D"])(
    "text without anything visible is null: %j",
    (text) => {
      expect(cleanText(text)).toBeNull();
    },
  );

  test("cleaning a second time changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const once = cleanText(text);
        expect(once === null ? null : cleanText(once)).toBe(once);
      }),
    );
  });
});

describe("texts that may be stored", () => {
  test.each(["a\0b", "\u001B[2J", "a\u007F", "a\u0085b", "\uD800", "x\uDFFFy"])(
    "%j is refused everywhere",
    (text) => {
      expect([isOneLine(text), isStorable(text)]).toEqual([false, false]);
    },
  );

  test("line breaks are for free texts only", () => {
    expect([isOneLine("a\nb"), isStorable("a\r\n\tb")]).toEqual([false, true]);
  });

  test("any script and any emoji is welcome", () => {
    expect(isOneLine("Þórsgata 1, 東京都, القاهرة, 👩‍🚀")).toBe(true);
  });
});
