import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, test } from "vitest";
import { gifOf } from "./gif-world.ts";
import {
  labelPictureOf,
  mergedPdf,
  onLetter,
  pdfOfPictures,
  pngOfPictures,
} from "./label-files.ts";

/** Two by two black dots. */
const gif = Buffer.from(
  "47494638396102000200800000000000ffffff2c000000000200020000020384510500" + "3b",
  "hex",
);

test("a GIF is a picture of its dots", () => {
  const dots = Uint8Array.from([0, 0, 0, 0]);
  expect(labelPictureOf(gif)).toEqual({ width: 2, height: 2, dots });
});

test("a GIF that is wider than high is turned to the right, and its end cut off beyond four by six inches", () => {
  const indexes = [
    [10, 20, 30, 40, 50],
    [60, 70, 80, 90, 99],
  ].flat();
  const picture = { width: 5, height: 2, codeBits: 8, codesUntilClear: 99, isInterlaced: false };
  const dots = Uint8Array.from([60, 10, 70, 20, 80, 30]);
  expect(labelPictureOf(gifOf({ ...picture, indexes }))).toEqual({ width: 2, height: 3, dots });
});

test("a GIF of a blank page is no label", () => {
  const picture = { width: 2, height: 2, codeBits: 8, codesUntilClear: 99, isInterlaced: false };
  expect(labelPictureOf(gifOf({ ...picture, indexes: [255, 255, 200, 255] }))).toBeNull();
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["a PDF", Buffer.from("%PDF-1.4 and more than a header")],
  [
    "a GIF that says it is 60,000 dots wide",
    Buffer.concat([gif.subarray(0, 6), Buffer.from([0x60, 0xea, 0x60, 0xea]), gif.subarray(10)]),
  ],
  ["a GIF without an end", gif.subarray(0, 24)],
])("%s is no picture", (_name, bytes) => {
  expect(labelPictureOf(bytes)).toBeNull();
});

test("several pictures are one PDF, a page for each, or one PNG", async () => {
  const pictures = [labelPictureOf(gif)!, labelPictureOf(gif)!];
  const pdf = await pdfOfPictures(pictures, "4x6");
  expect((await PDFDocument.load(pdf)).getPageCount()).toBe(2);
  const png = pngOfPictures(pictures);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2, 4]);
});

test("PDFs are merged in their order, and put on letter paper", async () => {
  const picture = labelPictureOf(gif)!;
  const one = await pdfOfPictures([picture], "4x6");
  const letter = await onLetter(one);
  const sizes = (await PDFDocument.load(await mergedPdf([one, letter])))
    .getPages()
    .map((page) => page.getWidth());
  expect(sizes).toEqual([288, 612]);
});
