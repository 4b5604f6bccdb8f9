import { setImmediate } from "node:timers/promises";
import { PDFDocument, ParseSpeeds } from "@cantoo/pdf-lib";
import { labelSheet } from "../drawing/marks.ts";
import { text } from "../drawing/text.ts";
import { writePdf } from "../drawing/write-pdf.ts";
import { startMerging, type MergedPdf } from "./combined/merged-pdf.ts";
import { picturePages } from "./combined/picture-pages.ts";
import { lines } from "./form.ts";

/** One shipment's label file, as its carrier sent it. */
export interface LabelFile {
  /** The name that people use for the shipment: its ship code. */
  name: string;
  format: "pdf" | "png" | "zpl";
  bytes: Uint8Array;
}

export interface CombinedLabels {
  format: "pdf" | "zpl";
  bytes: Buffer;
  /** Of a ZPL file, its labels. */
  pages: number;
}

/**
 * The labels of a batch as one file, in order. PDF and PNG labels become one PDF, each page as large as
 * it was; ZPL labels are concatenated into one ZPL file. Throws when there is none, or when
 * ZPL and others are mixed, which no batch does: it has one `label_format`.
 *
 * It takes seconds for many or large ones, so those are combined in worker threads (`purchasing/labels/combine-in-threads.ts`).
 *
 * A PDF or PNG that cannot be read is replaced by a page that says so, with the shipment's name.
 */
export async function combineLabels(files: readonly LabelFile[]): Promise<CombinedLabels> {
  if (files.length === 0) throw new Error("there are no labels to combine");
  const zpl = files.filter(({ format }) => format === "zpl");
  if (zpl.length === files.length) return { ...concatenated(zpl), pages: zpl.length };
  if (zpl.length > 0) throw new Error("ZPL labels cannot be combined with others");
  const pdf = startMerging();
  for (const file of files) {
    await append(pdf, file);
    // The few files of one purchase are combined on the event loop.
    await setImmediate();
  }
  return { format: "pdf", ...pdf.finish() };
}

function concatenated(zpl: readonly LabelFile[]) {
  const bytes = Buffer.concat(zpl.flatMap((file) => [file.bytes, lineBreak]));
  return { format: "zpl" as const, bytes };
}

const lineBreak = Buffer.from("\n");

async function append(pdf: MergedPdf, { name, format, bytes }: LabelFile): Promise<void> {
  try {
    pdf.append(format === "pdf" ? await load(bytes) : await picturePages(bytes));
  } catch {
    pdf.append(await load(await notice(name)));
  }
}

/** Many carriers encrypt their labels with an empty password, only to forbid changes. */
async function load(bytes: Uint8Array): Promise<PDFDocument> {
  const options = { parseSpeed: ParseSpeeds.Fastest, updateMetadata: false, password: "" };
  const document = await PDFDocument.load(bytes, options);
  if (document.getPageCount() === 0) throw new Error("a label without a page");
  return document;
}

function notice(name: string): Promise<Buffer> {
  const words = [
    "This shipment's label could not",
    "be joined with the others.",
    "Print it on its own.",
  ];
  const { width } = labelSheet;
  const marks = [
    text(name, 18, 140, { size: 28, bold: true, max: width - 36 }),
    ...lines(words, { x: 18, y: 185, width: width - 36, size: 14 }),
  ];
  const info = { title: "Missing label", producer: "Waybill", made_at: new Date(0) };
  return writePdf([{ paper: labelSheet, marks }], info);
}
