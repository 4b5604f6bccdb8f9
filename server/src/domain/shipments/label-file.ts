import { labelFormats } from "./shipment-enums.ts";

/** Files as carriers send them: which format they have, and whether they are whole. */

type LabelFormat = (typeof labelFormats)[number];

/** The first and last bytes of a complete file of each format, apart from line breaks. */
const marks: Readonly<Record<LabelFormat, { begins: Buffer; ends: Buffer }>> = {
  pdf: { begins: Buffer.from("%PDF-"), ends: Buffer.from("%%EOF") },
  zpl: { begins: Buffer.from("^XA"), ends: Buffer.from("^XZ") },
  png: { begins: Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ends: Buffer.from("IEND") },
};
const tailBytes = 32;

/** Whether the bytes are a complete file of that format. */
export function isCompleteFile(format: LabelFormat, bytes: Buffer): boolean {
  const { begins, ends } = marks[format];
  const isBegun = bytes.subarray(0, begins.length).equals(begins);
  return isBegun && bytes.subarray(-tailBytes).includes(ends);
}

/** The format of a complete file; null for any other bytes, such as half of one. */
export function formatOfFile(bytes: Buffer): LabelFormat | null {
  return labelFormats.find((format) => isCompleteFile(format, bytes)) ?? null;
}
