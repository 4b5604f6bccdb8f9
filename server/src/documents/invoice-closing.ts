import type { Mark } from "../drawing/marks.ts";
import { text } from "../drawing/text.ts";
import type { Cents } from "../domain/values/money.ts";
import { page } from "./form-page.ts";
import type { CommercialInvoice } from "./commercial-invoice.ts";
import { across, down, field, frame, smallPrint } from "./form.ts";
import { lineCents, moneyWords } from "./invoice-items.ts";
import type { Section } from "./paginate.ts";

/** The lower end of an invoice: its totals, and the declaration. */

const totalHeight = 14;
const declarationHeight = 74;

/** The totals, then the declaration, on the last page. */
export function closing(facts: CommercialInvoice): Section {
  const gap = 8;
  const totals = totalsOf(facts).map((total, place) => ({
    height: totalHeight + (place === 0 ? gap : 0),
    draw: (y: number) => drawTotal(total, place === 0 ? y + gap : y),
  }));
  const end = {
    height: declarationHeight + gap,
    draw: (y: number) => declaration(facts, y + gap),
  };
  return { head: { height: 0, draw: () => [] }, rows: [...totals, end] };
}

interface Total {
  currency: string;
  quantity: number;
  cents: Cents;
}

/** A sum for each currency: an invoice does not add up different ones. */
function totalsOf({ items }: CommercialInvoice): Total[] {
  const totals = new Map<string, Total>();
  for (const item of items) {
    const { currency, quantity } = item;
    const total = totals.get(currency) ?? { currency, quantity: 0, cents: 0 };
    total.quantity += quantity;
    total.cents += lineCents(item);
    totals.set(currency, total);
  }
  return [...totals.values()];
}

function drawTotal({ currency, quantity, cents }: Total, y: number): Mark[] {
  const x = page.middle;
  const width = page.right - page.middle;
  return [
    ...frame({ x, y, width, height: totalHeight }),
    ...field("Total quantity:", quantity.toLocaleString("en-US"), {
      x: x + 4,
      y: y + 3,
      width: 100,
    }),
    ...field("TOTAL VALUE:", moneyWords(cents, currency), {
      x: x + 116,
      y: y + 2.5,
      width: width - 120,
      size: 9,
    }),
  ];
}

const words =
  "I declare that all that is stated on this invoice is true, correct and complete, that it is the only invoice for these goods, and that the goods are of the origin named for each of them. These goods are exported in keeping with the export laws of the country of export.";

function declaration({ seller }: CommercialInvoice, y: number): Mark[] {
  const { left, width, right } = page;
  const bottom = y + declarationHeight;
  const line = bottom - 18;
  const columns = [
    { x: left + 4, width: 216, caption: "Signature of the seller or its agent" },
    { x: left + 236, width: 196, caption: "Name and title" },
    { x: left + 448, width: right - left - 452, caption: "Date" },
  ];
  return [
    ...frame({ x: left, y, width, height: declarationHeight }),
    text("DECLARATION", left + 4, y + 4, { size: 7, bold: true, max: 80 }),
    text(`for ${seller.company ?? seller.name ?? ""}`, right - 4, y + 4, {
      size: 7,
      align: "right",
      max: 300,
    }),
    ...smallPrint(words, { x: left + 4, y: y + 14, width: width - 8, height: 20 }, 7),
    ...columns.flatMap((column) => [
      across(column.x, line, column.width),
      text(column.caption, column.x, line + 3, { size: 6.5, max: column.width }),
    ]),
    ...[columns[1]!, columns[2]!].map(({ x }) => down(x - 8, y + 36, declarationHeight - 36)),
  ];
}
