import { deflateSync } from "node:zlib";
import { greyPng, nextInk, wordsOf, type GreyPicture } from "../../drawing/grey-png.ts";
import type { LabelFile, LabelFormat, LabelSize } from "../carrier.ts";
import { readGif } from "./gif.ts";

/** Label files of carriers that do not sell the requested format, or one file for each package. */

/** One label file that is made of what a carrier sent. */
export type LabelWork =
  /** GIFs, one for each package: null where one of them cannot be read. */
  | { make: "from_pictures"; gifs: readonly Uint8Array[]; format: "pdf" | "png"; size: LabelSize }
  | { make: "merged"; pdfs: readonly Uint8Array[] }
  | { make: "on_letter"; pdf: Uint8Array };

/** It takes long for several packages, so the platform has it done in worker threads. */
export type MakeLabel = (account_id: string, work: LabelWork) => Promise<Buffer | null>;

/** The same in this thread. */
export const makeLabelHere: MakeLabel = (_account_id, work) => makeLabel(work);

/** Throws for PDFs that cannot be read. */
export async function makeLabel(work: LabelWork): Promise<Buffer | null> {
  switch (work.make) {
    case "from_pictures":
      return fromPictures(work);
    case "merged":
      return mergedPdf(work.pdfs);
    case "on_letter":
      return onLetter(work.pdf);
  }
}

async function fromPictures({
  gifs,
  format,
  size,
}: LabelWork & { make: "from_pictures" }): Promise<Buffer | null> {
  const pictures: GreyPicture[] = [];
  for (const { buffer, byteOffset, byteLength } of gifs) {
    const picture = readLabel(Buffer.from(buffer, byteOffset, byteLength));
    if (picture === null) return null;
    pictures.push(picture);
  }
  return format === "pdf" ? pdfOfPictures(pictures, size) : pngOfPictures(pictures.map(upright));
}

/** More than four by seven inches at 500 dots an inch, and no picture whose decoding takes the memory. */
const dotsMax = 8_000_000;
/** Lighter dots are not printed by a printer of labels. */
const lightestPrinted = 127;

/**
 * A GIF as a picture in portrait, cut to four by six inches. Null for a file that is no GIF or not whole, or that
 * shows nothing.
 */
export function labelPictureOf(gif: Buffer): GreyPicture | null {
  const picture = readLabel(gif);
  return picture && upright(picture);
}

/** As it lies in the file. */
function readLabel(gif: Buffer): GreyPicture | null {
  const picture = readGif(gif, dotsMax);
  return picture !== null && showsSomething(picture) ? picture : null;
}

/** Its size in portrait: UPS's pictures are seven inches long, and the last one is blank. */
function labelSizeOf(picture: GreyPicture): { width: number; height: number; isTurned: boolean } {
  const isTurned = picture.width > picture.height;
  const [width, length] = isTurned
    ? [picture.height, picture.width]
    : [picture.width, picture.height];
  return { width, height: Math.min(length, Math.round(width * 1.5)), isTurned };
}

function showsSomething(picture: GreyPicture): boolean {
  const { dots } = picture;
  const { width, height, isTurned } = labelSizeOf(picture);
  const [rows, columns] = isTurned ? [width, height] : [height, width];
  const words = wordsOf(dots);
  for (let row = 0; row < rows; row++) {
    const end = row * picture.width + columns;
    let at = nextInk(dots, words, { from: row * picture.width, end });
    while (at < end) {
      if (dots[at]! <= lightestPrinted) return true;
      at = nextInk(dots, words, { from: at + 1, end });
    }
  }
  return false;
}

function upright(picture: GreyPicture): GreyPicture {
  const { width, height, isTurned } = labelSizeOf(picture);
  const { dots } = isTurned ? rotated(picture) : picture;
  return { width, height, dots: dots.subarray(0, width * height) };
}

const white = 0xff;

/** By a quarter to the right: the first row is the last column. */
function rotated({ width, height, dots }: GreyPicture): GreyPicture {
  const upright = new Uint8Array(dots.length).fill(white);
  const words = wordsOf(dots);
  for (let row = 0; row < height; row++) {
    const start = row * width;
    const end = start + width;
    let at = nextInk(dots, words, { from: start, end });
    while (at < end) {
      upright[(at - start) * height + height - 1 - row] = dots[at]!;
      at = nextInk(dots, words, { from: at + 1, end });
    }
  }
  return { width: height, height: width, dots: upright };
}

/** Inches. */
const labelWidth = 4;

/** Pictures as one PNG, below each other. */
export function pngOfPictures(pictures: readonly GreyPicture[]): Buffer {
  const width = Math.max(...pictures.map((picture) => picture.width));
  return greyPng(pictures, width / labelWidth);
}

/**
 * A bit for each dot, rows to whole bytes: 1 is white. A picture in landscape is rotated on the way, since to write all its
 * dots once more takes as long as the rest.
 */
function blackAndWhite(picture: GreyPicture): { width: number; height: number; bits: Buffer } {
  const { dots } = picture;
  const { width, height, isTurned } = labelSizeOf(picture);
  const bytesPerRow = Math.ceil(width / 8);
  const bits = Buffer.alloc(bytesPerRow * height, 0xff);
  const words = wordsOf(dots);
  const [rows, columns] = isTurned ? [width, height] : [height, width];
  for (let row = 0; row < rows; row++) {
    const start = row * picture.width;
    const end = start + columns;
    let at = nextInk(dots, words, { from: start, end });
    while (at < end) {
      const x = isTurned ? width - 1 - row : at - start;
      const y = isTurned ? at - start : row;
      if (dots[at]! <= lightestPrinted) bits[y * bytesPerRow + (x >> 3)]! &= ~(0x80 >> (x & 7));
      at = nextInk(dots, words, { from: at + 1, end });
    }
  }
  return { width, height, bits };
}

/** Points of four by six inches, and of letter paper. */
const paper = { "4x6": [288, 432], letter: [612, 792] } as const;

/** Pictures as one PDF, a page for each, in portrait and cut to four by six inches. */
export async function pdfOfPictures(
  pictures: readonly GreyPicture[],
  size: LabelSize,
): Promise<Buffer> {
  const { PDFDocument, PDFOperator, PDFOperatorNames: operators } = await import("@cantoo/pdf-lib");
  const document = await PDFDocument.create({ updateMetadata: false });
  const [width, height] = paper["4x6"];
  const [pageWidth, pageHeight] = paper[size];
  for (const picture of pictures) {
    const page = document.addPage([pageWidth, pageHeight]);
    // Lightly, and here: that takes a quarter of a millisecond, half of what a harder one took to save a seventh.
    const { bits, ...dots } = blackAndWhite(picture);
    const image = document.context.stream(deflateSync(bits, { level: 1 }), {
      Filter: "FlateDecode",
      Type: "XObject",
      Subtype: "Image",
      Width: dots.width,
      Height: dots.height,
      ColorSpace: "DeviceGray",
      BitsPerComponent: 1,
    });
    const name = page.node.newXObject("Label", document.context.register(image));
    const [left, bottom] = size === "letter" ? [36, pageHeight - height - 36] : [0, 0];
    page.pushOperators(
      PDFOperator.of(operators.PushGraphicsState),
      PDFOperator.of(
        operators.ConcatTransformationMatrix,
        [width, 0, 0, height, left, bottom].map((value) => document.context.obj(value)),
      ),
      PDFOperator.of(operators.DrawObject, [name]),
      PDFOperator.of(operators.PopGraphicsState),
    );
  }
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

/** Several PDFs as one, in their order. */
export async function mergedPdf(files: readonly Uint8Array[]): Promise<Buffer> {
  const { PDFDocument } = await import("@cantoo/pdf-lib");
  const merged = await PDFDocument.create({ updateMetadata: false });
  for (const bytes of files) {
    const source = await PDFDocument.load(bytes, { updateMetadata: false });
    const pages = await merged.copyPages(source, source.getPageIndices());
    for (const page of pages) merged.addPage(page);
  }
  return Buffer.from(await merged.save({ useObjectStreams: false }));
}

/** A label of four by six inches on letter paper. */
export async function onLetter(pdf: Uint8Array): Promise<Buffer> {
  const { PDFDocument } = await import("@cantoo/pdf-lib");
  const document = await PDFDocument.create({ updateMetadata: false });
  const [width, height] = paper["4x6"];
  for (const label of await document.embedPdf(pdf)) {
    const page = document.addPage([...paper.letter]);
    page.drawPage(label, { x: 36, y: paper.letter[1] - height - 36, width, height });
  }
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

/** The label of all packages as one file, which is what is printed. */
export function wholeLabel(format: LabelFormat, bytes: Buffer): LabelFile {
  return { type: "label", package_index: null, format, bytes };
}
