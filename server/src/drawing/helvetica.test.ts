import fc from "fast-check";
import PDFDocument from "pdfkit";
import { expect, test } from "vitest";
import { canScan, wordsOf } from "../../test/acceptance/scan.ts";
import { helveticaOf } from "./helvetica.ts";
import { labelSheet } from "./marks.ts";
import { text } from "./text.ts";
import { writePdf } from "./write-pdf.ts";

// Every letter of Windows-1252.
const letters =
  Array.from({ length: 95 }, (_, code) => String.fromCharCode(0x20 + code)).join("") +
  Array.from({ length: 96 }, (_, code) => String.fromCharCode(0xa0 + code)).join("") +
  "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";

const someText = fc
  .array(fc.constantFrom(...letters), { maxLength: 40 })
  .map((each) => each.join(""));

test.each(["Helvetica", "Helvetica-Bold"] as const)(
  "a text in %s is as wide as PDFKit measures it, and its operator takes that width",
  (name) => {
    const ruler = new PDFDocument({ autoFirstPage: false, font: name }).fontSize(1000);
    const { widthOf, show } = helveticaOf(name);
    fc.assert(
      fc.property(someText, (words) => {
        expect(widthOf(words)).toBe(ruler.widthOfString(words));
        const alone = Array.from(words, (each) => ruler.widthOfString(each));
        const natural = alone.reduce((sum, each) => sum + each, 0);
        const moves = show(words).matchAll(/[^\\]\)(-?\d+)\(/g);
        const closer = Array.from(moves, ([, by]) => Number(by)).reduce((sum, by) => sum + by, 0);
        expect(natural - closer).toBe(widthOf(words));
      }),
    );
  },
);

test("a bracket or a backslash ends no text, and letters outside Latin-1 have their own codes", () => {
  const { show } = helveticaOf("Helvetica");
  expect(show("(a) \\")).toBe("[(\\(a\\) \\\\)]TJ");
  expect(["€", "Ÿ", "é"].map(show)).toEqual(["[(\x80)]TJ", "[(\x9f)]TJ", "[(\xe9)]TJ"]);
});

test.skipIf(!(await canScan()))("every letter can be copied from the PDF (pdftotext)", async () => {
  const lines = Array.from(letters.matchAll(/[^\s\u00a0\u00ad]{1,20}/g), ([line]) => line);
  const marks = lines.map((line, place) =>
    text(line, 20, 20 + place * 20, { size: 10, bold: place % 2 === 1, max: 250 }),
  );
  const info = { title: "Letters", producer: "Waybill", made_at: new Date(0) };
  const [words] = await wordsOf(await writePdf([{ paper: labelSheet, marks }], info));
  expect(
    words!
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
  ).toEqual(lines);
});
