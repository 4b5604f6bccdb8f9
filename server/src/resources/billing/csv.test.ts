import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../../test/collect.ts";
import type { StatementLine } from "../../documents/statement-lines.ts";
import { toCsv } from "./csv.ts";

const line: StatementLine = {
  id: "txn_01",
  created_at: new Date("2026-10-05T14:03:22.120Z"),
  type: "label",
  description: "Expedited Parcel 1Z99",
  shipment_id: "shp_01",
  order_number: "1001",
  carrier: "ups",
  service: "ups.standard",
  tracking_code: "1Z99",
  amount_cents: -1130,
  tax_cents: -130,
  balance_after_cents: 98_870,
  currency: "CAD",
  taxes: [{ name: "HST", amount_cents: -130 }],
};

async function csvOf(...lines: StatementLine[]): Promise<string> {
  return Buffer.concat(await collect(toCsv(eachOf(lines)))).toString();
}

async function* eachOf(lines: readonly StatementLine[]): AsyncGenerator<StatementLine> {
  yield* lines;
}

test("the columns and their order are fixed, also without any transaction", async () => {
  const head =
    "transaction_id,date,type,description,shipment_id,order_number,carrier,service,tracking_code,subtotal,tax,total,currency,balance_after\r\n";
  expect(await csvOf()).toBe(head);
  expect(await csvOf(line)).toBe(
    `${head}txn_01,2026-10-05T14:03:22.120Z,label,Expedited Parcel 1Z99,shp_01,1001,ups,ups.standard,1Z99,-10.00,-1.30,-11.30,CAD,988.70\r\n`,
  );
});

test.each(["=1+2", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n+1", "＝1+2", "－1", "＠x"])(
  "a text that a spreadsheet would take for a formula is escaped as text: %j",
  async (words) => {
    const csv = await csvOf({ ...line, description: words, order_number: words });
    const [row] = parse<Record<string, string>>(csv, { columns: true });
    expect(row).toMatchObject({ description: `'${words}`, order_number: `'${words}` });
    expect(row).toMatchObject({ subtotal: "-10.00", tax: "-1.30", total: "-11.30" });
  },
);

test("any text is read back unchanged, in one row of fourteen cells", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.integer(), async (words, cents) => {
      const csv = await csvOf({ ...line, description: words, amount_cents: cents, tax_cents: 0 });
      const [head, row, ...more] = parse(csv);
      expect([head!.length, row!.length, more.length]).toEqual([14, 14, 0]);
      expect(row![3]!.replace(/^'/, "")).toBe(words.replace(/^'/, ""));
      expect(row![11]).toBe((cents / 100).toFixed(2));
    }),
    { numRuns: 300 },
  );
});

test("a hundred thousand transactions are read only as fast as the consumer reads", async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<StatementLine> {
    for (; read < 100_000; read++) yield line;
  }
  const taken = toCsv(endless())[Symbol.asyncIterator]();
  await taken.next();
  // A reader that reads ahead would do so in the next iterations of the loop.
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(read).toBeLessThan(5000);
  await taken.return?.();
});

test("a ledger that cannot be read ends the file with an error, not with an end", async () => {
  async function* broken(): AsyncGenerator<StatementLine> {
    yield line;
    throw new Error("no ledger");
  }
  await expect(collect(toCsv(broken()))).rejects.toThrow("no ledger");
});
