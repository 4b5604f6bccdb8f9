import { createHash } from "node:crypto";
import PDFDocument from "pdfkit";
import { runsOf, useFace } from "./fonts.ts";
import type { Mark, Page } from "./marks.ts";
import { code128, symbolShapes } from "./symbols.ts";

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
  for await (const { paper, marks } of pages) {
    document.addPage({ size: [paper.width, paper.height], margin: 0 });
    for (const mark of marks) put(document, mark);
    if (chunks.length > 0) yield Buffer.concat(chunks);
    chunks = [];
  }
  document.end();
  await written;
  yield Buffer.concat(chunks);
}

function put(document: PDFKit.PDFDocument, mark: Mark): void {
  switch (mark.mark) {
    case "box":
      document.rect(mark.x, mark.y, mark.width, mark.height).fill("black");
      return;
    case "text":
      putText(document, mark);
      return;
    case "code128": {
      const { runs, modules } = code128(mark.text);
      const module = mark.width / modules;
      for (const { at, width } of runs)
        document.rect(mark.x + at * module, mark.y, width * module, mark.height);
      document.fill("black");
      return;
    }
    case "symbol":
      putSymbol(document, mark);
  }
}

// A symbol's own unit is a module; its shapes are written in whole hundredths of that, which are far
// shorter than what the paper's points would need, and there may be a thousand of them.
const fine = 100;

function putSymbol(document: PDFKit.PDFDocument, mark: Extract<Mark, { mark: "symbol" }>): void {
  const { width, height, boxes, hexagons, circles } = symbolShapes(mark.kind, mark.text);
  document
    .save()
    .translate(mark.x, mark.y)
    .scale(mark.width / width / fine, mark.height / height / fine);
  const paths = [
    ...boxes.map((box) => `${inFine([box.x, box.y, box.width, box.height])} re`),
    ...hexagons.map(([first, ...others]) =>
      [`${inFine(first!)} m`, ...others.map((corner) => `${inFine(corner)} l`), "h"].join(" "),
    ),
  ];
  document.addContent(paths.join("\n"));
  for (const { x, y, radius } of circles) document.circle(x * fine, y * fine, radius * fine);
  document.fill("black", "even-odd").restore();
}

function inFine(lengths: readonly number[]): string {
  return lengths.map((length) => Math.round(length * fine)).join(" ");
}

function putText(document: PDFKit.PDFDocument, mark: Extract<Mark, { mark: "text" }>): void {
  const { text, size, bold, align } = mark;
  const runs = runsOf(text, bold).map((run) => {
    useFace(document, run.face);
    return { ...run, width: document.fontSize(size).widthOfString(run.text) };
  });
  const width = runs.reduce((sum, run) => sum + run.width, 0);
  const left = align === "left" ? mark.x : align === "right" ? mark.x - width : mark.x - width / 2;
  document.fillColor(mark.white ? "white" : "black");
  let x = left;
  for (const run of runs) {
    useFace(document, run.face);
    // Placed by its baseline, since fonts differ in what lies above it.
    const options = { lineBreak: false, baseline: "alphabetic", textWidth: run.width } as const;
    document.text(run.text, x, mark.y + size * 0.8, options);
    x += run.width;
  }
}
