import { barcode } from "../drawing/barcode.ts";
import type { Mark } from "../drawing/marks.ts";
import type { Address } from "../domain/addresses/address.ts";
import { page } from "./form-page.ts";
import type { CommercialInvoice } from "./commercial-invoice.ts";
import { across, down, field, frame, heading, headingHeight, lines } from "./form.ts";
import { twoWeights } from "./freight-documents.ts";
import { weightWords } from "./freight-wording.ts";
import { addressLines, countryName } from "./party.ts";

/** The upper part of an invoice: seller, buyer, kind of goods, transport. */

const top = page.top + page.titleHeight;
const partyHeight = 78;
const height = 3 * (headingHeight + partyHeight);
export const firstTop = top + height;

const laterHeight = 30;
export const laterTop = top + laterHeight + 6;

const left = { x: page.left + 4, width: page.middle - page.left - 8 };
const right = { x: page.middle + 4, width: page.right - page.middle - 8 };

export function invoiceHead(facts: CommercialInvoice): Mark[] {
  const { seller, buyer, importer } = facts;
  const parties = [
    { name: "SELLER / EXPORTER", address: seller },
    { name: "BUYER / CONSIGNEE", address: buyer },
    { name: "IMPORTER OF RECORD", address: importer },
  ];
  return [
    ...frame({ x: page.left, y: top, width: page.width, height }),
    down(page.middle, top, height),
    ...parties.flatMap(({ name, address }, place) => {
      const y = top + place * (headingHeight + partyHeight);
      return [
        ...heading(name, page.left, y, page.middle - page.left),
        ...party(address, y + headingHeight + 4),
      ];
    }),
    ...shipping(facts),
  ];
}

const size = 7.5;

function party(address: Address | null, y: number): Mark[] {
  const { x, width } = left;
  if (!address) return lines(["The same as the buyer"], { x, y, width, size });
  const { phone, email, tax_identifier: tax, country_code } = address;
  const words = [...addressLines({ ...address, country_code: "" }), countryName(country_code)];
  const authority = tax?.issuing_authority ? ` (${tax.issuing_authority})` : "";
  const taxId = tax ? `${tax.tax_type} ${tax.number}${authority}` : null;
  return [
    ...lines(words, { x, y, width, size }),
    ...field("Tel:", phone, { x, y: y + 54, width: 104, size }),
    ...field("Email:", email, { x: x + 108, y: y + 54, width: width - 108, size }),
    ...field("Tax identifier:", taxId, { x, y: y + 64, width, size }),
  ];
}

const terms: Record<string, string> = {
  DDP: "DDP, delivered duty paid: the seller pays duties and taxes",
  DDU: "DDU (DAP), duty unpaid: the buyer pays duties and taxes",
};

/** Why the goods leave the country, in the wording of customs forms. */
const reasons: Record<string, string> = {
  merchandise: "Sale of merchandise",
  documents: "Documents",
  gift: "Gift",
  sample: "Sample, not for resale",
  returned_goods: "Returned goods",
  other: "Other",
};

function shipping(facts: CommercialInvoice): Mark[] {
  const { number, date, tracking_code, seller, buyer, incoterm, contents_type } = facts;
  const { x, width } = right;
  const rows: [string, string | null][] = [
    ["Carrier:", facts.carrier_name],
    ["Service:", facts.service_name],
    ["Seller's reference:", facts.reference],
    ["Country of export:", countryName(seller.country_code)],
    ["Country of destination:", countryName(buyer.country_code)],
    ["Terms of sale:", incoterm && (terms[incoterm] ?? incoterm)],
    ["Reason for export:", contents_type && (reasons[contents_type] ?? contents_type)],
    ["Number of packages:", String(facts.package_count)],
    ["Total gross weight:", weightWords(twoWeights(facts.gross_grams))],
  ];
  const first = top + 100;
  return [
    ...field("Invoice number:", number, { x, y: top + 5, width: width - 96, size: 10 }),
    ...field("Date:", date, { x: x + width - 90, y: top + 6, width: 90, size: 9 }),
    across(page.middle, top + 22, page.right - page.middle),
    ...field("Tracking number:", tracking_code, { x, y: top + 28, width, size: 10 }),
    ...barcode(tracking_code, { x, y: top + 44, width, height: 38 }),
    across(page.middle, top + 90, page.right - page.middle),
    ...rows.flatMap(([caption, value], place) =>
      field(caption, value ?? "-", { x, y: first + place * 17.5, width, size: 8.5 }),
    ),
  ];
}

/** A later page's invoice is named at its foot; this head is above its items. */
export function laterHead({ number, seller, buyer }: CommercialInvoice): Mark[] {
  const half = page.width / 2 - 8;
  const y = top + 4;
  return [
    ...field("Invoice number:", number, { x: page.left, y, width: half, size: 9 }),
    ...field("Seller:", seller.company ?? seller.name, {
      x: page.left,
      y: y + 13,
      width: half,
    }),
    ...field("Buyer:", buyer.company ?? buyer.name, {
      x: right.x,
      y: y + 13,
      width: half,
    }),
  ];
}
