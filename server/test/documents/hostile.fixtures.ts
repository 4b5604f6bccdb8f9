import { widthOf } from "../../src/drawing/fonts.ts";
import type { Mark, Page } from "../../src/drawing/marks.ts";

/** Text that tests print to break a document, and how they detect that it broke. */

export const hostileTexts: Record<string, string> = {
  "long words": "Wolfeschlegelsteinhausenbergerdorff-Mann".padEnd(400, "W"),
  "many words": "the quick brown fox jumps over the lazy dog ".repeat(60),
  "many lines": "line\nline\r\nline\u2028".repeat(40),
  French: "Noël Élève-Çédille, 12 bis rue de l’Œuvre à Sèvres",
  Arabic: "محمد بن عبد الله (12)، شارع الملك فهد 123، الرياض Trading",
  Hebrew: "רחוב הרצל 15, תל אביב (קומה 3) Suite",
  Chinese: "北京市朝阳区建国门外大街一号国贸大厦二十八层".repeat(6),
  emoji: "👩‍👩‍👧‍👦🏳️‍🌈🚚📦".repeat(8),
  "right-to-left marks": "\u202eevil\u202c \u200f\u2067name\u2069",
  "control characters": "a\u0000b\u0007c\u001bd\te\u007f\u0085",
  "piled accents": `Z${"\u0301\u0323".repeat(40)}algo`,
  "PDF syntax": "(a) Tj ET \\( endstream endobj %%EOF",
  "half a pair": "\ud83d alone \udc00",
  nothing: "",
  blanks: "   \u00a0\u3000 ",
};

interface Extent {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function extentOf(mark: Mark): Extent {
  const { x, y } = mark;
  if (mark.mark !== "text")
    return { left: x, right: x + mark.width, top: y, bottom: y + mark.height };
  const width = widthOf(mark.text, mark.size, mark.bold);
  const left = x - { left: 0, center: width / 2, right: width }[mark.align];
  return { left, right: left + width, top: y, bottom: y + mark.size };
}

/** The marks that leave the page, and the texts that overlap, as messages; empty is good. */
export function faultsOf({ paper, marks }: Page): string[] {
  const outside = marks.filter((mark) => {
    const { left, right, top, bottom } = extentOf(mark);
    return Math.min(left, top) < 0 || right > paper.width || bottom > paper.height;
  });
  const words = marks.flatMap((mark) =>
    mark.mark === "text" && mark.text.trim() !== ""
      ? [{ text: mark.text, ...lettersOf(mark) }]
      : [],
  );
  const over = words.flatMap((one, place) =>
    words
      .slice(place + 1)
      .filter((other) => meet(one, other))
      .map((other) => `“${one.text}” overlaps “${other.text}”`),
  );
  const bars = marks.filter(({ mark }) => mark === "code128").map(extentOf);
  const covered = words.filter((one) => bars.some((each) => meet(one, each)));
  return [
    ...outside.map((mark) => `off the page: ${JSON.stringify(mark)}`),
    ...over,
    ...covered.map(({ text }) => `“${text}” overlaps a barcode`),
  ];
}

/** The middle of the letters: above and below there is seldom ink. */
function lettersOf(mark: Extract<Mark, { mark: "text" }>): Extent {
  const { left, right } = extentOf(mark);
  return { left, right, top: mark.y + mark.size * 0.2, bottom: mark.y + mark.size * 0.8 };
}

const tolerance = 0.1;

function meet(one: Extent, other: Extent): boolean {
  return (
    one.left < other.right - tolerance &&
    other.left < one.right - tolerance &&
    one.top < other.bottom - tolerance &&
    other.top < one.bottom - tolerance
  );
}
