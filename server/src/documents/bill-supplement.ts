import { barcode } from "../drawing/barcode.ts";
import type { Mark } from "../drawing/marks.ts";
import { text, wrap } from "../drawing/text.ts";
import { page, title } from "./form-page.ts";
import { across, field, frame, heading, headingHeight, leading } from "./form.ts";
import type { FreightDocuments } from "./freight-documents.ts";
import { instructions } from "./freight-wording.ts";
import type { Section } from "./paginate.ts";

/** The pages after the first, for what does not fit on it. */

const headHeight = 62;
export const supplementTop = page.top + page.titleHeight + headHeight + 8;

/** Which bill it belongs to: a loose page must be identifiable. */
export function supplementHead({
  bol_number,
  pro_number,
  carrier,
  ship_from,
  ship_to,
}: FreightDocuments): Mark[] {
  const y = page.top + page.titleHeight;
  const half = page.width / 2 - 8;
  const [left, right] = [page.left + 4, page.middle + 4];
  return [
    ...title("SUPPLEMENT TO THE BILL OF LADING"),
    ...frame({ x: page.left, y, width: page.width, height: headHeight }),
    ...field("Ship from:", ship_from.company ?? ship_from.name, { x: left, y: y + 5, width: half }),
    ...field("Ship to:", ship_to.company ?? ship_to.name, { x: left, y: y + 17, width: half }),
    ...field("Carrier:", carrier.name, { x: left, y: y + 29, width: half }),
    ...field("Pro number:", pro_number ?? "not assigned yet", { x: left, y: y + 41, width: half }),
    ...field("Bill of Lading Number:", bol_number, { x: right, y: y + 5, width: half, size: 10 }),
    ...barcode(bol_number, { x: right, y: y + 22, width: half, height: 34 }),
  ];
}

/** All instructions as lines of that width. */
export function instructionLines(
  facts: FreightDocuments,
  { width, size }: { width: number; size: number },
): string[] {
  return instructions(facts).flatMap((each) => wrap(each, { size, bold: false, max: width }));
}

/** The lines that do not fit on the first page. */
export function instructionsSection(later: readonly string[]): Section {
  const size = 7.5;
  const name = "SPECIAL INSTRUCTIONS (CONTINUED)";
  return {
    head: {
      height: headingHeight + 4,
      draw: (y) => heading(name, page.left, y, page.width),
    },
    rows: later.map((line, place) => ({
      height: size * leading + (place === later.length - 1 ? 10 : 0),
      draw: (y) => [
        text(line, page.left + 4, y, { size, max: page.width - 8 }),
        ...(place === later.length - 1 ? [across(page.left, y + size + 4, page.width)] : []),
      ],
    })),
  };
}
