import { createHash } from "node:crypto";
import PDFDocument from "pdfkit";
import type { Mark, Page } from "./marks.ts";
import { penOn, type Pen } from "./pen.ts";
import { bars, putShapes } from "./put-shapes.ts";
import { putText } from "./put-text.ts";
import { rounded } from "./rounded.ts";
import { symbolShapes } from "./symbols.ts";

interface PdfInfo {
  title: string;
  producer: string;
  made_at: Date;
}

/**
 * Pages as PDF, in vectors. The bytes follow from the marks and the info alone: the same document
 * drawn again, for a lookup years later, is the same file.
 */
export async function writePdf(pages: readonly Page[], info: PdfInfo): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of streamPdf(pages, { ...info, content: JSON.stringify(pages) }))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * The same for more pages than memory should hold at once: each is drawn when the previous one is
 * written. `content` tells this document from every other.
 */
export async function* streamPdf(
  pages: Iterable<Page> | AsyncIterable<Page>,
  { title, producer, made_at, content }: PdfInfo & { content: string },
): AsyncGenerator<Buffer> {
  const document = new PDFDocument({
    autoFirstPage: false,
    // None: PDFKit would load one that no page may need.
    font: "",
    margin: 0,
    info: { Title: title, Producer: producer, Creator: "Waybill", CreationDate: made_at },
  });
  // PDFKit derives the file's id from the moment and a random number; this one follows from the content.
  const id = createHash("md5").update(content).digest();
  Object.assign(document, { _id: id });
  const pen = penOn(document);
  for await (const { paper, marks } of pages) {
    document.addPage({ size: [paper.width, paper.height], margin: 0 });
    for (const mark of marks) put(pen, mark);
    pen.finishPage();
    yield bytesOf(document);
  }
  document.end();
  yield bytesOf(document);
}

/** PDFKit's output so far: it writes synchronously. */
function bytesOf(document: PDFKit.PDFDocument): Buffer {
  return (document.read() as Buffer | null) ?? Buffer.alloc(0);
}

function put(pen: Pen, mark: Mark): void {
  switch (mark.mark) {
    case "box": {
      const { x, y, width, height } = mark;
      pen.write(`${[x, y, width, height].map(rounded).join(" ")} re f`);
      return;
    }
    case "text":
      putText(pen, mark);
      return;
    case "code128":
      putShapes(pen, mark, bars(mark.text));
      return;
    case "symbol":
      putShapes(pen, mark, symbolShapes(mark.kind, mark.text));
  }
}
