import { createHash } from "node:crypto";
import PDFDocument from "pdfkit";
import type { Mark, Page } from "./marks.ts";
import { bars, putShapes } from "./put-shapes.ts";
import { textPutter } from "./put-text.ts";
import { rounded } from "./rounded.ts";
import { symbolShapes } from "./symbols.ts";

export interface PdfInfo {
  title: string;
  producer: string;
  made_at: Date;
}

/**
 * Pages as PDF, in vectors. The bytes follow from the marks and the info alone: the same paper drawn
 * again, for a look-up years later, is the same file.
 */
export async function writePdf(pages: readonly Page[], info: PdfInfo): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of streamPdf(pages, { ...info, content: JSON.stringify(pages) }))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * The same for more pages than memory should hold at once: each is drawn when the one before it is
 * written. `content` tells this paper from every other.
 */
export async function* streamPdf(
  pages: Iterable<Page> | AsyncIterable<Page>,
  { title, producer, made_at, content }: PdfInfo & { content: string },
): AsyncGenerator<Buffer> {
  const document = new PDFDocument({
    autoFirstPage: false,
    // None: it would read one that no page may need.
    font: "",
    margin: 0,
    info: { Title: title, Producer: producer, Creator: "Waybill", CreationDate: made_at },
  });
  // PDFKit derives the file's id from the moment and a random number; ours follows from the content.
  const id = createHash("md5").update(content).digest();
  Object.assign(document, { _id: id });
  let chunks: Buffer[] = [];
  const written = new Promise<void>((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", resolve);
    document.on("error", reject);
  });
  const putText = textPutter(document);
  for await (const { paper, marks } of pages) {
    document.addPage({ size: [paper.width, paper.height], margin: 0 });
    for (const mark of marks)
      if (mark.mark === "text") putText(mark);
      else put(document, mark);
    if (chunks.length > 0) yield Buffer.concat(chunks);
    chunks = [];
  }
  document.end();
  await written;
  yield Buffer.concat(chunks);
}

function put(document: PDFKit.PDFDocument, mark: Exclude<Mark, { mark: "text" }>): void {
  switch (mark.mark) {
    case "box": {
      const lengths = [mark.x, mark.y, mark.width, mark.height].map(rounded);
      document.addContent(`${lengths.join(" ")} re f`);
      return;
    }
    case "code128":
      putShapes(document, mark, bars(mark.text));
      return;
    case "symbol":
      putShapes(document, mark, symbolShapes(mark.kind, mark.text));
  }
}
