import { Canvas } from "../../../drawing/canvas.ts";
import { needsOutlines } from "../../../drawing/fonts.ts";
import { glyphsOf } from "../../../drawing/glyphs.ts";
import { labelSheet, type Mark } from "../../../drawing/marks.ts";
import { stampGlyphs } from "./draw-marks.ts";

const dotsPerPoint = 203 / 72;

/** Pages in the language of thermal printers, one `^XA … ^XZ` each, barcodes by the printer's own commands. */
export function writeZpl(pages: Mark[][]): Buffer {
  const page = (marks: Mark[]) =>
    [
      `^XA^CI28^PW${dots(labelSheet.width)}^LL${dots(labelSheet.height)}`,
      ...marks.map(toZpl),
      "^XZ",
    ].join("\n");
  return Buffer.from(`${pages.map(page).join("\n")}\n`);
}

function toZpl(mark: Mark): string {
  switch (mark.mark) {
    case "box": {
      const thickness = dots(Math.min(mark.width, mark.height));
      return `^FO${dots(mark.x)},${dots(mark.y)}^GB${dots(mark.width)},${dots(mark.height)},${thickness}^FS`;
    }
    case "text":
      return needsOutlines(mark.text) ? pictureField(mark) : textField(mark);
    case "code128": {
      // Two dots a module fit every tracking code on a label of 812 dots; ^BCN… in mode A packs digits.
      return `^FO${dots(mark.x)},${dots(mark.y)}^BY2,2,${dots(mark.height)}^BCN,${dots(mark.height)},N,N,N,A^FH^FD${escape(mark.text)}^FS`;
    }
    case "symbol":
      return `^FO${dots(mark.x)},${dots(mark.y)}${symbolCommand(mark)}^FH^FD${escape(mark.text)}^FS`;
  }
}

function symbolCommand({ kind, height }: Extract<Mark, { mark: "symbol" }>): string {
  if (kind === "pdf417") return `^B7N,${Math.max(2, Math.round(dots(height) / 20))},2,6,,N`;
  return kind === "maxicode" ? "^BD4" : "^BXN,5,200";
}

/** The field block gives the printer the box in which to align. White is black reversed. */
function textField(mark: Extract<Mark, { mark: "text" }>): string {
  const box = 280;
  const left = { left: mark.x, center: mark.x - box / 2, right: mark.x - box }[mark.align];
  const letters = { left: "L", center: "C", right: "R" }[mark.align];
  const height = dots(mark.size);
  const start = Math.max(0, dots(left));
  const wide = dots(left) < 0 ? dots(box) + dots(left) : dots(box);
  return `^FO${start},${dots(mark.y)}${mark.white ? "^FR" : ""}^A0N,${height},${Math.round(height * 0.85)}^FB${wide},1,0,${letters}^FH^FD${escape(mark.text)}^FS`;
}

/** Letters that the printer's own font lacks, as a picture of dots: eight a byte, black is 1. */
function pictureField(mark: Extract<Mark, { mark: "text" }>): string {
  const { size, bold, align, white } = mark;
  const { glyphs, width } = glyphsOf(mark.text, size, bold);
  const left = mark.x - { left: 0, center: width / 2, right: width }[align];
  const rowBytes = Math.ceil(dots(width) / 8);
  const picture = new Canvas(rowBytes * 8, dots(size * 1.2));
  stampGlyphs(picture, glyphs, { left: 0, baseline: size * 0.9, dotsPerPoint });
  const bytes = Buffer.alloc(rowBytes * picture.height);
  picture.dots.forEach((dot, at) => {
    if (dot <= 127) bytes[at >> 3]! |= 128 >> (at & 7);
  });
  const place = `^FO${Math.max(0, dots(left))},${Math.max(0, dots(mark.y - size * 0.1))}`;
  const counts = `${bytes.length},${bytes.length},${rowBytes}`;
  return `${place}${white ? "^FR" : ""}^GFA,${counts},${bytes.toString("hex").toUpperCase()}^FS`;
}

function dots(points: number): number {
  return Math.round(points * dotsPerPoint);
}

/** The characters that ZPL gives a meaning, written in hexadecimal after an underscore (`^FH`). */
function escape(text: string): string {
  return text.replace(/[\^~_\\]/g, (each) => `_${each.charCodeAt(0).toString(16).toUpperCase()}`);
}
