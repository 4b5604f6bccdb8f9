import type { LabelFile, LabelFormat, LabelSize } from "../carrier.ts";
import {
  mergedPdf,
  pdfOfPictures,
  pictureOf,
  pngOfPictures,
  wholeLabel,
} from "../protocol/label-files.ts";
import type { NativeFile } from "./labels.ts";

/**
 * UPS's files as what was requested: the labels of all packages as one file, and the documents that UPS drew for
 * customs. Without a label where one of its packages has none that can be read: half of a label is none.
 */
export async function filesOf(
  native: readonly NativeFile[],
  wanted: { format: LabelFormat; size: LabelSize; pieces: number },
): Promise<LabelFile[]> {
  const labels = native.filter(({ type }) => type === "label");
  const papers = native.flatMap(({ type, package_index, format, bytes }) =>
    type !== "label" && format === "PDF"
      ? [{ type, package_index, format: "pdf" as const, bytes }]
      : [],
  );
  const bytes = labels.length < wanted.pieces ? null : await asOneFile(labels, wanted);
  return bytes === null ? papers : [wholeLabel(wanted.format, bytes), ...papers];
}

async function asOneFile(
  labels: readonly NativeFile[],
  { format, size }: { format: LabelFormat; size: LabelSize },
): Promise<Buffer | null> {
  const native = { pdf: "PDF", zpl: "ZPL", png: "GIF" }[format];
  if (format === "zpl") return all(labels, native) ? concatenated(labels) : null;
  if (format === "pdf" && all(labels, native)) {
    return mergedPdf(labels.map(({ bytes }) => bytes)).catch(() => null);
  }
  const pictures = await Promise.all(labels.map(({ bytes }) => pictureOf(bytes).catch(() => null)));
  const readable = pictures.filter((picture) => picture !== null);
  if (readable.length < labels.length) return null;
  return format === "pdf" ? pdfOfPictures(readable, size) : pngOfPictures(readable);
}

function all(labels: readonly NativeFile[], format: string): boolean {
  return labels.every((label) => label.format === format);
}

function concatenated(labels: readonly NativeFile[]): Buffer {
  return Buffer.concat(labels.flatMap(({ bytes }) => [bytes, Buffer.from("\n")]));
}
