import { deflateSync } from "node:zlib";
import type { StandardFace } from "./faces.ts";

/**
 * Writes on the pages of one document in PDF's own operators (ISO 32000-1, 8 and 9). Output is gathered
 * until the page is full: PDFKit takes one long text many times faster than a hundred short ones.
 */
export interface Pen {
  write(operators: string): void;
  /** Registers one of the printer's own fonts with the page, by its name. */
  use(face: StandardFace): void;
  /** Registers a stamp with the page; its operator `/<name> Do` prints it. */
  carry(stamp: Stamp): void;
  /** The document with all output so far, for what PDFKit has to write itself. */
  document(): PDFKit.PDFDocument;
  /** To be called when a page has all its marks, before the document continues. */
  finishPage(): void;
}

/** A shape that a page repeats (ISO 32000-1, 8.10: a form). */
export interface Stamp {
  name: string;
  operators: string;
  /** Its extent from its middle, to each side. */
  reach: number;
}

/** A pen for the document's current page. */
export function penOn(document: PDFKit.PDFDocument): Pen {
  let written: string[] = [];
  const fonts = new Map<string, PDFKit.PDFKitReference>();
  const stamps = new Map<string, PDFKit.PDFKitReference>();

  /** An own object for each: PDFKit's would read all the widths anew. */
  function startFont(name: string): PDFKit.PDFKitReference {
    const kind = { Type: "Font", Subtype: "Type1", Encoding: "WinAnsiEncoding" };
    const font = document.ref({ ...kind, BaseFont: name });
    font.end(undefined);
    fonts.set(name, font);
    return font;
  }

  function startStamp({ name, operators, reach }: Stamp): PDFKit.PDFKitReference {
    const BBox = [-reach, -reach, reach, reach];
    const form = document.ref({ Type: "XObject", Subtype: "Form", BBox });
    form.compress = false;
    form.end(Buffer.from(operators, "latin1"));
    stamps.set(name, form);
    return form;
  }

  function handOver(): PDFKit.PDFDocument {
    if (written.length > 0) document.addContent(Buffer.from(`${written.join("\n")}\n`, "latin1"));
    written = [];
    return document;
  }

  return {
    write: (operators) => void written.push(operators),
    use({ name }) {
      const ofPage = document.page.fonts as Record<string, PDFKit.PDFKitReference>;
      ofPage[name] ??= fonts.get(name) ?? startFont(name);
    },
    carry(stamp) {
      const ofPage = document.page.xobjects as Record<string, PDFKit.PDFKitReference>;
      ofPage[stamp.name] ??= stamps.get(stamp.name) ?? startStamp(stamp);
    },
    document: handOver,
    finishPage: () => compress(handOver().page.content),
  };
}

/** PDFKit compresses harder, in three times the time, to save a tenth. */
function compress(content: PDFKit.PDFKitReference): void {
  // A private of PDFKit's: the stream's content so far, in chunks.
  const stream = content as unknown as { buffer: Uint8Array[] };
  stream.buffer = [deflateSync(Buffer.concat(stream.buffer), { level: 1 })];
  content.compress = false;
}
