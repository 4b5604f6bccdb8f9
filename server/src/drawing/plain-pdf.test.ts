import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { canScan, printed } from "../../test/acceptance/scan.ts";
import { box, labelSheet, letter, type Page } from "./marks.ts";
import { isPlainPage, plainPdf } from "./plain-pdf.ts";
import { text } from "./text.ts";
import { streamPdf } from "./write-pdf.ts";

const info = { title: "Étiquette (1) ⛟", producer: "Waybill \\ test", made_at: new Date(1.7e12) };

function page(words: string): Page {
  return {
    paper: words === "letter" ? letter : labelSheet,
    marks: [
      box(20, 20, 100.5, 30),
      text(words, 70, 26, { size: 14, bold: true, align: "center", white: true, max: 90 }),
      text("VALUE: (Éte) \\ AWAY", 20, 60, { size: 11, max: 200 }),
      { mark: "code128", x: 20, y: 90, width: 200, height: 40, text: "1Z999AA10123456784" },
      {
        mark: "symbol",
        kind: "maxicode",
        x: 20,
        y: 150,
        width: 62,
        height: 59,
        text: "H3G 1H9|CA",
      },
    ],
  };
}
const pages = [page("label"), page("letter")];

test("each object begins where the table at the end says", () => {
  const file = plainPdf(pages, info).toString("latin1");
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)![1]);
  const [, size, entries] = /^xref\n0 (\d+)\n([^]*?)trailer/.exec(file.slice(table))!;
  const starts = entries!.match(/[^]{20}/g)!.slice(1);
  expect(starts).toHaveLength(Number(size) - 1);
  starts.forEach((entry, at) => {
    const start = Number(entry.slice(0, 10));
    expect(file.slice(start).startsWith(`${at + 1} 0 obj\n`)).toBe(true);
  });
});

test("another reader of PDF finds the pages and what the file says of itself", async () => {
  const file = await PDFDocument.load(plainPdf(pages, info), { updateMetadata: false });
  expect(file.getPages().map((each) => each.getSize())).toMatchObject([labelSheet, letter]);
  expect(file.getTitle()).toBe(info.title);
  expect(file.getProducer()).toBe(info.producer);
  expect(file.getCreator()).toBe("Waybill");
  expect(file.getCreationDate()).toEqual(info.made_at);
});

test("the same pages are the same file, and others have another id", () => {
  const idOf = (file: Buffer) => /\/ID\[<(\w{32})><\1>\]/.exec(file.toString("latin1"))![1];
  const first = plainPdf(pages, info);
  expect(plainPdf(pages, info).equals(first)).toBe(true);
  expect(idOf(plainPdf([page("other")], info))).not.toBe(idOf(first));
});

describe("a page that needs a font of ours", () => {
  test.each(["Łódź", "北京", "📦"])("is not plain for %s", (words) => {
    expect(isPlainPage(page(words))).toBe(false);
    expect(isPlainPage(page("Élève €"))).toBe(true);
  });
});

test.skipIf(!(await canScan()))(
  "prints dot for dot what PDFKit's file prints (pdftoppm)",
  async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of streamPdf(pages, { ...info, content: "" })) chunks.push(chunk);
    const expected = await printed(Buffer.concat(chunks));
    expect(expected).toHaveLength(pages.length);
    (await printed(plainPdf(pages, info))).forEach((picture, at) =>
      expect(picture.equals(expected[at]!)).toBe(true),
    );
  },
);
