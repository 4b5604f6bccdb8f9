import { text } from "../drawing/text.ts";
import type { Item } from "../domain/goods/parcel.ts";
import { toCents, type Cents } from "../domain/values/money.ts";
import { page } from "./form-page.ts";
import { amountWords } from "./amount-words.ts";
import { cells, rulers, titles, type Column } from "./columns.ts";
import { across, atMost, down, heading, headingHeight, leading, lines } from "./form.ts";
import type { Row, Section } from "./paginate.ts";

/** The lines of an invoice: each item, its origin and its value. */

const columns = [
  { key: "number", title: "NO.", width: 24, align: "center" },
  { key: "description", title: "DESCRIPTION OF GOODS", width: 196 },
  { key: "hs_code", title: "HS CODE", width: 68, align: "center" },
  { key: "origin", title: "ORIGIN", width: 36, align: "center" },
  { key: "quantity", title: "QUANTITY", width: 50, align: "right" },
  { key: "weight", title: "UNIT WEIGHT", width: 52, align: "right" },
  { key: "value", title: "UNIT VALUE", width: 60, align: "right" },
  { key: "total", title: "TOTAL VALUE", width: 70, align: "right" },
] as const satisfies Column[];

const titleHeight = 14;
const size = 7.5;
const description = { x: page.left + 27, width: 190 };
const mostDescriptionLines = 4;

export function itemsSection(items: readonly Item[]): Section {
  return {
    head: {
      height: headingHeight + titleHeight,
      draw: (y) => [
        ...heading("GOODS", page.left, y, page.width),
        ...titles(columns, page.left, y + headingHeight + 4),
        ...edges(y + headingHeight, titleHeight),
      ],
    },
    rows: items.map((item, place) => rowOf(item, place + 1)),
  };
}

/** The lines between the columns, at both sides, and below. */
function edges(y: number, height: number) {
  return [
    ...rulers(columns, page.left, y, height),
    down(page.left, y, height),
    down(page.right, y, height),
    across(page.left, y + height, page.width),
  ];
}

function rowOf(item: Item, number: number): Row {
  const { sku, manufacturer, currency } = item;
  const named = item.customs_description ?? item.description ?? item.title;
  const words = atMost(mostDescriptionLines, named, {
    size,
    width: description.width,
    bold: true,
  });
  const notes = [sku && `SKU ${sku}`, manufacturer && `made by ${manufacturer}`];
  const note = notes.filter(Boolean).join(", ");
  const height = 6 + (Math.max(1, words.length) + (note ? 1 : 0)) * size * leading;
  return {
    height,
    draw: (y) => [
      ...cells(
        columns,
        {
          number: String(number),
          hs_code: hsCodeWords(item.hs_code),
          origin: item.country_of_origin ?? "",
          quantity: item.quantity.toLocaleString("en-US"),
          weight: item.weight === null ? "" : `${item.weight} ${item.weight_unit ?? ""}`,
          value: moneyWords(toCents(item.value), currency),
          total: moneyWords(lineCents(item), currency),
        },
        { x: page.left, y: y + 3, size },
      ),
      ...lines(words, { ...description, y: y + 3, size, bold: true }),
      text(note, description.x, y + 3 + Math.max(1, words.length) * size * leading, {
        size: 6.8,
        max: description.width,
      }),
      ...edges(y, height),
    ],
  };
}

export function lineCents({ value, quantity }: Item): Cents {
  return toCents(value) * quantity;
}

/** `1,234.50 CAD`: each amount names its currency, since lines may have different ones. */
export function moneyWords(cents: Cents, currency: string): string {
  return `${amountWords(cents)} ${currency}`;
}

/** `6907.21.0011`: in groups, as tariffs print them. */
function hsCodeWords(code: string | null): string {
  return (code ?? "").replace(/^(\d{4})(\d{2})(\d*)$/, (_, heading, sub, rest) =>
    [heading, sub, rest].filter(Boolean).join("."),
  );
}
