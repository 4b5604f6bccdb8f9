import { letter, type Mark, type Page } from "../drawing/marks.ts";
import { writePdf } from "../drawing/write-pdf.ts";
import { foot, footTop } from "./bill-foot.ts";
import { freightTable } from "./bill-freight.ts";
import { head, headHeight } from "./bill-head.ts";
import { orderTable } from "./bill-orders.ts";
import { page, pageNumber } from "./form-page.ts";
import { instructionsSection, supplementHead, supplementTop } from "./bill-supplement.ts";
import { frame } from "./form.ts";
import type { FreightDocuments } from "./freight-documents.ts";
import { paginate } from "./paginate.ts";

/**
 * The bill of lading of a booked LTL shipment as PDF on letter paper, in the layout of the VICS
 * standard: the form that shippers, drivers and docks of North America know by heart. What does not fit
 * on the first page continues in a supplement; totals and signatures are on the first. The same facts
 * give the same bytes, so that a document can be stored twice under one name.
 */
export function renderBillOfLading(facts: FreightDocuments): Promise<Buffer> {
  return writePdf(billPages(facts), {
    title: `Bill of lading ${facts.bol_number}`,
    producer: "Waybill",
    made_at: new Date(`${facts.pickup.date}T00:00:00Z`),
  });
}

/** The pages as marks. */
export function billPages(facts: FreightDocuments): Page[] {
  const orders = orderTable(facts);
  const freightTop = page.top + headHeight + orders.height;
  const freight = freightTable(facts, { height: footTop - freightTop });
  const { marks: top, instructions_later } = head(facts);
  const first: Mark[] = [
    ...top,
    ...orders.draw(page.top + headHeight),
    ...freight.draw(freightTop),
    ...frame({
      x: page.left,
      y: page.top + headHeight,
      width: page.width,
      height: footTop - page.top - headHeight,
    }),
    ...foot(facts),
  ];
  const later = [instructionsSection(instructions_later), orders.later, freight.later];
  const supplements = paginate(later, {
    top: () => supplementTop,
    bottom: page.bottom,
  });
  const count = 1 + supplements.length;
  const pages = [
    [...first, pageNumber(1, count)],
    ...supplements.map((marks, place) => [
      ...supplementHead(facts),
      ...marks,
      pageNumber(place + 2, count),
    ]),
  ];
  return pages.map((marks) => ({ paper: letter, marks }));
}
