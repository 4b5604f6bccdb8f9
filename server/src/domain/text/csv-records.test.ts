import { expect, test } from "vitest";
import { longestStretchMs } from "../../../test/loop/stretch.ts";
import { csvRecords, type CsvOptions, type CsvRecord } from "./csv-records.ts";

async function read(text: string, options: Partial<CsvOptions> = {}): Promise<CsvRecord[]> {
  const limits = { columns_max: 3, record_chars_max: 1000, ...options };
  const records: CsvRecord[] = [];
  for await (const record of csvRecords([text], limits)) records.push(record);
  return records;
}

const refusal = (sentence: string) => ({
  code: "validation_failed",
  details: { content: [sentence] },
});

test("records are read with the lines that they begin in, whatever their line ends and numbers of cells", async () => {
  expect(await read('\uFEFFa,b\r\n\r\n"1\r\n2",3\rx\n,,\n')).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 3, cells: ["1\n2", "3"] },
    { line: 5, cells: ["x"] },
    { line: 6, cells: ["", "", ""] },
  ]);
});

test("a record with more cells than are allowed is refused with its line, and not read to its end", async () => {
  const refused = refusal("has more than 3 columns in line 2.");
  await expect(read("a,b,c\n1,2,3,4\n")).rejects.toMatchObject(refused);
  const longest = await longestStretchMs(async () => {
    await expect(read(`a,b\n${",".repeat(5_000_000)}`)).rejects.toMatchObject(refused);
  });
  expect(longest).toBeLessThan(50);
});

test("what is no CSV is refused with its line and the reason", async () => {
  const endless =
    "is no CSV: a quotation mark in the row of line 2 is not closed, or the row has no end.";
  await expect(read('a\n"b\nc\n')).rejects.toMatchObject(refusal(endless));
  await expect(read(`a\n${"b".repeat(2000)}\n`)).rejects.toMatchObject(refusal(endless));
  await expect(read('a\nb "c"\n')).rejects.toThrow(/Some fields/);
  expect(await read('a\nb "c"\n', { relax_quotes: true })).toHaveLength(2);
});

test("a hundred thousand records of another number of cells than the first's do not block the event loop", async () => {
  const text = `a,b\n${"x\n".repeat(100_000)}`;
  let records: CsvRecord[] = [];
  const longest = await longestStretchMs(async () => (records = await read(text)));
  expect(records).toHaveLength(100_001);
  expect(longest).toBeLessThan(50);
});
