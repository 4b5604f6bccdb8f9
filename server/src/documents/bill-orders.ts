import { text } from "../drawing/text.ts";
import { page } from "./form-page.ts";
import type { BillTable } from "./bill-table.ts";
import { cells, rulers, titles, type Column } from "./columns.ts";
import { across, heading, headingHeight } from "./form.ts";
import {
  inTenths,
  freightLine,
  freightTotals,
  type FreightDocuments,
  type FreightTotals,
} from "./freight-documents.ts";
import { fitting, type Row } from "./paginate.ts";

const columns = [
  { key: "number", title: "CUSTOMER ORDER NUMBER", width: 160 },
  { key: "packages", title: "# PKGS", width: 48, align: "center" },
  { key: "weight", title: "WEIGHT (lb)", width: 70, align: "center" },
  { key: "pallet", title: "PALLET/SLIP (Y/N)", width: 68, align: "center" },
  { key: "info", title: "ADDITIONAL SHIPPER INFO", width: 210 },
] as const satisfies Column[];

const rowHeight = 12;
const roomForRows = 3 * rowHeight;
const titleHeight = 11;

/** Customer order information: the shipper's own numbers. */
export function orderTable(facts: FreightDocuments): BillTable {
  const totals = freightTotals(facts.handling_units.map(freightLine));
  const rows = rowsOf(facts, totals);
  const { here, later } = fitting(rows, { height: roomForRows, note: rowHeight });
  const height = headingHeight + titleHeight + roomForRows + rowHeight;
  return {
    height,
    draw(y) {
      const first = y + headingHeight + titleHeight;
      const end = y + height - rowHeight;
      return [
        ...head("CUSTOMER ORDER INFORMATION", y),
        ...here.flatMap((row, place) => row.draw(first + place * rowHeight)),
        ...(later.length > 0 ? [note(later.length, first + here.length * rowHeight)] : []),
        ...rulers(columns, page.left, first, roomForRows + rowHeight),
        across(page.left, end, page.width),
        ...cells(
          columns,
          {
            number: "GRAND TOTAL",
            packages: String(totals.pieces ?? totals.units),
            weight: inTenths(totals.pound_tenths),
          },
          { x: page.left, y: end + 2.4, size: 7.5, bold: true },
        ),
        across(page.left, end + rowHeight, page.width),
      ];
    },
    later: {
      head: {
        height: headingHeight + titleHeight,
        draw: (y) => head("CUSTOMER ORDER INFORMATION (CONTINUED)", y),
      },
      rows: later.map((row) => ({
        ...row,
        draw: (y) => [...row.draw(y), ...rulers(columns, page.left, y, rowHeight)],
      })),
    },
  };
}

function head(name: string, y: number) {
  return [
    ...heading(name, page.left, y, page.width),
    ...titles(columns, page.left, y + headingHeight + 2.6),
    ...rulers(columns, page.left, y + headingHeight, titleHeight),
    across(page.left, y + headingHeight + titleHeight, page.width),
  ];
}

/** A single number is for all of the freight; of several, only the shipper knows which is for what. */
function rowsOf(facts: FreightDocuments, totals: FreightTotals): Row[] {
  const { references, handling_units, ship_code } = facts;
  const numbers = references.length > 0 ? references : [{ number: ship_code, info: null }];
  const share =
    numbers.length === 1
      ? {
          packages: String(totals.pieces ?? totals.units),
          weight: inTenths(totals.pound_tenths),
        }
      : {};
  const pallet = handling_units.some(({ type }) => type === "pallet") ? "Y" : "N";
  return numbers.map(({ number, info }) => ({
    height: rowHeight,
    draw: (y) => [
      ...cells(
        columns,
        { number, info: info ?? "", pallet, ...share },
        { x: page.left, y: y + 2.4, size: 7.5 },
      ),
      across(page.left, y + rowHeight, page.width),
    ],
  }));
}

function note(count: number, y: number) {
  return text(`${count} more on the supplement page`, page.left + 3, y + 2.4, {
    size: 7,
    bold: true,
    max: 154,
  });
}
