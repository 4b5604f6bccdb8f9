import { PDFDocument, rgb } from "@cantoo/pdf-lib";
import { expect, test } from "vitest";
import { picturePages } from "./combined/picture-pages.ts";
import { openLabelPicture } from "./label-picture.ts";

/** How a carrier's PDF becomes a picture. */

type Size = [width: number, height: number];
const labelSize: Size = [288, 432];

async function aPdf(sizes: readonly Size[], words = "A label"): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  for (const size of sizes) pdf.addPage(size).drawText(words, { x: 20, y: 200, size: 30 });
  return Buffer.from(await pdf.save());
}

async function sizeOf(labels: readonly Buffer[]): Promise<Size> {
  const draw = await openLabelPicture();
  const png = Buffer.from(await draw(labels));
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

async function drawing(bytes: Buffer) {
  const draw = await openLabelPicture();
  return draw([bytes]);
}

test("a page of four by six inches has 812 by 1218 dots", async () => {
  expect(await sizeOf([await aPdf([labelSize])])).toEqual([812, 1218]);
});

test("a page of letter paper stays one", async () => {
  expect(await sizeOf([await aPdf([[612, 792]])])).toEqual([1726, 2233]);
});

test("the pages of all files are below each other, and can be read again as a page each", async () => {
  const files = [await aPdf([labelSize, labelSize]), await aPdf([labelSize])];
  expect(await sizeOf(files)).toEqual([812, 3654]);
  const draw = await openLabelPicture();
  const pages = await picturePages(Buffer.from(await draw(files)));
  expect(pages.getPages().map((page) => [page.getWidth(), page.getHeight()])).toEqual([
    labelSize,
    labelSize,
    labelSize,
  ]);
});

test("a label is the same picture each time, so that a lost file is replaced by its like", async () => {
  const file = await aPdf([labelSize]);
  expect(await drawing(file)).toEqual(await drawing(file));
});

test.each([
  ["what is no PDF", async () => Buffer.from("%PDF-1.7 of nothing %%EOF")],
  ["nothing at all", async () => Buffer.alloc(0)],
  ["half a PDF", async () => Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>")],
  ["a PDF without a mark", () => aPdf([labelSize], "")],
  ["a page as large as a house", () => aPdf([[14_000, 14_000]])],
  ["more pages than a shipment has packages", () => aPdf(Array<Size>(70).fill(labelSize))],
])("%s is refused, and the next label is drawn", async (_name, file) => {
  await expect(file().then(drawing)).rejects.toThrow(Error);
  expect(await sizeOf([await aPdf([labelSize])])).toEqual([812, 1218]);
});

test("a page in colours is drawn in shades of grey", async () => {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([72, 72]);
  page.drawRectangle({ x: 0, y: 0, width: 72, height: 72, color: rgb(0, 0, 1) });
  const png = Buffer.from(await drawing(Buffer.from(await pdf.save())));
  expect([png.readUInt8(24), png.readUInt8(25)]).toEqual([8, 0]);
});
