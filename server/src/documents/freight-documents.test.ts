import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canScan, scanPages, wordsOf } from "../../test/acceptance/scan.ts";
import { accessorials, freightClasses } from "../domain/goods/freight.ts";
import { billPages, renderBillOfLading } from "./bill-of-lading.ts";
import {
  freightLine,
  freightTotals,
  inTenths,
  type FreightDocuments,
} from "./freight-documents.ts";
import { faultsOf, hostileTexts } from "../../test/documents/hostile.fixtures.ts";
import { palletPages, renderPalletLabels } from "./pallet-labels.ts";
import { crate, pallet, freightDocuments } from "../../test/documents/documents.fixtures.ts";
import { someDocuments, someUnit } from "../../test/documents/some-documents.fixtures.ts";

const cannotRead = !(await canScan());
const { bol_number: bol, pro_number: pro } = freightDocuments;
const many: FreightDocuments = {
  ...freightDocuments,
  handling_units: Array.from({ length: 26 }, (_, place) => ({
    ...pallet,
    quantity: 1,
    freight_class: freightClasses[place % freightClasses.length]!,
    description: `Pallet load ${place + 1}`,
  })),
  references: Array.from({ length: 8 }, (_, place) => ({
    number: `PO-${place + 1}00`,
    info: null,
  })),
  special_instructions: "Deliver to the rear; the front gate is locked after three. ".repeat(12),
};

describe.skipIf(cannotRead)("a bill of lading, printed (pdftoppm, zbarimg, pdftotext)", () => {
  test("has the BOL number and the PRO number in its barcodes", async () => {
    const pages = await scanPages(await renderBillOfLading(freightDocuments));
    expect(pages.map((codes) => codes.sort())).toEqual([[bol, pro].sort()]);
  });

  test("has room for the carrier's sticker instead of an unknown PRO number", async () => {
    const pdf = await renderBillOfLading({ ...freightDocuments, pro_number: null });
    expect(await scanPages(pdf)).toEqual([[bol]]);
    expect((await wordsOf(pdf))[0]).toContain("put the carrier's PRO label here");
  });

  test("names all parties, units, classes, weights and instructions", async () => {
    const [page] = await wordsOf(await renderBillOfLading(freightDocuments));
    const words = page!.replace(/\s+/g, " ");
    for (const each of [
      ...["Northern Tile & Stone Ltd", "4120 Dixie Road", "Dock 7", "Mississauga, ON L4W 1M6, CA"],
      ...["Lakeshore Building Supply", "2200 S Ashland Ave", "Chicago, IL 60608, US"],
      ...["Waybill Freight Payables", "100 King St W, Suite 5600", "Great Lakes Freight", "GLKF"],
      ...["SH4K7Q2M", "CNF-8841207", "PO-10023", "Order 5512, spring showroom"],
      ...["2026-11-24, 09:00 to 16:30", "08:00 to 15:00", "18,500.00 CAD"],
      ...["PALLET", "CRATE", "5,000 lb", "2,268 kg", "795.4 lb", "360.8 kg", "47500-02", "92.5"],
      ...["Ceramic floor tile, in cartons", "48 × 40 × 42 in each, stackable", "DO NOT STACK"],
      ...[
        "class by density",
        "5,795.4 lb",
        "2,628.8 kg",
        "Liftgate at delivery",
        "construction site",
      ],
      ...["PROTECT FROM FREEZING", "Check in at gate B. Use door 7.", "Call thirty minutes before"],
      ...[
        "Limited access delivery; Appointment for",
        "Sam Ortiz",
        "+1 905 555 0142",
        "Page 1 of 1",
        "X 3rd Party",
      ],
    ])
      expect(words).toContain(each);
  });

  test("continues in a supplement, each page of which names the bill, and loses nothing", async () => {
    const pdf = await renderBillOfLading(many);
    const scanned = await scanPages(pdf);
    const pages = await wordsOf(pdf);
    expect(pages).toHaveLength(3);
    expect(scanned.slice(1)).toEqual([[bol], [bol]]);
    for (const page of pages.slice(1)) expect(page).toContain("SUPPLEMENT TO THE BILL OF LADING");
    const words = pages.join(" ").replace(/\s+/g, " ");
    many.handling_units.forEach((_, place) => expect(words).toContain(`Pallet load ${place + 1} `));
    many.references.forEach(({ number }) => expect(words).toContain(`${number} `));
    expect(words.match(/rear; the/g)).toHaveLength(12);
    expect(pages.map((page) => /Page \d of \d/.exec(page)?.[0])).toEqual([
      "Page 1 of 3",
      "Page 2 of 3",
      "Page 3 of 3",
    ]);
  });

  test("marks hazardous lines and asks for an emergency number, and only then", async () => {
    const hazardous = { ...freightDocuments, handling_units: [pallet, { ...crate, hazmat: true }] };
    const [words] = await wordsOf(await renderBillOfLading(hazardous));
    expect(words).toMatch(/ X +HAZARDOUS: Grout/);
    expect(words).toContain("24-hour emergency telephone");
    expect(words).toContain("HAZARDOUS MATERIALS");
    expect((await wordsOf(await renderBillOfLading(freightDocuments)))[0]).not.toMatch(
      /hazard|emergency t/i,
    );
  });
});

describe.skipIf(cannotRead)("pallet labels, printed (pdftoppm, zbarimg, pdftotext)", () => {
  test("are one for each unit, each with the PRO number's barcode and one of its own", async () => {
    const pdf = await renderPalletLabels(freightDocuments);
    const pages = await scanPages(pdf);
    expect(pages.map((codes) => codes.sort())).toEqual(
      [1, 2, 3, 4, 5, 6].map((place) => [pro, `${bol}-00${place}`]),
    );
    const words = await wordsOf(pdf);
    words.forEach((page, place) => {
      expect(page).toContain(`${place + 1} of 6`);
      expect(page).toContain("Lakeshore Building Supply");
      expect(page).toContain(place < 4 ? "CLASS 70" : "CLASS 92.5");
      expect(page).toContain(place < 4 ? "1,250 lb (567 kg)" : "397.7 lb (180.4 kg)");
    });
  });
});

describe.each(Object.entries(hostileTexts))("hostile text on freight documents: %s", (_, words) => {
  test("stays in its box", async () => {
    const facts = saying(words);
    const pages = [...billPages(facts), ...palletPages(facts)];
    expect(pages.flatMap(faultsOf)).toEqual([]);
    for (const pdf of [await renderBillOfLading(facts), await renderPalletLabels(facts)])
      expect(pdf.toString("latin1")).toMatch(/^%PDF-[^]*%%EOF\s*$/);
  });
});

/** The documents with that text in every field that a person fills in. */
function saying(words: string): FreightDocuments {
  const contact = { name: words, phone: words.slice(0, 20), email: words };
  const address = { name: words, company: words, address1: words, address2: words, city: words };
  const { pickup, delivery } = freightDocuments;
  return {
    ...freightDocuments,
    bol_number: words,
    pro_number: words,
    confirmation_number: words,
    ship_code: words.slice(0, 12),
    carrier: { name: words, scac: words.slice(0, 4) },
    service_name: words,
    ship_from: { ...freightDocuments.ship_from, ...address },
    ship_to: { ...freightDocuments.ship_to, ...address, phone: words },
    bill_to: { name: words, lines: [words, words, words] },
    handling_units: [pallet, crate, { ...pallet, description: words, nmfc_code: words }],
    pickup: { ...pickup, contact, instructions: words, accessorials: [...accessorials] },
    delivery: { ...delivery, contact, instructions: words },
    references: Array.from({ length: 5 }, () => ({ number: words, info: words })),
    special_instructions: words,
  };
}

test("any facts make documents on which nothing overlaps or leaves the page", () => {
  fc.assert(
    fc.property(someDocuments, (facts) => {
      expect(billPages(facts).flatMap(faultsOf)).toEqual([]);
      const labels = palletPages(facts);
      expect(labels).toHaveLength(
        facts.handling_units.reduce((sum, { quantity }) => sum + quantity, 0),
      );
      expect(labels.slice(0, 3).flatMap(faultsOf)).toEqual([]);
    }),
    { numRuns: 25 },
  );
}, 60_000);

test("any facts make a PDF, and the same facts the same one", async () => {
  await fc.assert(
    fc.asyncProperty(someDocuments, async (facts) => {
      for (const render of [renderBillOfLading, renderPalletLabels]) {
        const pdf = await render(facts);
        expect(pdf.toString("latin1")).toMatch(/^%PDF-[^]*%%EOF\s*$/);
        expect((await render(facts)).equals(pdf)).toBe(true);
      }
    }),
    { numRuns: 5 },
  );
}, 60_000);

test("the printed weights of the lines add up to the printed total", () => {
  fc.assert(
    fc.property(fc.array(someUnit, { minLength: 1, maxLength: 26 }), (units) => {
      const freight = units.map(freightLine);
      const { pound_tenths, kilogram_tenths } = freightTotals(freight);
      const printed = (tenths: number) =>
        Math.round(Number(inTenths(tenths).replace(/,/g, "")) * 10);
      const sum = (weights: number[]) => weights.reduce((total, each) => total + each, 0);
      expect(sum(freight.map(({ weight }) => printed(weight.pound_tenths)))).toBe(pound_tenths);
      expect(sum(freight.map(({ weight }) => printed(weight.kilogram_tenths)))).toBe(
        kilogram_tenths,
      );
    }),
  );
});
