import type { Mark } from "../drawing/marks.ts";
import { text } from "../drawing/text.ts";
import { page } from "./form-page.ts";
import type { BillTable } from "./bill-table.ts";
import { cells, rulers, titles, type Column } from "./columns.ts";
import {
  across,
  atMost,
  down,
  heading,
  headingHeight,
  leading,
  lines,
  smallPrint,
} from "./form.ts";
import {
  freightLine,
  freightTotals,
  inTenths,
  type FreightLine,
  type FreightDocuments,
  type FreightTotals,
} from "./freight-documents.ts";
import { sizeWords } from "./freight-wording.ts";
import { fitting, type Row } from "./paginate.ts";

const columns = [
  { key: "units", title: "QTY", width: 34, align: "center" },
  { key: "unit_type", title: "TYPE", width: 46, align: "center" },
  { key: "pieces", title: "QTY", width: 38, align: "center" },
  { key: "piece_type", title: "TYPE", width: 36, align: "center" },
  { key: "weight", title: "WEIGHT", width: 60, align: "right" },
  { key: "hazmat", title: "H.M. (X)", width: 30, align: "center" },
  { key: "description", title: "COMMODITY DESCRIPTION", width: 204 },
  { key: "nmfc", title: "NMFC #", width: 60, align: "center" },
  { key: "class", title: "CLASS", width: 48, align: "center" },
] as const satisfies Column[];

const widthUpTo = (key: string) =>
  columns
    .slice(
      0,
      columns.findIndex((each) => each.key === key),
    )
    .reduce((x, each) => x + each.width, 0);
const unitsEnd = page.left + widthUpTo("pieces");
const piecesEnd = page.left + widthUpTo("weight");
const description = { x: page.left + widthUpTo("description"), width: 204 };
const nmfc = { x: page.left + widthUpTo("nmfc"), width: 108 };

const groupHeight = 11;
const titleHeight = 19;
const headHeight = headingHeight + groupHeight + titleHeight;
const totalHeight = 46;
const size = 7.5;

/** Carrier information: the freight, line by line, with the room that is left until `end`. */
export function freightTable(facts: FreightDocuments, { height }: { height: number }): BillTable {
  const freight = facts.handling_units.map(freightLine);
  const rows = freight.map(rowOf);
  const roomForRows = height - headHeight - totalHeight;
  const { here, later } = fitting(rows, { height: roomForRows, note: 12 });
  return {
    height,
    draw(y) {
      const first = y + headHeight;
      const end = first + roomForRows;
      const marks: Mark[] = [...head("CARRIER INFORMATION", y)];
      let next = first;
      for (const row of here) {
        marks.push(...row.draw(next));
        next += row.height;
      }
      if (later.length > 0) marks.push(note(later.length, next));
      return [
        ...marks,
        ...rulers(columns, page.left, first, roomForRows),
        ...total(freightTotals(freight), end),
      ];
    },
    later: {
      head: {
        height: headHeight,
        draw: (y) => head("CARRIER INFORMATION (CONTINUED)", y),
      },
      rows: later.map((row) => ({
        ...row,
        draw: (y) => [...row.draw(y), ...rulers(columns, page.left, y, row.height)],
      })),
    },
  };
}

const care =
  "Commodities that need special or additional care or attention in handling or stowing must be so marked and packed that they travel safely with ordinary care.";

function head(name: string, y: number): Mark[] {
  const group = y + headingHeight;
  const below = group + groupHeight;
  const named = (words: string, from: number, to: number) =>
    text(words, (from + to) / 2, group + 2.4, {
      size: 6.5,
      bold: true,
      align: "center",
      max: to - from - 4,
    });
  const own = columns.map((column) =>
    column.key === "description" ? { ...column, title: "" } : column,
  );
  const inside = { x: description.x + 4, width: description.width - 8 };
  return [
    ...heading(name, page.left, y, page.width),
    named("HANDLING UNIT", page.left, unitsEnd),
    named("PACKAGE", unitsEnd, piecesEnd),
    named("COMMODITY DESCRIPTION", description.x, nmfc.x),
    named("LTL ONLY", nmfc.x, page.right),
    down(unitsEnd, group, groupHeight),
    down(piecesEnd, group, groupHeight),
    down(description.x, group, groupHeight),
    down(nmfc.x, group, groupHeight),
    ...titles(own, page.left, below + 6),
    ...smallPrint(care, { ...inside, y: below, height: titleHeight - 1 }, 5.5),
    ...rulers(columns, page.left, below, titleHeight),
    across(page.left, below + titleHeight, page.width),
  ];
}

const mostDescriptionLines = 5;

function rowOf(line: FreightLine): Row {
  const { unit, quantity, pieces, weight } = line;
  const inside = { x: description.x + 3, width: description.width - 6 };
  const named = `${unit.hazmat ? "HAZARDOUS: " : ""}${unit.description}`;
  const words = atMost(mostDescriptionLines, named, { size, width: inside.width, bold: true });
  const notes = [
    `${sizeWords(unit)} each`,
    unit.stackable ? "stackable" : "DO NOT STACK",
    ...(unit.freight_class_source === "density" ? ["class by density"] : []),
  ].join(", ");
  // Two lines at least, for the weight in pounds and in kilograms.
  const height = 4 + (Math.max(1, words.length) + 1) * size * leading;
  return {
    height,
    draw: (y) => [
      ...cells(
        columns,
        {
          units: String(quantity),
          unit_type: unit.type.toUpperCase(),
          pieces: pieces === null ? "" : String(pieces),
          piece_type: pieces === null ? "" : "PCS",
          weight: `${inTenths(weight.pound_tenths)} lb`,
          hazmat: unit.hazmat ? "X" : "",
          nmfc: unit.nmfc_code ?? "",
          class: unit.freight_class,
        },
        { x: page.left, y: y + 2.5, size: 8, bold: true },
      ),
      ...cells(
        columns,
        { weight: `${inTenths(weight.kilogram_tenths)} kg` },
        { x: page.left, y: y + 12, size: 7 },
      ),
      ...lines(words, { ...inside, y: y + 2.5, size, bold: true }),
      text(notes, inside.x, y + 2.5 + words.length * size * leading, {
        size: 6.8,
        max: inside.width,
      }),
      across(page.left, y + height, page.width),
    ],
  };
}

/** The totals, and beside them the consignee's stamp box. */
function total(totals: FreightTotals, y: number): Mark[] {
  const stamp = description.x;
  const sums = y + 13;
  return [
    across(page.left, y, page.width),
    text("GRAND TOTAL", (page.left + stamp) / 2, y + 3.2, {
      size: 7,
      bold: true,
      align: "center",
      max: 100,
    }),
    across(page.left, sums, stamp - page.left),
    ...rulers(columns.slice(0, 6), page.left, sums, totalHeight - 13),
    down(stamp, y, totalHeight),
    ...cells(
      columns,
      {
        units: String(totals.units),
        pieces: totals.pieces === null ? "" : String(totals.pieces),
        weight: `${inTenths(totals.pound_tenths)} lb`,
      },
      { x: page.left, y: sums + 7, size: 8.5, bold: true },
    ),
    ...cells(
      columns,
      { weight: `${inTenths(totals.kilogram_tenths)} kg` },
      { x: page.left, y: sums + 18, size: 7 },
    ),
    text("RECEIVING STAMP SPACE", stamp + 4, y + 3, { size: 6.2, max: 100 }),
  ];
}

function note(count: number, y: number): Mark {
  const words = `${count} more ${count === 1 ? "line" : "lines"} on the supplement page`;
  return text(words, description.x + 3, y + 2.5, { size: 7, bold: true, max: description.width });
}
