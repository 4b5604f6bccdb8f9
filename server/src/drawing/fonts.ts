import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import PDFDocument from "pdfkit";
import { create, type Font } from "fontkit";
import { readFileSync } from "node:fs";

/**
 * Letters. Plain Latin text uses the printer's own Helvetica, which costs nothing to embed; any other
 * text uses DejaVu, which knows most alphabets. What neither has (Chinese, emoji) becomes a box, as
 * on a real carrier's printer.
 */

const ttf = join(
  dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")),
  "ttf",
);
export const dejavu = {
  regular: join(ttf, "DejaVuSansCondensed.ttf"),
  bold: join(ttf, "DejaVuSansCondensed-Bold.ttf"),
};

// What the PDF standard fonts can show: Windows-1252.
const winAnsi = /^[\x20-\x7e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u;

export function isPlain(text: string): boolean {
  return winAnsi.test(text);
}

/** The file or the standard name of the font that can show a text, as PDFKit is told it. */
export function fontFor(text: string, bold: boolean): string {
  if (isPlain(text)) return bold ? "Helvetica-Bold" : "Helvetica";
  return bold ? dejavu.bold : dejavu.regular;
}

let known: Font | undefined;
const letters = new Intl.Segmenter("und", { granularity: "grapheme" });
// More marks than any language piles on one letter would climb into the line above.
const marksOnALetter = 3;

/**
 * The text with every letter that no font of ours has replaced by one box (a whole emoji is one
 * letter), and with nothing that controls.
 */
export function printable(text: string): string {
  const clean = text
    .replace(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu, " ")
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, "")
    .normalize("NFC");
  if (isPlain(clean)) return clean;
  const font = (known ??= create(readFileSync(dejavu.regular)) as Font);
  const hasAll = (each: string) =>
    Array.from(each).every((part) => font.hasGlyphForCodePoint(part.codePointAt(0)!));
  return Array.from(letters.segment(clean), ({ segment }) =>
    hasAll(segment)
      ? Array.from(segment)
          .slice(0, 1 + marksOnALetter)
          .join("")
      : "□",
  ).join("");
}

// It lives as long as the process, so it must not remember every word that it was ever asked about.
const unremembering = { autoFirstPage: false, fontLayoutCache: false };
const ruler = new PDFDocument(unremembering);
// The PNG writer's letters are a little wider than Helvetica: measuring so, both fit.
const widening = 1.07;

/** Width in points. */
export function widthOf(text: string, size: number, bold: boolean): number {
  const width = ruler.font(fontFor(text, bold)).fontSize(size).widthOfString(text);
  return isPlain(text) ? width * widening : width;
}
