import { greyPng } from "../../../drawing/grey-png.ts";
import type { Page } from "../../../drawing/marks.ts";
import { drawPage } from "./draw-marks.ts";

// The resolution of the usual thermal printer: 812 by 1218 dots a label.
const dotsPerInch = 203;

/** Pages as one PNG, below each other, at 203 dots per inch, in shades of grey. */
export function writePng(pages: readonly Page[]): Buffer {
  return greyPng(
    pages.map((page) => drawPage(page, dotsPerInch)),
    dotsPerInch,
  );
}
