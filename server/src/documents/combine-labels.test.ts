import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { canScan, scanPages, wordsOf } from "../../test/acceptance/scan.ts";
import { renderLabel } from "../carriers/simulator/labels/render-label.ts";
import { combineLabels, type LabelFile } from "./combine-labels.ts";
import { shipFrom, shipTo } from "../../test/documents/documents.fixtures.ts";

const cannotRead = !(await canScan());

type Format = LabelFile["format"];

async function label(code: string, format: Format, { size = "4x6", name = "Alex Kim" } = {}) {
  const codes = code.split(" ");
  const bytes = await renderLabel(
    {
      carrier: { code: "fedex", name: "FedEx" },
      service: { code: "FEDEX_GROUND", name: "FedEx Ground" },
      from: shipFrom,
      to: { ...shipTo, company: null, name },
      packages: codes.map((tracking_code) => ({ tracking_code, weight_grams: 1250 })),
      ship_date: "2026-11-24",
      ship_code: "SH4K7Q2M",
      reference: null,
      is_return: false,
      crosses_border: false,
      add_ons: [],
      zone: null,
    },
    { format, size: size as "4x6" | "letter" },
  );
  return { name: `SHIP-${code}`, format, bytes };
}

describe.skipIf(cannotRead)("combined labels, printed (pdftoppm, zbarimg)", () => {
  test("are all pages of all labels in order, PDF and PNG alike", async () => {
    const combined = await combineLabels([
      await label("PDF1001 PDF1002", "pdf"),
      await label("PNG1003", "png"),
      await label("PDF1004", "pdf", { size: "letter" }),
      await label("PNG1005 PNG1006 PNG1007", "png"),
      await label("PNG1008 PNG1009", "png", { size: "letter" }),
    ]);
    expect(combined.format).toBe("pdf");
    const codes = Array.from({ length: 9 }, (_, place) => 1001 + place);
    expect((await scanPages(combined.bytes)).map((page) => page.map(numberOf))).toEqual(
      codes.map((code) => [code]),
    );
    expect(await sizes(combined.bytes)).toEqual(
      codes.map((code) => ([1004, 1008, 1009].includes(code) ? [612, 792] : [288, 432])),
    );
  });

  test("have a page in place of one that cannot be read, which names its shipment", async () => {
    const whole = await label("GOOD1001", "pdf");
    const half = { ...whole, name: "SHHALFPDF", bytes: whole.bytes.subarray(0, 60) };
    const notAPicture = { name: "SHNOTAPNG", format: "png", bytes: Buffer.from("GIF89a") } as const;
    const vast = { name: "SHVASTPNG", format: "png", bytes: pngOf(100_000, 100_000) } as const;
    const { bytes } = await combineLabels([half, whole, notAPicture, vast]);
    const pages = await wordsOf(bytes);
    const missing = ["SHHALFPDF", null, "SHNOTAPNG", "SHVASTPNG"];
    expect(pages).toHaveLength(missing.length);
    missing.forEach((name, place) => {
      if (name === null) expect(pages[place]).toContain("GOOD");
      else expect(pages[place]).toMatch(new RegExp(`${name}[^]*Print it on its own`));
    });
  });

  test("print inherited resources, and objects that refer to themselves", async () => {
    const { bytes } = await combineLabels([{ name: "x", format: "pdf", bytes: inheriting }]);
    expect((await wordsOf(bytes)).map((page) => page.trim())).toEqual(["First", "Second"]);
    expect(await sizes(bytes)).toEqual([
      [300, 200],
      [300, 200],
    ]);
  });
});

const numberOf = (code: string) => Number(code.slice(3));

async function sizes(pdf: Buffer): Promise<[number, number][]> {
  const document = await PDFDocument.load(pdf);
  return document.getPages().map((page) => [page.getWidth(), page.getHeight()]);
}

/** The beginning of a picture whose header states this size. */
function pngOf(width: number, height: number): Buffer {
  const head = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([head, size, Buffer.from("\x08\0\0\0\0")]);
}

const drawing = (words: string) => `BT /F1 24 Tf 50 100 Td (${words}) Tj ET`;
const stream = (words: string) =>
  `<< /Length ${drawing(words).length} >> stream\n${drawing(words)}\nendstream`;
/**
 * Two pages whose size and font are inherited from their parent; the font refers to itself by a private
 * key.
 */
const inheriting = Buffer.from(
  [
    "%PDF-1.4",
    "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj",
    "2 0 obj << /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /MediaBox [0 0 300 200] /Resources 7 0 R >> endobj",
    "3 0 obj << /Type /Page /Parent 2 0 R /Contents 5 0 R >> endobj",
    "4 0 obj << /Type /Page /Parent 2 0 R /Contents 6 0 R >> endobj",
    `5 0 obj ${stream("First")} endobj`,
    `6 0 obj ${stream("Second")} endobj`,
    "7 0 obj << /Font << /F1 8 0 R >> >> endobj",
    "8 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Own 9 0 R >> endobj",
    "9 0 obj << /Back 8 0 R >> endobj",
    "trailer << /Size 10 /Root 1 0 R >>",
    "startxref\n0\n%%EOF",
  ].join("\n"),
);

test("the labels' common objects are in the combined file once", async () => {
  const files = [];
  for (let place = 0; place < 40; place++)
    files.push(await label(`TRK${1000 + place}`, "pdf", { name: "Łukasz Żółć" }));
  const apart = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const { bytes } = await combineLabels(files);
  expect(await sizes(bytes)).toHaveLength(40);
  expect(bytes.length).toBeLessThan(apart / 3);
});

test("a thousand pages keep their order", async () => {
  const { bytes: page } = await label("TRK1", "pdf");
  const other = (await label("TRK2", "pdf", { size: "letter" })).bytes;
  const isOther = (place: number) => place % 7 === 3;
  const { bytes } = await combineLabels(
    Array.from({ length: 1000 }, (_, place) => ({
      name: "x",
      format: "pdf" as const,
      bytes: isOther(place) ? other : page,
    })),
  );
  expect((await sizes(bytes)).map(([width]) => width === 612)).toEqual(
    Array.from({ length: 1000 }, (_, place) => isOther(place)),
  );
});

test("ZPL labels are concatenated", async () => {
  const files = [await label("TRK1001 TRK1002", "zpl"), await label("TRK1003", "zpl")];
  const { format, bytes } = await combineLabels(files);
  expect(format).toBe("zpl");
  const zpl = bytes.toString();
  expect(zpl.match(/\^XA/g)).toHaveLength(3);
  expect(zpl.match(/\^XZ/g)).toHaveLength(3);
  const codes = [...zpl.matchAll(/\^BC[^]*?\^FD(TRK\d+)\^FS/g)].map((match) => match[1]);
  expect(codes).toEqual(["TRK1001", "TRK1002", "TRK1003"]);
});

test("ZPL is not combined with other formats, and an empty list is not combined at all", async () => {
  const [zpl, pdf] = [await label("TRK1", "zpl"), await label("TRK2", "pdf")];
  for (const files of [
    [zpl, pdf],
    [pdf, zpl],
    [zpl, zpl, pdf],
  ])
    await expect(combineLabels(files)).rejects.toThrow("cannot be combined");
  await expect(combineLabels([])).rejects.toThrow("no labels");
});
