import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { longestStretchMs } from "../../../../test/loop/stretch.ts";
import { ApiError } from "../../../domain/errors/errors.ts";
import { decodeText } from "./decode-text.ts";
import { readCsv } from "./read-csv.ts";
import { readSource } from "./read-source.ts";
import type { SourceRow } from "./source-row.ts";

/** In pieces of so many bytes, which cut characters and rows anywhere. */
function* piecesOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

async function read(text: string | Buffer, size = 7): Promise<SourceRow[]> {
  const rows: SourceRow[] = [];
  for await (const row of readSource(piecesOf(Buffer.from(text), size), null)) rows.push(row);
  return rows;
}

const cell = fc
  .string({ unit: "grapheme", maxLength: 12 })
  .map((text) => text.replaceAll(/[\0\p{Cs}\uFEFF]/gu, "").trim());
const cellWithLines = fc
  .tuple(cell, fc.constantFrom("", "\n", "\r\n", '"', ",", ";"), cell)
  .map((parts) => parts.join("").trim());

/** The line ends within a cell are normalized. */
const plain = (text: string) => text.replaceAll(/\r\n?/g, "\n");

test("whatever the cells, separators, line ends and pieces, rows are read as they were written, with their lines", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cellWithLines, cellWithLines), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(",", ";", "\t"),
      fc.constantFrom("\n", "\r\n"),
      fc.integer({ min: 1, max: 40 }),
      async (records, delimiter, end, size) => {
        const options = { delimiter, record_delimiter: end, quoted: true, bom: true };
        const bytes = Buffer.from(stringify([["Left", " RIGHT  side"], ...records], options));
        const table = await readCsv(decodeText(piecesOf(bytes, size)));
        expect(table.columns).toEqual(["left", "right side"]);
        const rows = [];
        for await (const { line, cells } of table.rows)
          rows.push([line, cells.get("left"), cells.get("right side")]);
        let line = 2;
        const expected = records.flatMap(([left, right]) => {
          const row = [line, plain(left), plain(right)];
          line += 1 + ((plain(left) + plain(right)).match(/\n/g)?.length ?? 0);
          return left === "" && right === "" ? [] : [row];
        });
        expect(rows).toEqual(expected);
      },
    ),
    { numRuns: 200 },
  );
});

test("bytes of any kind are read or refused with a message, never anything else", async () => {
  const header = fc.constantFrom(
    "",
    "Handle,Title,Variant SKU\n",
    "ID,Type,SKU,Name\n",
    "SKU,HS Code,COO\n",
  );
  await fc.assert(
    fc.asyncProperty(header, fc.uint8Array({ maxLength: 300 }), async (start, noise) => {
      const refused = await read(Buffer.concat([Buffer.from(start), noise])).then(
        () => null,
        (error: unknown) => error,
      );
      if (refused !== null) expect(refused).toBeInstanceOf(ApiError);
    }),
    { numRuns: 300 },
  );
});

describe("the header identifies the export", () => {
  test.each([
    ["Handle,Title,Variant SKU,Variant Price\na,A,S,1\n", { sku: "S", store: "shopify", value: 1 }],
    ["Title,URL handle,SKU,Price\nA,a,S,1\n", { sku: "S", store: "shopify", value: 1 }],
    ["Handle,Title,SKU,HS Code,COO\na,A,S,610910,CA\n", { sku: "S", hs_code: "610910" }],
    ["ID,Type,SKU,Name\n1,simple,S,A\n", { sku: "S", store: "woocommerce" }],
    ["ID;Type;SKU;Name;Regular price\n1;simple;S;A;1299,5\n", { sku: "S", value: 1299.5 }],
  ])("%j", async (text, entry) => {
    expect(await read(text)).toMatchObject([{ line: 2, entry }]);
  });

  test("or is refused", async () => {
    await expect(read("a,b\n1,2\n")).rejects.toMatchObject({
      details: { content: [expect.stringContaining("say its format") as unknown] },
    });
  });
});

test("a description of endless tags costs no more than its length", async () => {
  const tags = "<script><b <".repeat(70_000);
  const [row] = await read(`Handle,Title,Body (HTML),Variant SKU\na,A,"${tags}",S\n`, 65_536);
  expect(row).toMatchObject({ entry: { sku: "S" } });
});

test("descriptions as long as a cell may be, and one that a thousand variants share, block nothing", async () => {
  const header = "Handle,Title,Body (HTML),Variant SKU\n";
  const long = ["<p>", "word ", "&amp;", "<"].map((piece, place) => {
    const html = piece.repeat(900_000 / piece.length);
    return `mug${place},Mug,"${html}",M-${place}\n`;
  });
  const variants = Array.from({ length: 1000 }, (_, place) => `mug3,,,V-${place}\n`);
  let rows: SourceRow[] = [];
  const longest = await longestStretchMs(async () => {
    rows = await read(header + long.join("") + variants.join(""), 65_536);
  });
  expect(rows).toHaveLength(1004);
  expect(rows[1]!.entry["description"]).toHaveLength(10_000);
  expect(longest).toBeLessThan(150);
});

test("a header of more columns than any shop exports is refused, and not read to its end", async () => {
  const wide = readCsv(decodeText([Buffer.from(`${"a,".repeat(400_000)}b\n1,2\n`)]));
  await expect(wide).rejects.toThrow(ApiError);
});

test("a long text in one piece is read completely, character by character", async () => {
  const title = "x" + "😀".repeat(60_000);
  const table = await readCsv(decodeText([Buffer.from(`title\n${title}\n`)]));
  for await (const { cells } of table.rows) expect(cells.get("title")).toBe(title);
});
