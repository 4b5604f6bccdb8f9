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

let known: Font | undefined;

/** The text with every character that no font of ours has replaced, and with nothing that controls. */
export function printable(text: string): string {
  const clean = text.replace(/\p{C}/gu, " ").normalize("NFC");
  if (isPlain(clean)) return clean;
  const font = (known ??= create(readFileSync(dejavu.regular)) as Font);
  return Array.from(clean, (each) =>
    font.hasGlyphForCodePoint(each.codePointAt(0)!) ? each : "□",
  ).join("");
}

const ruler = new PDFDocument({ autoFirstPage: false });
// The PNG writer's letters are a little wider than Helvetica: measuring so, both fit.
const widening = 1.07;

/** Width in points. */
export function widthOf(text: string, size: number, bold: boolean): number {
  if (!isPlain(text)) {
    return ruler
      .font(bold ? dejavu.bold : dejavu.regular)
      .fontSize(size)
      .widthOfString(text);
  }
  return (
    ruler
      .font(bold ? "Helvetica-Bold" : "Helvetica")
      .fontSize(size)
      .widthOfString(text) * widening
  );
}
