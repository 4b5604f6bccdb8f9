import { csvRecords, type CsvRecord } from "../../../domain/text/csv-records.ts";
import { badFile } from "./bad-file.ts";

/** The columns of a file's header, in lower case, and the cells of a row by those names. */
export interface CsvTable {
  columns: string[];
  rows: AsyncGenerator<CsvRow>;
}

export interface CsvRow {
  /** Where the row begins: a cell may span several lines. */
  line: number;
  cells: ReadonlyMap<string, string>;
  /** More cells than the header has columns. */
  is_too_long: boolean;
}

/** Exports of shops have some dozens. */
const columns_max = 1000;

/** Product descriptions can be long; a quote that is never closed is longer. */
const record_chars_max = 1_000_000;

/**
 * Reads the header, and then rows on demand: a file of any length takes the memory of a row. Commas,
 * semicolons or tabs, whichever the header has most of; any line ends. Rows without any text are skipped.
 * Throws 422 for what is no CSV.
 */
export async function readCsv(text: AsyncGenerator<string>): Promise<CsvTable> {
  const delimiters = [",", ";", "\t"];
  const options = { columns_max, record_chars_max, delimiters, relax_quotes: true };
  const records = csvRecords(text, options);
  const header = await records.next();
  if (header.done) throw badFile("is empty.");
  const columns = header.value.cells.map((name) =>
    name.trim().toLowerCase().replaceAll(/\s+/g, " "),
  );
  return { columns, rows: rowsBelow(columns, records) };
}

async function* rowsBelow(
  columns: readonly string[],
  records: AsyncGenerator<CsvRecord>,
): AsyncGenerator<CsvRow> {
  for await (const { line, cells: record } of records) {
    if (record.every((cell) => cell.trim() === "")) continue;
    const cells = new Map<string, string>();
    record.forEach((cell, place) => {
      const column = columns[place];
      if (column !== undefined && !cells.has(column)) cells.set(column, cell.trim());
    });
    const is_too_long = record.slice(columns.length).some((cell) => cell.trim() !== "");
    yield { line, cells, is_too_long };
  }
}
