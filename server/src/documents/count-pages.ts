import { PDFDocument, ParseSpeeds } from "@cantoo/pdf-lib";

/** How many pages a PDF has. Throws for what is none. */
export async function countPages(bytes: Buffer): Promise<number> {
  const options = { parseSpeed: ParseSpeeds.Fastest, updateMetadata: false };
  return (await PDFDocument.load(bytes, options)).getPageCount();
}
