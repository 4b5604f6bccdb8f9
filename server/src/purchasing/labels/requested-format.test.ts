import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openThreads, type Threads } from "../../threads/threads.ts";
import { inRequestedFormat } from "./requested-format.ts";
import { aLabelFile } from "./label-files-world.ts";

/** How a carrier's files become those that were requested. */

let threads: Threads;
beforeAll(() => {
  threads = openThreads(1);
});
afterAll(() => threads.close());

async function aPdf(height: number): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  pdf.addPage([72, height]).drawRectangle({ width: 72, height: height / 2 });
  return Buffer.from(await pdf.save());
}

test("the PDFs of several packages are one picture, and the carrier's other documents stay PDFs", async () => {
  const invoice = aLabelFile({ type: "commercial_invoice", bytes: await aPdf(72) });
  const files = [
    invoice,
    aLabelFile({ package_index: 1, bytes: await aPdf(72) }),
    aLabelFile({ package_index: 0, bytes: await aPdf(144) }),
  ];
  const [label, ...others] = await inRequestedFormat(
    { threads },
    { account_id: "acc_1", format: "png", files },
  );
  expect(label).toMatchObject({ type: "label", package_index: null, format: "png" });
  expect(label!.bytes.readUInt32BE(20)).toBe(3 * 203);
  expect(others).toEqual([invoice]);
});

test.each(["pdf", "zpl"] as const)(
  "a PDF is left as it is where %s is requested",
  async (format) => {
    const files = [aLabelFile({ bytes: Buffer.from("whatever it is") })];
    expect(await inRequestedFormat({ threads }, { account_id: "acc_1", format, files })).toEqual(
      files,
    );
  },
);

test("a picture of the carrier's own is left as it is, and so is no file", async () => {
  const format = "png";
  const own = [aLabelFile({ format, bytes: Buffer.from("a picture") })];
  for (const files of [own, []])
    expect(await inRequestedFormat({ threads }, { account_id: "acc_1", format, files })).toEqual(
      files,
    );
});

test("a PDF that cannot be drawn is an error of its caller's", async () => {
  const files = [aLabelFile({ bytes: Buffer.from("%PDF-1.7 of nothing %%EOF") })];
  const wanted = { account_id: "acc_1", format: "png", files } as const;
  await expect(inRequestedFormat({ threads }, wanted)).rejects.toThrow("PDF");
});
