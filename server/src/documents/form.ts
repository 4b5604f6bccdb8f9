import { printable, widthOf } from "../drawing/fonts.ts";
import { box, type Mark } from "../drawing/marks.ts";
import type { Place } from "../drawing/barcode.ts";
import { text, wrap } from "../drawing/text.ts";

/** The parts of forms: frames, headings, fields with a small caption, checkboxes, paragraphs. */

const line = 0.75;

export function frame({ x, y, width, height }: Place): Mark[] {
  return [
    across(x, y, width),
    across(x, y + height, width),
    down(x, y, height),
    down(x + width, y, height),
  ];
}

/** A line from left to right, its middle at `y`. */
export function across(x: number, y: number, width: number): Mark {
  return box(x - line / 2, y - line / 2, width + line, line);
}

/** A line downwards, its middle at `x`. */
export function down(x: number, y: number, height: number): Mark {
  return box(x - line / 2, y - line / 2, line, height + line);
}

export const headingHeight = 11;

/** A black bar with the name of the section below. */
export function heading(words: string, x: number, y: number, width: number): Mark[] {
  return [
    box(x, y, width, headingHeight),
    text(words, x + width / 2, y + 1.8, {
      size: 7.5,
      bold: true,
      white: true,
      align: "center",
      max: width - 8,
    }),
  ];
}

/** A caption and, after it on the same line, its value, which is set smaller when it is long. */
export function field(
  caption: string,
  value: string | null,
  { x, y, width, size = 8 }: { x: number; y: number; width: number; size?: number },
): Mark[] {
  const said = text(caption, x, y + size - 6.3, { size: 6.5, max: width });
  if (!value) return [said];
  const after = widthOf(caption, 6.5, false) + 3;
  return [said, text(value, x + after, y, { size, bold: true, max: width - after })];
}

/** A checkbox, ticked or not, and its text. */
export function checkbox(
  words: string,
  isTicked: boolean,
  { x, y, width }: { x: number; y: number; width: number },
): Mark[] {
  const side = 7;
  const tick = text("X", x + side / 2, y + 0.2, {
    size: 7.5,
    bold: true,
    align: "center",
    max: side,
  });
  return [
    ...frame({ x, y, width: side, height: side }),
    ...(isTicked ? [tick] : []),
    text(words, x + side + 3, y + 0.3, { size: 6.8, bold: isTicked, max: width - side - 3 }),
  ];
}

/** Lines below each other; the first is at `y`. */
export function lines(
  words: readonly string[],
  {
    x,
    y,
    width,
    size,
    bold = false,
  }: { x: number; y: number; width: number; size: number; bold?: boolean },
): Mark[] {
  return words.map((each, place) =>
    text(each, x, y + place * size * leading, { size, bold, max: width }),
  );
}

/** The distance between lines, in letter sizes. */
export const leading = 1.18;

/** Text in at most that many lines; truncation shows as an ellipsis. */
export function atMost(
  count: number,
  words: string,
  { size, width, bold = false }: { size: number; width: number; bold?: boolean },
): string[] {
  const all = wrap(words, { size, bold, max: width }, count + 1);
  if (all.length <= count) return all;
  return [...all.slice(0, count - 1), `${all[count - 1]}…`];
}

/** Small print in a box: as large as it fits, never larger than `size`. */
export function smallPrint(words: string, { x, y, width, height }: Place, size = 6): Mark[] {
  for (let each = size; each > 4; each -= 0.25) {
    const wrapped = wrap(printable(words), { size: each, bold: false, max: width });
    if (wrapped.length * each * leading <= height)
      return lines(wrapped, { x, y, width, size: each });
  }
  throw new Error("this small print needs more room");
}
