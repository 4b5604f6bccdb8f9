import { describe, expect, test } from "vitest";
import { canScan, scanImage, scanPages } from "../../../../test/acceptance/scan.ts";
import type { LabelSize } from "./label-content.ts";
import { widthOf } from "../../../drawing/fonts.ts";
import { labelSheet as sheet, type Mark } from "../../../drawing/marks.ts";
import { address, carriers, codesOf, contentOf } from "./label-world.ts";
import { layOut } from "./layout.ts";
import { renderLabel } from "./render-label.ts";

const sizes: LabelSize[] = ["4x6", "letter"];

const cannotScan = !(await canScan());

describe.each(carriers)("a label of %s", (carrier) => {
  for (const size of sizes) {
    test.skipIf(cannotScan)(
      `has each package's tracking code in the barcode of its PDF page, ${size} (pdftoppm, zbarimg)`,
      async () => {
        for (const count of [1, 3]) {
          const content = contentOf(carrier, count);
          const pages = await scanPages(await renderLabel(content, { format: "pdf", size }));
          expect(pages).toEqual(codesOf(content).map((code) => [code]));
        }
      },
      30_000,
    );

    test.skipIf(cannotScan)(
      `has each package's tracking code in a barcode of its PNG, ${size} (zbarimg)`,
      async () => {
        for (const count of [1, 3]) {
          const content = contentOf(carrier, count);
          const codes = await scanImage(await renderLabel(content, { format: "png", size }));
          expect(codes.sort()).toEqual(codesOf(content).sort());
        }
      },
      30_000,
    );
  }

  test("is the same bytes for the same content, in every format and size", async () => {
    for (const format of ["pdf", "png", "zpl"] as const)
      for (const size of sizes) {
        const first = await renderLabel(contentOf(carrier, 2), { format, size });
        expect((await renderLabel(contentOf(carrier, 2), { format, size })).equals(first)).toBe(
          true,
        );
        const other = contentOf(carrier, 2, { reference: "PO-10024" });
        expect((await renderLabel(other, { format, size })).equals(first)).toBe(false);
      }
  });

  test("is one well-formed ZPL document a package, with its code in a ^BC field", async () => {
    const content = contentOf(carrier, 3);
    const documents = zplOf(await renderLabel(content, { format: "zpl", size: "4x6" }));
    expect(documents.map(barcodeOf)).toEqual(codesOf(content));
  });
});

/** The documents of a ZPL file: throws when anything is outside `^XA … ^XZ`. */
function zplOf(file: Buffer): string[] {
  const zpl = file.toString();
  const documents = [...zpl.matchAll(/\^XA([^]*?)\^XZ/g)].map((match) => match[1]!);
  expect(zpl.replace(/\^XA[^]*?\^XZ/g, "").trim()).toBe("");
  for (const document of documents) expect(document).not.toMatch(/\^X[AZ]/);
  return documents;
}

/** The text that the printer encodes: `>` starts a subset command in a ^BC field and is never data. */
function barcodeOf(document: string): string | undefined {
  return /\^BC[^^]*(?:\^FH[^^]*)?\^FD([^^]*)\^FS/.exec(document)?.[1]?.replace(/>[0-9:;]/g, "");
}

test("characters that a thermal printer's font lacks are on its label as a picture, dot by dot", async () => {
  const to = { ...address, name: "北京 Trading 📦", company: "Łódź" };
  const [zpl] = zplOf(
    await renderLabel(contentOf("ups", 1, { to }), { format: "zpl", size: "4x6" }),
  );
  const pictures = [...zpl!.matchAll(/\^GFA,(\d+),(\d+),(\d+),([0-9A-F]+)\^FS/g)];
  expect(pictures).toHaveLength(1);
  const [, bytes, total, row, dots] = pictures[0]!;
  expect([bytes, total]).toEqual([String(dots!.length / 2), bytes]);
  expect(Number(bytes) % Number(row)).toBe(0);
  // Characters are neither empty nor a block.
  const inked = Array.from(
    Buffer.from(dots!, "hex").toString("binary"),
    (byte) => byte.charCodeAt(0).toString(2).replace(/0/g, "").length,
  ).reduce((sum, count) => sum + count, 0);
  expect(inked / (Number(bytes) * 8)).toBeGreaterThan(0.05);
  expect(inked / (Number(bytes) * 8)).toBeLessThan(0.6);
  expect(zpl).toContain("Łódź");
});

const hostile = {
  "fifty letters": "Wolfeschlegelsteinhausenbergerdorff-Mann".padEnd(50, "W"),
  French: "Noël Élève-Çédille, 12 bis rue de l’Œuvre à Sèvres",
  Cyrillic: "Александр Сергеевич Пушкин, улица Большая Морская",
  Arabic: "محمد بن عبد الله، شارع الملك فهد، الرياض، السعودية",
  Chinese: "北京市朝阳区建国门外大街一号国贸大厦二十八层二零一室中华人民共和国",
  emoji: "👩‍👩‍👧‍👦🏳️‍🌈🚚📦".repeat(2),
  "right-to-left marks": "\u202eevil\u202c \u200f\u2067name\u2069",
  "control characters": "a\u0000b\u0007c\u001bd\r\ne\tf\u007f\u0085",
  "piled accents": `Z${"\u0301\u0323".repeat(20)}algo`,
  "ZPL commands": "^XA^FDx^FS~JA_5E\\&^XZ~DG^CC%",
  markup: `<text fill="red">&amp;<&>"']]></svg>`,
  "PDF syntax": "(a) Tj ET \\( endstream endobj %%EOF",
  "half a pair": "\ud83d alone \udc00",
};

function extentOf(mark: Mark): { left: number; right: number; top: number; bottom: number } {
  const { x, y } = mark;
  if (mark.mark !== "text")
    return { left: x, right: x + mark.width, top: y, bottom: y + mark.height };
  const width = widthOf(mark.text, mark.size, mark.bold);
  const left = x - { left: 0, center: width / 2, right: width }[mark.align];
  return { left, right: left + width, top: y, bottom: y + mark.size };
}

describe.each(carriers)("hostile text on a label of %s", (carrier) => {
  test.each(Object.entries(hostile))(
    "%s stays on the sheet and breaks nothing",
    async (_, words) => {
      const text = words.slice(0, 50);
      const to = {
        ...address,
        name: text,
        company: `${text.slice(0, 39)}.`,
        address1: text,
        address2: text,
        city: text.slice(0, 35),
      };
      const change = { to, from: { ...to, phone: null }, reference: text };
      const border = contentOf(carrier, 1, { ...change, crosses_border: true, is_return: true });
      for (const content of [contentOf(carrier, 1, change), border]) {
        for (const mark of layOut(content, 0)) {
          const { left, right, top, bottom } = extentOf(mark);
          expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
          expect(right).toBeLessThanOrEqual(sheet.width);
          expect(bottom).toBeLessThanOrEqual(sheet.height);
        }
        const zpl = zplOf(await renderLabel(content, { format: "zpl", size: "4x6" }));
        expect(zpl.map(barcodeOf)).toEqual(codesOf(content));
        const png = await renderLabel(content, { format: "png", size: "4x6" });
        expect(png.subarray(1, 4).toString()).toBe("PNG");
        const pdf = (await renderLabel(content, { format: "pdf", size: "letter" })).toString(
          "latin1",
        );
        expect(pdf).toMatch(/^%PDF-[^]*%%EOF\s*$/);
      }
    },
  );
});
