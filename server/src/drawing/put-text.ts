import type { StandardFace } from "./faces.ts";
import { runsOf, useFace, type Run } from "./fonts.ts";
import type { Mark } from "./marks.ts";
import { rounded } from "./rounded.ts";

type TextMark = Extract<Mark, { mark: "text" }>;
type WideRun = Run & { width: number };

/** Puts texts on the current page of one document. A page starts out, and is left, in black. */
export function textPutter(document: PDFKit.PDFDocument): (mark: TextMark) => void {
  const standardFonts = new Map<string, PDFKit.PDFKitReference>();

  /** An own object in the document: PDFKit's would be read from its file anew. */
  function useStandard({ name }: StandardFace): void {
    let font = standardFonts.get(name);
    if (!font) {
      const encoding = { Subtype: "Type1", Encoding: "WinAnsiEncoding" };
      font = document.ref({ Type: "Font", BaseFont: name, ...encoding });
      font.end(undefined);
      standardFonts.set(name, font);
    }
    (document.page.fonts as Record<string, PDFKit.PDFKitReference>)[name] = font;
  }

  /** Placed by its baseline, since fonts differ in what lies above it. */
  function put(
    { face, text, width }: WideRun,
    place: { x: number; y: number; size: number },
  ): void {
    const { x, y, size } = place;
    if (face.outlines) {
      useFace(document, face);
      const options = { lineBreak: false, baseline: "alphabetic", textWidth: width } as const;
      document.fontSize(size).text(text, x, y, options);
    } else {
      useStandard(face);
      // PDFKit's pages are upside down, so the letters have to be turned over.
      const matrix = `1 0 0 -1 ${rounded(x)} ${rounded(y)} Tm`;
      const shown = face.letters.show(text);
      document.addContent(`BT /${face.name} ${rounded(size)} Tf ${matrix} ${shown} ET`);
    }
  }

  function widthOf({ face, text }: Run, size: number): number {
    if (!face.outlines) return face.letters.widthOf(text) * (size / 1000);
    useFace(document, face);
    return document.fontSize(size).widthOfString(text);
  }

  return ({ x, y, text, size, bold, align, white }) => {
    const runs = runsOf(text, bold).map((run) => ({ ...run, width: widthOf(run, size) }));
    const width = runs.reduce((sum, each) => sum + each.width, 0);
    let left = x - { left: 0, center: width / 2, right: width }[align];
    if (white) document.addContent("1 g");
    for (const run of runs) {
      put(run, { x: left, y: y + size * 0.8, size });
      left += run.width;
    }
    if (white) document.addContent("0 g");
  };
}
