import { PDFiumLibrary, type PDFiumPage } from "@hyzyla/pdfium";
import { greyPng, type GreyPicture } from "../drawing/grey-png.ts";

/**
 * The PNG of a label that its carrier has as PDF only. PDFium, the renderer of Chromium, runs as WebAssembly: a file
 * that is made to break it reaches the memory of this renderer, and nothing else.
 */

/** Labels as PDFs, in their order. */
type DrawPicture = (labels: readonly Uint8Array[]) => Promise<Uint8Array>;

/** The resolution of the usual thermal printer: 812 by 1218 dots for four by six inches. */
const dotsPerInch = 203;
const pointsPerInch = 72;
/** A page of letter paper has 3.9 million. */
const dotsOfPageMost = 8_000_000;
/** Fifty labels of four by six inches, a shipment's most, are 49 million: what can be read again as a picture of labels. */
const dotsMost = 60_000_000;
/** Lighter dots are not printed by a printer of labels. */
const lightestPrinted = 127;

let renderer: Promise<PDFiumLibrary> | undefined;

/**
 * Loads the renderer, and returns what draws: all pages below each other, each at its own size, in shades of grey. It
 * throws for what is no PDF, for one that shows nothing, and for pages that no label has.
 */
export async function openLabelPicture(): Promise<DrawPicture> {
  renderer ??= PDFiumLibrary.init();
  const opened = await renderer;
  return async (labels) => {
    try {
      const pages = await pagesOf(opened, labels);
      if (showsNothing(pages)) throw new Error("the PDF shows nothing");
      return greyPng(pages, dotsPerInch);
    } catch (error) {
      // What failed in the middle may have left its memory in any state.
      renderer = undefined;
      throw error;
    }
  };
}

async function pagesOf(opened: PDFiumLibrary, labels: readonly Uint8Array[]) {
  const pages: GreyPicture[] = [];
  let dots = 0;
  for (const label of labels) {
    const document = await opened.loadDocument(label);
    try {
      for (const page of document.pages()) {
        const size = sizeOf(page);
        dots += size.width * size.height;
        if (dots > dotsMost) throw new Error("the PDF has more pages than a label");
        pages.push(await drawn(page, size));
      }
    } finally {
      document.destroy();
    }
  }
  return pages;
}

function sizeOf(page: PDFiumPage): { width: number; height: number } {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const width = Math.round((originalWidth / pointsPerInch) * dotsPerInch);
  const height = Math.round((originalHeight / pointsPerInch) * dotsPerInch);
  const dots = width * height;
  if (dots >= 1 && dots <= dotsOfPageMost) return { width, height };
  throw new Error(`a page of ${originalWidth} by ${originalHeight} points is no label`);
}

async function drawn(page: PDFiumPage, size: { width: number; height: number }) {
  const { data } = await page.render({ ...size, scale: 1, colorSpace: "Gray", render: "bitmap" });
  return { ...size, dots: data };
}

/** PDFium draws a page whose content it cannot read as a white one: that is no label. */
function showsNothing(pages: readonly GreyPicture[]): boolean {
  return !pages.some(({ dots }) => dots.some((dot) => dot <= lightestPrinted));
}
