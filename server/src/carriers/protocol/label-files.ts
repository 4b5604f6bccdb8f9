import { promisify } from "node:util";
import { deflate } from "node:zlib";
import type { LabelFile, LabelFormat, LabelSize } from "../carrier.ts";

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
  const pictures: Picture[] = [];
  // One after the other: each takes some megabytes while it is drawn.
  for (const gif of gifs) {
    const { buffer, byteOffset, byteLength } = gif;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    const picture = await pictureOf(bytes).catch(() => null);
    if (picture === null) return null;
    pictures.push(picture);
  }
  return format === "pdf" ? pdfOfPictures(pictures, size) : pngOfPictures(pictures);
}

/**
 * A GIF as its pixels: rotated to portrait, and cut to four by six inches. Null for a file
 * that is no GIF, or that shows nothing.
 */
export async function pictureOf(gif: Buffer): Promise<Picture | null> {
  const size = sizeOfGif(gif);
  if (size === null) return null;
  const isLandscape = size.width > size.height;
  const width = isLandscape ? size.height : size.width;
  // UPS's pictures are seven inches long: the last one is blank.
  const height = Math.min(isLandscape ? size.width : size.height, Math.round(width * 1.5));
  const rotation = isLandscape ? `transform="translate(${width} 0) rotate(90)"` : "";
  const href = `data:image/gif;base64,${gif.toString("base64")}`;
  // Each dot of it is one of the result: there is nothing to smooth, which takes three times as long.
  const image = `<image ${rotation} width="${size.width}" height="${size.height}" image-rendering="optimizeSpeed" href="${href}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${image}</svg>`;
  const { renderAsync } = await import("@resvg/resvg-js");
  const drawn = await renderAsync(svg, {
    background: "white",
    font: { loadSystemFonts: false },
    logLevel: "off",
  });
  const bits = blackAndWhite(drawn.pixels, width, height);
  if (bits === null) return null;
  return { width, height, bits, png: () => Buffer.from(drawn.asPng()) };
}

export interface Picture {
  width: number;
  height: number;
  /** A bit for each pixel, rows to whole bytes: 1 is white. */
  bits: Buffer;
  png(): Buffer;
}

/** More than four by seven inches at 500 dots an inch, and no picture whose decoding takes the memory. */
const pixelsMost = 8_000_000;

function sizeOfGif(gif: Buffer): { width: number; height: number } | null {
  if (gif.length < 14 || !/^GIF8[79]a$/.test(gif.toString("latin1", 0, 6))) return null;
  const width = gif.readUInt16LE(6);
  const height = gif.readUInt16LE(8);
  const pixels = width * height;
  return pixels > 0 && pixels <= pixelsMost ? { width, height } : null;
}

/** Null when nothing is black: the file could not be decoded, or has no label. */
function blackAndWhite(pixels: Buffer, width: number, height: number): Buffer | null {
  const bytesPerRow = Math.ceil(width / 8);
  const bits = Buffer.alloc(bytesPerRow * height, 0xff);
  let isBlank = true;
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) {
      // Red stands for all: labels are grey.
      if (pixels[at]! > 127) continue;
      isBlank = false;
      bits[y * bytesPerRow + (x >> 3)]! &= ~(0x80 >> (x & 7));
    }
  }
  return isBlank ? null : bits;
}

/** Pictures as one PNG, below each other. */
export async function pngOfPictures(pictures: readonly Picture[]): Promise<Buffer> {
  if (pictures.length === 1) return pictures[0]!.png();
  let top = 0;
  const images = pictures.map((picture) => {
    const { width, height } = picture;
    const href = `data:image/png;base64,${picture.png().toString("base64")}`;
    top += height;
    return `<image y="${top - height}" width="${width}" height="${height}" href="${href}"/>`;
  });
  const width = Math.max(...pictures.map((picture) => picture.width));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}">${images.join("")}</svg>`;
  const { renderAsync } = await import("@resvg/resvg-js");
  const drawn = await renderAsync(svg, { background: "white", font: { loadSystemFonts: false } });
  return Buffer.from(drawn.asPng());
}

const compressed = promisify(deflate);

/** Points of four by six inches, and of letter paper. */
const paper = { "4x6": [288, 432], letter: [612, 792] } as const;

/** Pictures as one PDF, a page for each. */
export async function pdfOfPictures(
  pictures: readonly Picture[],
  size: LabelSize,
): Promise<Buffer> {
  const { PDFDocument, PDFOperator, PDFOperatorNames: operators } = await import("@cantoo/pdf-lib");
  const document = await PDFDocument.create({ updateMetadata: false });
  const [width, height] = paper["4x6"];
  const [pageWidth, pageHeight] = paper[size];
  for (const picture of pictures) {
    const page = document.addPage([pageWidth, pageHeight]);
    // Compressed in Node's thread pool: the library would do it in JavaScript, on the event loop.
    const image = document.context.stream(await compressed(picture.bits), {
      Filter: "FlateDecode",
      Type: "XObject",
      Subtype: "Image",
      Width: picture.width,
      Height: picture.height,
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
