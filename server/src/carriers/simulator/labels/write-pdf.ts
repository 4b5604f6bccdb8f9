import { createHash } from "node:crypto";
import PDFDocument from "pdfkit";
import { sheet, type Mark } from "./drawing.ts";
import { dejavu, isPlain } from "./fonts.ts";
import type { LabelSize } from "./label-content.ts";
import { code128, symbolShapes } from "./symbols.ts";

const letter = { width: 612, height: 792 };

/**
 * Pages as PDF, in vectors. The bytes follow from the marks alone: the same label drawn again, for a
 * look-up years later, is the same file.
 */
export function writePdf(pages: Mark[][], size: LabelSize, madeAt: Date): Promise<Buffer> {
  const pageSize = size === "letter" ? letter : sheet;
  const document = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    info: {
      Title: "Shipping label",
      Producer: "Waybill simulator",
      Creator: "Waybill",
      CreationDate: madeAt,
    },
  });
  // PDFKit derives the file's id from the moment and a random number; ours follows from the content.
  const id = createHash("md5").update(JSON.stringify(pages)).digest();
  Object.assign(document, { _id: id });
  const chunks: Buffer[] = [];
  const written = new Promise<Buffer>((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
  for (const marks of pages) {
    document.addPage({ size: [pageSize.width, pageSize.height], margin: 0 });
    if (size === "letter") placeOnLetter(document);
    for (const mark of marks) put(document, mark);
  }
  document.end();
  return written;
}

/** The label in the upper half, and where to fold. */
function placeOnLetter(document: PDFKit.PDFDocument): void {
  const x = (letter.width - sheet.width) / 2;
  document.font("Helvetica").fontSize(8).fillColor("black");
  document.text("Fold here, or cut along the label. Cover no barcode with tape.", 0, 486, {
    width: letter.width,
    align: "center",
    lineBreak: false,
  });
  document
    .moveTo(36, 480)
    .lineTo(letter.width - 36, 480)
    .dash(3, { space: 3 })
    .stroke()
    .undash();
  document.translate(x, 30);
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

function putSymbol(document: PDFKit.PDFDocument, mark: Extract<Mark, { mark: "symbol" }>): void {
  const { width, height, boxes, hexagons, circles } = symbolShapes(mark.kind, mark.text);
  document
    .save()
    .translate(mark.x, mark.y)
    .scale(mark.width / width, mark.height / height);
  for (const box of boxes) document.rect(box.x, box.y, box.width, box.height);
  for (const corners of hexagons) document.polygon(...corners);
  for (const { x, y, radius } of circles) document.circle(x, y, radius);
  document.fill("black", "even-odd").restore();
}

function putText(document: PDFKit.PDFDocument, mark: Extract<Mark, { mark: "text" }>): void {
  const { text, size, bold, align } = mark;
  const plain = bold ? "Helvetica-Bold" : "Helvetica";
  document.font(isPlain(text) ? plain : bold ? dejavu.bold : dejavu.regular).fontSize(size);
  const width = document.widthOfString(text);
  const left = align === "left" ? mark.x : align === "right" ? mark.x - width : mark.x - width / 2;
  document.fillColor(mark.white ? "white" : "black");
  // Placed by its baseline, since fonts differ in what lies above it.
  document.text(text, left, mark.y + size * 0.8, { lineBreak: false, baseline: "alphabetic" });
}
