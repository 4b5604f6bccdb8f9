import type { LabelFile, LabelFormat, LabelSize } from "../carrier.ts";
import { wholeLabel, type LabelWork } from "../protocol/label-files.ts";
import type { NativeFile } from "./labels.ts";

/**
 * UPS's files as what was requested: the labels of all packages as one file, and the documents that UPS drew for
 * customs. Without a label where one of its packages has none that can be read: half of a label is none.
 */
export async function filesOf(
  native: readonly NativeFile[],
  wanted: { format: LabelFormat; size: LabelSize; pieces: number },
  make: (work: LabelWork) => Promise<Buffer | null>,
): Promise<LabelFile[]> {
  const labels = native.filter(({ type }) => type === "label");
  const papers = native.flatMap(({ type, package_index, format, bytes }) =>
    type !== "label" && format === "PDF"
      ? [{ type, package_index, format: "pdf" as const, bytes }]
      : [],
  );
  const bytes = labels.length < wanted.pieces ? null : await asOneFile(labels, wanted, make);
  return bytes === null ? papers : [wholeLabel(wanted.format, bytes), ...papers];
}

/** Null as well where it takes too long, or others are before it: it can be recovered. */
async function asOneFile(
  labels: readonly NativeFile[],
  { format, size }: { format: LabelFormat; size: LabelSize },
  make: (work: LabelWork) => Promise<Buffer | null>,
): Promise<Buffer | null> {
  const native = { pdf: "PDF", zpl: "ZPL", png: "GIF" }[format];
  if (format === "zpl") return all(labels, native) ? concatenated(labels) : null;
  const files = labels.map(({ bytes }) => bytes);
  const isPdf = format === "pdf" && all(labels, native);
  if (isPdf && files.length === 1) return files[0]!;
  const work: LabelWork = isPdf
    ? { make: "merged", pdfs: files }
    : { make: "from_pictures", gifs: files, format, size };
  return make(work).catch(() => null);
}

function all(labels: readonly NativeFile[], format: string): boolean {
  return labels.every((label) => label.format === format);
}

function concatenated(labels: readonly NativeFile[]): Buffer {
  return Buffer.concat(labels.flatMap(({ bytes }) => [bytes, Buffer.from("\n")]));
}
