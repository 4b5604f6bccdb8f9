import { layOut } from "./layout.ts";
import type { LabelContent, LabelFormat, LabelSize } from "./label-content.ts";
import { writePdf } from "./write-pdf.ts";
import { writePng } from "./write-png.ts";
import { writeZpl } from "./write-zpl.ts";

/**
 * The labels of a shipment as one file: a page for each package. PDF and PNG come on the 4 by 6 inch
 * sheet or on letter paper; ZPL printers know their own paper. The same content gives the same bytes.
 */
export async function renderLabel(
  content: LabelContent,
  format: LabelFormat,
  size: LabelSize,
): Promise<Buffer> {
  const pages = content.packages.map((_parcel, index) => layOut(content, index));
  switch (format) {
    case "pdf":
      return writePdf(pages, size, new Date(`${content.ship_date}T00:00:00Z`));
    case "png":
      return writePng(pages, size);
    case "zpl":
      return writeZpl(pages);
  }
}
