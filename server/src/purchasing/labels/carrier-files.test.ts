import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, test } from "vitest";
import { isKeyOf, mergedFiles, startCarrierFiles } from "./carrier-files.ts";
import { aLabelFile } from "./label-files-world.ts";

/** How the files of a carrier become the documents of a shipment. */

async function aPdf(width: number): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  pdf.addPage([width, 432]);
  return Buffer.from(await pdf.save());
}

test("the PDF labels of several packages are one file, in the order of the packages", async () => {
  const sent = [
    aLabelFile({ package_index: 1, bytes: await aPdf(200) }),
    aLabelFile({ package_index: 0, bytes: await aPdf(100) }),
    aLabelFile({ type: "waybill", bytes: await aPdf(300) }),
  ];
  const merged = await mergedFiles(sent);
  expect(merged.map(({ type }) => type)).toEqual(["label", "waybill"]);
  const pages = (await PDFDocument.load(merged[0]!.bytes)).getPages();
  expect(pages.map((page) => page.getWidth())).toEqual([100, 200]);
  expect(merged[1]!.bytes).toEqual(sent[2]!.bytes);
});

test("ZPL labels are put one after the other, and pictures stay one each", async () => {
  const zpl = ["^XA^FDone^XZ", "^XA^FDtwo^XZ"].map((text, package_index) =>
    aLabelFile({ format: "zpl", package_index, bytes: Buffer.from(text) }),
  );
  const [label, ...others] = await mergedFiles(zpl);
  expect(others).toEqual([]);
  expect(label!.bytes.toString()).toBe("^XA^FDone^XZ\n^XA^FDtwo^XZ\n");
  const pictures = zpl.map((each) => aLabelFile({ ...each, format: "png" }));
  expect(await mergedFiles(pictures)).toHaveLength(2);
});

test("a file that cannot be read is not merged into a page that says so", async () => {
  const sent = [
    aLabelFile({ bytes: await aPdf(100) }),
    aLabelFile({ bytes: Buffer.from("%PDF-1.7 cut off") }),
  ];
  const merged = await mergedFiles(sent);
  expect(merged.map(({ bytes }) => bytes)).toEqual(sent.map(({ bytes }) => bytes));
});

test("what is empty, and what is between the carrier and the platform, is not kept", async () => {
  const sent = [
    aLabelFile({ bytes: Buffer.alloc(0) }),
    aLabelFile({ type: "manifest", bytes: Buffer.from("of the day") }),
  ];
  expect(await mergedFiles(sent)).toEqual([]);
});

test("each document is written under a key of its purchase and its bytes", async () => {
  const written = new Map<string, Buffer>();
  const files = {
    async startWrite(key: string, bytes: Buffer) {
      written.set(key, bytes);
      return { bytes: bytes.length, sha256: "digest", stored: Promise.resolve() };
    },
  };
  const sent_at = new Date("2026-11-27T23:00:00Z");
  const of = { account_id: "acc_1", id: "att_1", shipment_id: "shp_1", sent_at };
  const bytes = Buffer.from("^XA^XZ");
  const sent = [aLabelFile({ format: "zpl", bytes })];
  const { documents, stored } = await startCarrierFiles({ files } as never, of, sent);
  await stored;
  const [document] = documents;
  expect(document).toMatchObject({ type: "label", format: "zpl", by_carrier: true, bytes: 6 });
  expect(document!.file_key).toMatch(/^acc_1\/labels\/2026-11-27\/shp_1-att_1-[0-9a-f]{16}\.zpl$/);
  expect([...written.keys()]).toEqual([document!.file_key]);
  expect(isKeyOf(document!.file_key, bytes)).toBe(true);
  expect(isKeyOf(document!.file_key, Buffer.from("^XA^FD^XZ"))).toBe(false);
});
