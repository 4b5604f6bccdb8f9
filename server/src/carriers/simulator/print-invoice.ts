import type { Address } from "../../domain/addresses/address.ts";
import { box, letter, type Mark, type Page } from "../../drawing/marks.ts";
import { text } from "../../drawing/text.ts";
import { decimalOf } from "../protocol/amount.ts";

/** A commercial invoice as a carrier draws it from a shipment's forms: the parties, a line for each product, the sum. */
export interface InvoiceContent {
  tracking_code: string;
  number: string | null;
  /** `YYYY-MM-DD`. */
  day: string;
  reason: string;
  terms: string;
  currency: string;
  from: Address;
  to: Address;
  lines: readonly InvoiceLine[];
}

interface InvoiceLine {
  goods: string;
  quantity: number;
  value_cents: number;
  hs_code: string | null;
  origin: string | null;
}

const margin = 40;
const right = letter.width - margin;
const lineHeight = 13;
const rowsOfPage = 38;

/** On letter paper; the same content gives the same bytes. */
export async function printInvoice(content: InvoiceContent): Promise<Buffer> {
  const { writePdf } = await import("../../drawing/write-pdf.ts");
  const { lines, day } = content;
  const count = Math.ceil(lines.length / rowsOfPage);
  const pages = Array.from({ length: count }, (_, index): Page => {
    const rows = lines.slice(index * rowsOfPage, (index + 1) * rowsOfPage);
    const place = `Page ${index + 1} of ${count}`;
    const isLast = index === count - 1;
    const marks = [...head(content, place), ...table(rows), ...(isLast ? foot(content) : [])];
    return { paper: letter, marks };
  });
  return writePdf(pages, {
    title: "Commercial invoice",
    producer: "Waybill simulator",
    made_at: new Date(`${day}T00:00:00Z`),
  });
}

function head(content: InvoiceContent, place: string): Mark[] {
  const { tracking_code, number, day, reason, terms, from, to } = content;
  const facts = [
    `Tracking number ${tracking_code}`,
    `Invoice ${number ?? "without a number"} of ${day}`,
    `Reason for export: ${reason}   Terms of sale: ${terms}`,
  ];
  return [
    put("COMMERCIAL INVOICE", margin, 40, { size: 15, bold: true }),
    put(place, right, 44, { align: "right" }),
    ...facts.map((line, index) => put(line, margin, 64 + index * lineHeight)),
    ...party("FROM", from, margin),
    ...party("SHIP TO", to, letter.width / 2),
  ];
}

function party(title: string, address: Address, x: number): Mark[] {
  const { name, company, address1, address2, city, province_code, postal_code } = address;
  const lines = [
    company,
    name,
    address1,
    address2,
    [city, province_code, postal_code].filter(Boolean).join(" "),
    address.country_code,
    address.phone && `Phone ${address.phone}`,
  ].filter(Boolean);
  return [
    put(title, x, 112, { bold: true }),
    ...lines.map((line, index) => put(line!, x, 126 + index * lineHeight, { max: 250 })),
  ];
}

const tableTop = 236;
const columns = { quantity: 40, goods: 80, code: 330, origin: 400, value: 485, total: right };

function table(lines: readonly InvoiceLine[]): Mark[] {
  const bold = { bold: true };
  return [
    put("Pieces", columns.quantity, tableTop, bold),
    put("Goods", columns.goods, tableTop, bold),
    put("HS code", columns.code, tableTop, bold),
    put("Origin", columns.origin, tableTop, bold),
    put("Each", columns.value, tableTop, { bold: true, align: "right" }),
    put("Total", columns.total, tableTop, { bold: true, align: "right" }),
    box(margin, tableTop + lineHeight, right - margin, 0.75),
    ...lines.flatMap((line, index) => row(line, tableTop + (index + 1.4) * lineHeight)),
  ];
}

function row(line: InvoiceLine, y: number): Mark[] {
  const { goods, quantity, value_cents, hs_code, origin } = line;
  return [
    put(String(quantity), columns.quantity, y),
    put(goods, columns.goods, y, { max: columns.code - columns.goods - 8 }),
    put(hs_code ?? "", columns.code, y, { max: 66 }),
    put(origin ?? "", columns.origin, y),
    put(decimalOf(value_cents), columns.value, y, { align: "right" }),
    put(decimalOf(totalOf(line)), columns.total, y, { align: "right" }),
  ];
}

function foot({ lines, currency }: InvoiceContent): Mark[] {
  const y = tableTop + (rowsOfPage + 2) * lineHeight;
  const cents = lines.reduce((sum, line) => sum + totalOf(line), 0);
  return [
    box(margin, y - 4, right - margin, 0.75),
    put(`Invoice total ${decimalOf(cents)} ${currency}`, right, y, { bold: true, align: "right" }),
  ];
}

function totalOf({ quantity, value_cents }: InvoiceLine): number {
  return quantity * value_cents;
}

function put(
  words: string,
  x: number,
  y: number,
  options: { size?: number; bold?: boolean; align?: "left" | "right"; max?: number } = {},
): Mark {
  return text(words, x, y, { size: 9, max: letter.width - 2 * margin, ...options });
}
