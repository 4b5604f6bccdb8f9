import type { LabelFile } from "../../carriers/carrier.ts";

/** Test data: a file as carriers send it; the whole label as PDF unless stated otherwise. */
export function aLabelFile(given: Partial<LabelFile> & Pick<LabelFile, "bytes">): LabelFile {
  return { type: "label", package_index: null, format: "pdf", ...given };
}
