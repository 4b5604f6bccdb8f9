import { stringify } from "csv-stringify";
import { Readable } from "node:stream";
import type { StatementLine } from "../../documents/statement-lines.ts";

/** The transactions of a statement as CSV (RFC 4180, decision 17), written as they are read. */
export function toCsv(lines: AsyncIterable<StatementLine>): AsyncIterable<Uint8Array> {
  const csv = stringify({
    header: true,
    columns: [...columns],
    record_delimiter: "windows",
  });
  // The reader gets the error there; a stream without a reader yet must not end the process.
  csv.on("error", () => undefined);
  return Readable.from(rows(lines))
    .on("error", (error) => csv.destroy(error))
    .pipe(csv);
}

const columns = [
  ...["transaction_id", "date", "type", "description", "shipment_id", "order_number", "carrier"],
  ...["service", "tracking_code", "subtotal", "tax", "total", "currency", "balance_after"],
] as const;

async function* rows(lines: AsyncIterable<StatementLine>): AsyncGenerator<string[]> {
  for await (const line of lines) {
    yield [
      line.id,
      line.created_at.toISOString(),
      line.type,
      harmless(line.description),
      line.shipment_id ?? "",
      harmless(line.order_number),
      harmless(line.carrier),
      harmless(line.service),
      harmless(line.tracking_code),
      decimals(line.amount_cents - line.tax_cents),
      decimals(line.tax_cents),
      decimals(line.amount_cents),
      line.currency,
      decimals(line.balance_after_cents),
    ];
  }
}

/** Text from outside, which a spreadsheet must not take for a formula; an apostrophe makes it text. */
function harmless(words: string | null): string {
  if (words === null) return "";
  return /^[\s\0]*[=+\-@＝＋－＠\t\r]/.test(words) ? `'${words}` : words;
}

/** −1130 → `-11.30`. */
function decimals(cents: number): string {
  return (cents / 100).toFixed(2);
}
