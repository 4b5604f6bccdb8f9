import { letter, type Mark, type Page } from "../drawing/marks.ts";
import { text } from "../drawing/text.ts";
import { writePdf } from "../drawing/write-pdf.ts";
import type { Address } from "../domain/addresses/address.ts";
import type { Item } from "../domain/goods/parcel.ts";
import { page, pageNumber, title } from "./form-page.ts";
import { closing } from "./invoice-closing.ts";
import { firstTop, invoiceHead, laterHead, laterTop } from "./invoice-head.ts";
import { itemsSection } from "./invoice-items.ts";
import { paginate } from "./paginate.ts";

/** All that is printed on the commercial invoice of one shipment that crosses a border. */
export interface CommercialInvoice {
  /** The seller's number of the invoice, and its date, `YYYY-MM-DD`. */
  number: string;
  date: string;
  tracking_code: string;
  carrier_name: string;
  service_name: string;
  reference: string | null;
  seller: Address;
  buyer: Address;
  /** The importer of record, where that is not the buyer. */
  importer: Address | null;
  items: readonly Item[];
  package_count: number;
  gross_grams: number;
  incoterm: string | null;
  contents_type: string | null;
}

/**
 * The commercial invoice of a shipment across a border as PDF on letter paper: what customs reads. It
 * has as many pages as its items need. The same facts give the same bytes.
 */
export function renderCommercialInvoice(facts: CommercialInvoice): Promise<Buffer> {
  return writePdf(invoicePages(facts), {
    title: `Commercial invoice ${facts.number}`,
    producer: "Waybill",
    made_at: new Date(`${facts.date}T00:00:00Z`),
  });
}

/** The pages as marks. */
export function invoicePages(facts: CommercialInvoice): Page[] {
  const bodies = paginate([itemsSection(facts.items), closing(facts)], {
    top: (place) => (place === 0 ? firstTop : laterTop),
    bottom: page.bottom - 14,
  });
  return bodies.map((body, place) => ({
    paper: letter,
    marks: [
      ...title("COMMERCIAL INVOICE"),
      pageNumber(place + 1, bodies.length),
      ...(place === 0 ? invoiceHead(facts) : laterHead(facts)),
      ...body,
      foot(facts),
    ],
  }));
}

function foot({ number, tracking_code }: CommercialInvoice): Mark {
  const words = `Invoice ${number}, tracking number ${tracking_code}`;
  return text(words, page.left, page.bottom - 6, { size: 6.5, max: page.width });
}
