import { expect, test } from "vitest";
import { canScan, wordsOf } from "../../test/acceptance/scan.ts";
import { dejavu } from "./faces.ts";
import { needsOutlines, printable, runsOf, widthOf } from "./fonts.ts";
import { labelSheet } from "./marks.ts";
import { glyphsOf } from "./glyphs.ts";
import { text } from "./text.ts";
import { writePdf } from "./write-pdf.ts";

const family = "👨‍👩‍👧";

function fontsOf(words: string): [string, string][] {
  return runsOf(printable(words), false).map(({ face, text }) => [face.name, text]);
}

test("a text is set in the fonts that have its letters, and no word changes its font", () => {
  expect(fontsOf("Noël & Fils €5")).toEqual([["Helvetica", "Noël & Fils €5"]]);
  expect(fontsOf("Łódź 5")).toEqual([["DejaVu", "Łódź 5"]]);
  expect(fontsOf("北京 Trading")).toEqual([
    ["Chinese", "北京"],
    ["Helvetica", " Trading"],
  ]);
  expect(fontsOf(`Łódź 北京 ${family}!`)).toEqual([
    ["DejaVu", "Łódź "],
    ["Chinese", "北京"],
    ["DejaVu", " "],
    ["Emoji", family],
    ["DejaVu", "!"],
  ]);
  expect(runsOf("北京 A", true).map(({ face }) => face.name)).toEqual([
    "Chinese-Bold",
    "Helvetica-Bold",
  ]);
});

test("an emoji among right-to-left words is displayed between them", () => {
  expect(fontsOf("שלום📦עולם")).toEqual([
    ["DejaVu", "עולם"],
    ["Emoji", "📦"],
    ["DejaVu", "שלום"],
  ]);
});

test("a letter in no bundled font is one box, and control characters are removed", () => {
  expect(printable("한국 Co")).toBe("□□ Co");
  expect(printable("\u202eab\u0000c\u202c")).toBe("ab c");
  expect(printable(`${family} ❤️ 🇨🇦 👍🏽`)).toBe(`${family} ❤️ 🇨🇦 👍🏽`);
  expect(printable("👩‍👩‍👩‍👩‍👩‍👩")).toBe("👩");
});

test("only letters in no alphabet's font need outlines, and those are as wide as the letters", () => {
  expect(["Noël", "Łódź", "محمد", "北京", "📦"].map(needsOutlines)).toEqual([
    ...[false, false, false, true, true],
  ]);
  const { glyphs, width } = glyphsOf("北京📦", 10, false);
  expect(width).toBeCloseTo(widthOf("北京📦", 10, false), 6);
  expect(glyphs).toHaveLength(3);
  for (const { shape } of glyphs) expect(shape.path).toMatch(/^M[-\d.]/);
});

test("a letter can be copied also where it was first drawn as a part of another one", () => {
  const font = dejavu.regular.outlines();
  // The outline of the accented letter is made of that of the plain one.
  for (const { path } of font.layout("à é ñ ü").glyphs) expect(path).toBeDefined();
  const codes = font
    .layout("aenu")
    .glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints));
  expect(codes).toEqual(["a", "e", "n", "u"]);
});

test.skipIf(!(await canScan()))(
  "Chinese text and emoji can be copied from the PDF (pdftotext)",
  async () => {
    const marks = [text(`北京 Trading 📦 Łódź`, 20, 20, { size: 9, max: 200 })];
    const pdf = await writePdf([{ paper: labelSheet, marks }], {
      title: "Letters",
      producer: "Waybill",
      made_at: new Date(0),
    });
    expect((await wordsOf(pdf))[0]!.trim()).toBe("北京 Trading 📦 Łódź");
  },
);
