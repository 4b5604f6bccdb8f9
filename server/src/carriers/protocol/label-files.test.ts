import { PDFDocument } from "@cantoo/pdf-lib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mergedPdf, onLetter, pdfOfPictures, pictureOf, pngOfPictures } from "./label-files.ts";

/** Two by two dots, black but for one: GIF's own smallest form. */
const gif = Buffer.from(
  "47494638396102000200800000000000ffffff2c000000000200020000020384510500" + "3b",
  "hex",
);

test("a GIF is a picture of its dots", async () => {
  const picture = await pictureOf(gif);
  expect(picture).toMatchObject({ width: 2, height: 2 });
  expect(picture!.png().toString("latin1", 1, 4)).toBe("PNG");
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["a PDF", Buffer.from("%PDF-1.4 and more than a header")],
  [
    "a GIF that says it is 60,000 dots wide",
    Buffer.concat([gif.subarray(0, 6), Buffer.from([0x60, 0xea, 0x60, 0xea]), gif.subarray(10)]),
  ],
  ["a GIF without an end", gif.subarray(0, 24)],
])("%s is no picture", async (_name, bytes) => {
  expect(await pictureOf(bytes)).toBeNull();
});

test("any bytes after a header of GIF are a picture or none", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
      const picture = await pictureOf(Buffer.concat([gif.subarray(0, 13), bytes]));
      expect(picture === null || picture.bits.length === 2).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("several pictures are one PDF, a page for each, or one PNG", async () => {
  const pictures = [(await pictureOf(gif))!, (await pictureOf(gif))!];
  const pdf = await pdfOfPictures(pictures, "4x6");
  expect((await PDFDocument.load(pdf)).getPageCount()).toBe(2);
  const png = await pngOfPictures(pictures);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2, 4]);
});

test("PDFs are merged in their order, and put on letter paper", async () => {
  const picture = (await pictureOf(gif))!;
  const one = await pdfOfPictures([picture], "4x6");
  const letter = await onLetter(one);
  const sizes = (await PDFDocument.load(await mergedPdf([one, letter])))
    .getPages()
    .map((page) => page.getWidth());
  expect(sizes).toEqual([288, 612]);
});
