import type { Cents } from "../domain/values/money.ts";
import { dayAt } from "../domain/time/months.ts";
import type { Mark } from "../drawing/marks.ts";
import { amountWords } from "./amount-words.ts";
import { cells, rulers, titles, type Column } from "./columns.ts";
import { across, atMost, down, heading, headingHeight, leading, lines } from "./form.ts";
import { page } from "./form-page.ts";
import type { Row } from "./paginate.ts";

/** One transaction of a statement; amounts are signed by their effect on the balance. */
export interface StatementLine {
  id: string;
  created_at: Date;
  type: string;
  description: string;
  shipment_id: string | null;
  order_number: string | null;
  carrier: string | null;
  service: string | null;
  tracking_code: string | null;
  amount_cents: Cents;
  tax_cents: Cents;
  balance_after_cents: Cents;
  currency: string;
  /** They add up to `tax_cents`. */
  taxes: { name: string; amount_cents: Cents }[];
}

const columns = [
  { key: "date", title: "DATE", width: 52 },
  { key: "type", title: "TYPE", width: 52 },
  { key: "description", title: "DESCRIPTION", width: 180 },
  { key: "order", title: "ORDER", width: 62 },
  { key: "subtotal", title: "SUBTOTAL", width: 52, align: "right" },
  { key: "tax", title: "TAX", width: 44, align: "right" },
  { key: "total", title: "TOTAL", width: 54, align: "right" },
  { key: "balance", title: "BALANCE", width: 60, align: "right" },
] as const satisfies Column[];

const size = 7.2;
const wordsAt = { x: page.left + 52 + 52 + 3, width: 180 - 6 };
const mostLines = 5;
const titleHeight = 14;

/** The head above the lines on every page. */
export const linesHead: Row = {
  height: headingHeight + titleHeight,
  draw: (y) => [
    ...heading("TRANSACTIONS", page.left, y, page.width),
    ...titles(columns, page.left, y + headingHeight + 4),
    ...edges(y + headingHeight, titleHeight),
  ],
};

const typeWords: Record<string, string> = {
  top_up: "Top-up",
  label: "Label",
  ltl: "LTL freight",
  refund: "Refund",
  adjustment: "Adjustment",
  fee: "Fee",
};

/** A line of the table; a long description continues below. */
export function lineRow(line: StatementLine, timeZone: string): Row {
  const words = atMost(mostLines, line.description, { size, width: wordsAt.width });
  const height = 5 + Math.max(1, words.length) * size * leading;
  return {
    height,
    draw: (y) => [
      ...cells(
        columns,
        {
          date: dayAt(line.created_at, timeZone),
          type: typeWords[line.type] ?? line.type,
          order: line.order_number ?? "",
          subtotal: amountWords(line.amount_cents - line.tax_cents),
          tax: amountWords(line.tax_cents),
          total: amountWords(line.amount_cents),
          balance: amountWords(line.balance_after_cents),
        },
        { x: page.left, y: y + 2.5, size },
      ),
      ...lines(words, { ...wordsAt, y: y + 2.5, size }),
      ...edges(y, height),
    ],
  };
}

/** The lines between the columns, at both sides, and below. */
function edges(y: number, height: number): Mark[] {
  return [
    ...rulers(columns, page.left, y, height),
    down(page.left, y, height),
    down(page.right, y, height),
    across(page.left, y + height, page.width),
  ];
}
