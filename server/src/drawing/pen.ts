import type { StandardFace } from "./faces.ts";

/**
 * Writes on the pages of one document in PDF's own operators (ISO 32000-1, 8 and 9). What is written is
 * gathered until the page is full: PDFKit takes one long text many times faster than a hundred short ones.
 */
export interface Pen {
  write(operators: string): void;
  /** Makes one of the printer's own fonts known to the page, by its name. */
  use(face: StandardFace): void;
  /** The document with all that was written, for what PDFKit has to write itself. */
  document(): PDFKit.PDFDocument;
}

/** A pen for whatever page the document is at. Of each page, and before the next, take the document. */
export function penOn(document: PDFKit.PDFDocument): Pen {
  let written: string[] = [];
  const fonts = new Map<string, PDFKit.PDFKitReference>();

  /** An own object for each: PDFKit's would read all the widths anew. */
  function startFont(name: string): PDFKit.PDFKitReference {
    const kind = { Type: "Font", Subtype: "Type1", Encoding: "WinAnsiEncoding" };
    const font = document.ref({ ...kind, BaseFont: name });
    font.end(undefined);
    fonts.set(name, font);
    return font;
  }

  return {
    write: (operators) => void written.push(operators),
    use({ name }) {
      const ofPage = document.page.fonts as Record<string, PDFKit.PDFKitReference>;
      ofPage[name] ??= fonts.get(name) ?? startFont(name);
    },
    document() {
      if (written.length > 0) document.addContent(Buffer.from(written.join("\n") + "\n", "latin1"));
      written = [];
      return document;
    },
  };
}
