import { toCents } from "../../../domain/values/money.ts";
import { box, letter, type Mark, type Page } from "../../../drawing/marks.ts";
import { text } from "../../../drawing/text.ts";
import { decimalOf } from "../../protocol/amount.ts";
import { readDay } from "./read-shipment.ts";
import type { Party, WireForms, WirePurchase } from "./wire.ts";

/** The commercial invoice that UPS draws from a shipment's forms: the parties, a line for each product, and the sum. */

interface Invoice {
  shipment: WirePurchase["Shipment"];
  forms: WireForms;
  trackingCode: string;
}

const margin = 40;
const right = letter.width - margin;
const lineHeight = 13;
const rowsOfPage = 38;

export async function printInvoice(invoice: Invoice): Promise<Buffer> {
  const { writePdf } = await import("../../../drawing/write-pdf.ts");
  const { Product: products, InvoiceDate } = invoice.forms;
  const count = Math.ceil(products.length / rowsOfPage);
  const pages = Array.from({ length: count }, (_, index): Page => {
    const rows = products.slice(index * rowsOfPage, (index + 1) * rowsOfPage);
    const place = `Page ${index + 1} of ${count}`;
    const isLast = index === count - 1;
    const marks = [...head(invoice, place), ...table(rows), ...(isLast ? foot(invoice) : [])];
    return { paper: letter, marks };
  });
  return writePdf(pages, {
    title: "Commercial invoice",
    producer: "Waybill simulator",
    made_at: new Date(`${readDay(InvoiceDate)}T00:00:00Z`),
  });
}

function head({ shipment, forms, trackingCode }: Invoice, place: string): Mark[] {
  const { InvoiceNumber, InvoiceDate, ReasonForExport, TermsOfShipment } = forms;
  const facts = [
    `Tracking number ${trackingCode}`,
    `Invoice ${InvoiceNumber ?? "without a number"} of ${readDay(InvoiceDate)}`,
    `Reason for export: ${ReasonForExport ?? "SALE"}   Terms of sale: ${TermsOfShipment}`,
  ];
  return [
    put("COMMERCIAL INVOICE", margin, 40, { size: 15, bold: true }),
    put(place, right, 44, { align: "right" }),
    ...facts.map((line, index) => put(line, margin, 64 + index * lineHeight)),
    ...party("FROM", shipment.ShipFrom, margin),
    ...party("SHIP TO", shipment.ShipTo, letter.width / 2),
  ];
}

function party(title: string, { Name, AttentionName, Phone, Address }: Party, x: number): Mark[] {
  const { AddressLine, City, StateProvinceCode, PostalCode, CountryCode } = Address;
  const lines = [
    Name,
    AttentionName === Name ? null : AttentionName,
    ...AddressLine,
    [City, StateProvinceCode, PostalCode].filter(Boolean).join(" "),
    CountryCode,
    Phone ? `Phone ${Phone.Number}` : null,
  ].filter((line) => line != null);
  return [
    put(title, x, 112, { bold: true }),
    ...lines.map((line, index) => put(line, x, 126 + index * lineHeight, { max: 250 })),
  ];
}

const tableTop = 236;
const columns = { quantity: 40, goods: 80, code: 330, origin: 400, value: 485, total: right };

function table(products: WireForms["Product"]): Mark[] {
  const bold = { bold: true };
  return [
    put("Pieces", columns.quantity, tableTop, bold),
    put("Goods", columns.goods, tableTop, bold),
    put("HS code", columns.code, tableTop, bold),
    put("Origin", columns.origin, tableTop, bold),
    put("Each", columns.value, tableTop, { bold: true, align: "right" }),
    put("Total", columns.total, tableTop, { bold: true, align: "right" }),
    box(margin, tableTop + lineHeight, right - margin, 0.75),
    ...products.flatMap((product, index) => row(product, tableTop + (index + 1.4) * lineHeight)),
  ];
}

function row(product: WireForms["Product"][number], y: number): Mark[] {
  const { Description, Unit, CommodityCode = "", OriginCountryCode = "" } = product;
  return [
    put(Unit.Number, columns.quantity, y),
    put(Description.join(""), columns.goods, y, { max: columns.code - columns.goods - 8 }),
    put(CommodityCode, columns.code, y, { max: 66 }),
    put(OriginCountryCode, columns.origin, y),
    put(Unit.Value, columns.value, y, { align: "right" }),
    put(decimalOf(centsOf(product)), columns.total, y, { align: "right" }),
  ];
}

function foot({ forms }: Invoice): Mark[] {
  const y = tableTop + (rowsOfPage + 2) * lineHeight;
  const cents = forms.Product.reduce((sum, product) => sum + centsOf(product), 0);
  return [
    box(margin, y - 4, right - margin, 0.75),
    put(`Invoice total ${decimalOf(cents)} ${forms.CurrencyCode}`, right, y, {
      bold: true,
      align: "right",
    }),
  ];
}

function centsOf({ Unit }: WireForms["Product"][number]): number {
  return toCents(Number(Unit.Value)) * Number(Unit.Number);
}

function put(
  words: string,
  x: number,
  y: number,
  options: { size?: number; bold?: boolean; align?: "left" | "right"; max?: number } = {},
): Mark {
  return text(words, x, y, { size: 9, max: letter.width - 2 * margin, ...options });
}
