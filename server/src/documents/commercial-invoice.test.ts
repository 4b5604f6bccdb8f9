import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canScan, scanPages, wordsOf } from "../../test/acceptance/scan.ts";
import type { Item } from "../domain/goods/parcel.ts";
import { invoicePages, renderCommercialInvoice } from "./commercial-invoice.ts";
import { faultsOf, hostileTexts } from "../../test/documents/hostile.fixtures.ts";
import { invoice, spacers, tile } from "../../test/documents/invoice.fixtures.ts";
import { shipTo } from "../../test/documents/documents.fixtures.ts";
import { someAddress, someText } from "../../test/documents/some-documents.fixtures.ts";

const cannotRead = !(await canScan());

describe.skipIf(cannotRead)("a commercial invoice, printed (pdftoppm, zbarimg, pdftotext)", () => {
  test("names seller, buyer, value and reason for export", async () => {
    const pdf = await renderCommercialInvoice(invoice);
    expect(await scanPages(pdf)).toEqual([[invoice.tracking_code]]);
    const words = (await wordsOf(pdf))[0]!.replace(/\s+/g, " ");
    for (const each of [
      ...[
        "Northern Tile & Stone Ltd",
        "4120 Dixie Road",
        "Canada (CA)",
        "EORI GB123456789000 (GB)",
      ],
      ...[
        "Lakeshore Building Supply",
        "2200 S Ashland Ave",
        "United States (US)",
        "IOSS IM3720000224",
      ],
      ...["The same as the buyer", "SH4K7Q2M", "2026-11-24", "UPS Standard", "PO-10023"],
      ...["DDP, delivered duty paid", "Sale of merchandise", "40.2 lb (18.2 kg)"],
      ...["Glazed porcelain floor tile", "SKU TILE-60, made by Ceramiche Rossi"],
      ...["6907.21.0011 IT 12 1.4 kg 24.50 CAD 294.00 CAD", "3926.90 IT 1,000 0.15 CAD 150.00 CAD"],
      ...["Total quantity: 1,012", "TOTAL VALUE: 444.00 CAD", "DECLARATION", "Page 1 of 1"],
    ])
      expect(words).toContain(each);
  });

  test("adds up each currency for itself, and names an importer of its own", async () => {
    const facts = {
      ...invoice,
      importer: { ...shipTo, company: "Brokers LLC" },
      items: [tile, { ...tile, currency: "USD", quantity: 2 }, spacers],
    };
    const words = (await wordsOf(await renderCommercialInvoice(facts)))[0]!;
    expect(words).toMatch(/1,012 +TOTAL VALUE: +444.00 CAD/);
    expect(words).toMatch(/2 +TOTAL VALUE: +49.00 USD/);
    expect(words).toContain("Brokers LLC");
    expect(words).not.toContain("The same as the buyer");
  });

  test("continues on as many pages as its items need, and is signed on the last", async () => {
    const items = Array.from({ length: 120 }, (_, place) => ({ ...tile, sku: `SKU-${place}-` }));
    const pages = await wordsOf(await renderCommercialInvoice({ ...invoice, items }));
    expect(pages.length).toBeGreaterThan(3);
    const words = pages.join("\n");
    items.forEach(({ sku }) => expect(words).toContain(`SKU ${sku},`));
    expect(pages.map((page) => page.includes("DECLARATION"))).toEqual(
      pages.map((_, place) => place === pages.length - 1),
    );
    pages.forEach((page, place) => {
      expect(page).toContain(`Page ${place + 1} of ${pages.length}`);
      expect(page).toContain("Invoice SH4K7Q2M, tracking number 1Z999AA10123456784");
    });
  });
});

test.each(Object.entries(hostileTexts))(
  "hostile text on a commercial invoice stays in its box: %s",
  async (_, words) => {
    const address = { name: words, company: words, address1: words, address2: words, city: words };
    const reached = { phone: words, email: words, country_code: words };
    const tax_identifier = { tax_type: words, number: words, issuing_authority: words };
    const party = { ...shipTo, ...address, ...reached, tax_identifier };
    const item = { ...tile, customs_description: words, sku: words, manufacturer: words };
    const facts = {
      number: words,
      date: "2026-11-24",
      tracking_code: words,
      carrier_name: words,
      service_name: words,
      reference: words,
      seller: party,
      buyer: party,
      importer: party,
      items: [item, { ...item, hs_code: words, country_of_origin: words, currency: words }],
      package_count: 1,
      gross_grams: 1,
      incoterm: words,
      contents_type: words,
    };
    expect(invoicePages(facts).flatMap(faultsOf)).toEqual([]);
    const pdf = await renderCommercialInvoice(facts);
    expect(pdf.toString("latin1")).toMatch(/^%PDF-[^]*%%EOF\s*$/);
  },
);

const someItem: fc.Arbitrary<Item> = fc.record({
  sku: fc.option(someText(100)),
  title: someText(200),
  description: fc.option(someText(500)),
  customs_description: fc.option(someText(200)),
  quantity: fc.integer({ min: 1, max: 1_000_000 }),
  value: fc.integer({ min: 0, max: 100_000_000 }).map((cents) => cents / 100),
  currency: fc.constantFrom("CAD", "USD", "EUR"),
  weight: fc.option(fc.double({ min: 0.001, max: 1_000_000, noNaN: true })),
  weight_unit: fc.constant("kg" as const),
  country_of_origin: fc.option(fc.constantFrom("CA", "CN", "IT")),
  hs_code: fc.option(fc.stringMatching(/^\d{6,10}$/)),
  manufacturer: fc.option(someText(100)),
});

test("any facts make an invoice on which nothing overlaps, and whose lines add up to its totals", () => {
  fc.assert(
    fc.property(
      fc.array(someItem, { minLength: 1, maxLength: 30 }),
      fc.tuple(someAddress, someAddress, fc.option(someAddress)),
      (items, [seller, buyer, importer]) => {
        const pages = invoicePages({ ...invoice, items, seller, buyer, importer });
        expect(pages.flatMap(faultsOf)).toEqual([]);
        const totals = printedAmounts(pages.flatMap(({ marks }) => marks));
        for (const [currency, { lines, total }] of totals)
          expect([currency, total]).toEqual([currency, lines]);
        expect(totals.size).toBe(new Set(items.map(({ currency }) => currency)).size);
      },
    ),
    { numRuns: 25 },
  );
}, 60_000);

/** In cents, by currency: the sum of the lines' last column, and the printed totals. */
function printedAmounts(marks: ReturnType<typeof invoicePages>[number]["marks"]) {
  const lastColumn = 584 - 3;
  const found = new Map<string, { lines: number; total: number }>();
  for (const mark of marks) {
    const amount = mark.mark === "text" && /^([\d,]+)\.(\d\d) ([A-Z]{3})$/.exec(mark.text);
    if (!amount || mark.mark !== "text") continue;
    const cents = Number(amount[1]!.replace(/,/g, "") + amount[2]!);
    const sums = found.get(amount[3]!) ?? { lines: 0, total: 0 };
    if (mark.align === "right" && mark.x === lastColumn) sums.lines += cents;
    else if (mark.align === "left" && mark.bold) sums.total += cents;
    found.set(amount[3]!, sums);
  }
  return found;
}
