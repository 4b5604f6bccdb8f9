import { labelSheet } from "../../../drawing/marks.ts";
import { writePdf } from "../../../drawing/write-pdf.ts";
import { drawPage } from "./draw-marks.ts";
import { layOut } from "./layout.ts";
import type { LabelContent, LabelFormat, LabelSize } from "./label-content.ts";
import { gifDotsPerInch, rotatedGif } from "./gif.ts";
import { placeOnLetter } from "./place-on-letter.ts";
import { writePng } from "./write-png.ts";
import { writeZpl } from "./write-zpl.ts";

/**
 * The labels of a shipment as one file: a page for each package, or for one of them. PDF and PNG come on the 4 by 6 inch
 * sheet or on letter paper; ZPL printers know their own sheet, and a GIF is of one package. The same content gives the same bytes.
 */
export async function renderLabel(
  content: LabelContent,
  { format, size }: { format: LabelFormat | "gif"; size: LabelSize },
  onlyIndex?: number,
): Promise<Buffer> {
  const indexes = onlyIndex === undefined ? content.packages.keys() : [onlyIndex];
  const labels = [...indexes].map((index) => layOut(content, index));
  const pages = labels.map((marks) =>
    size === "letter" ? placeOnLetter(marks) : { paper: labelSheet, marks },
  );
  switch (format) {
    case "pdf":
      return writePdf(pages, {
        title: "Shipping label",
        producer: "Waybill simulator",
        made_at: new Date(`${content.ship_date}T00:00:00Z`),
      });
    case "png":
      return writePng(pages);
    case "zpl":
      return writeZpl(labels);
    case "gif":
      return rotatedGif(drawPage(pages[0]!, gifDotsPerInch));
  }
}
