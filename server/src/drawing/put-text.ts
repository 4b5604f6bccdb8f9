import { runsOf, useFace, type Run } from "./fonts.ts";
import type { Mark } from "./marks.ts";
import type { Pen } from "./pen.ts";
import { rounded } from "./rounded.ts";

/** Draws a text on the page, whose colour is black before and after. */
export function putText(pen: Pen, mark: Extract<Mark, { mark: "text" }>): void {
  const { x, y, text, size, bold, align, white } = mark;
  const runs = runsOf(text, bold).map((run) => ({ run, width: widthOn(pen, run, size) }));
  const width = runs.reduce((sum, each) => sum + each.width, 0);
  let left = x - { left: 0, center: width / 2, right: width }[align];
  if (white) pen.write("1 g");
  for (const { run, width } of runs) {
    // Positioned by its baseline, since fonts differ in what lies above it.
    putRun(pen, run, { x: left, y: y + size * 0.8, size, width });
    left += width;
  }
  if (white) pen.write("0 g");
}

function widthOn(pen: Pen, { face, text }: Run, size: number): number {
  if (!face.outlines) return face.letters.widthOf(text) * (size / 1000);
  const document = pen.document();
  useFace(document, face);
  return document.fontSize(size).widthOfString(text);
}

interface BaseLine {
  x: number;
  y: number;
  size: number;
  width: number;
}

function putRun(pen: Pen, { face, text }: Run, { x, y, size, width }: BaseLine): void {
  if (!face.outlines) {
    pen.use(face);
    // PDFKit's pages are upside down, so the letters have to be mirrored.
    const matrix = `1 0 0 -1 ${rounded(x)} ${rounded(y)} Tm`;
    pen.write(`BT /${face.name} ${rounded(size)} Tf ${matrix} ${face.letters.show(text)} ET`);
    return;
  }
  const document = pen.document();
  useFace(document, face);
  const options = { lineBreak: false, baseline: "alphabetic", textWidth: width } as const;
  document.fontSize(size).text(text, x, y, options);
}
