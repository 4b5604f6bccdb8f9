import { parse, type CsvError } from "csv-parse";
import { Readable } from "node:stream";
import { startTimeSlice } from "../../../domain/scheduling/time-slices.ts";
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
const columnsMax = 1000;

/** Product descriptions can be long; a quote that is never closed is longer. */
const recordSizeMax = 1_000_000;

/**
 * Reads the header, and then rows on demand: a file of any length takes the memory of a row. Commas,
 * semicolons or tabs, whichever the header has most of; any line ends. Rows without any text are skipped.
 * Throws 422 for what is no CSV.
 */
export async function readCsv(text: AsyncGenerator<string>): Promise<CsvTable> {
  const lines = withPlainEnds(text);
  const records = recordsOf(await startOf(lines), lines);
  const header = await records.next();
  if (header.done) throw badFile("is empty.");
  const { record } = header.value;
  if (record.length > columnsMax)
    throw badFile(`has ${record.length} columns; at most ${columnsMax} are read.`);
  const columns = record.map((name) => name.trim().toLowerCase().replaceAll(/\s+/g, " "));
  return { columns, rows: rowsBelow(columns, records) };
}

/** The size that is parsed at once; other work runs between two pieces. */
const pieceLength = 65_536;

/** Converts every line end to one character, also within cells: the parser would count some twice. */
async function* withPlainEnds(text: AsyncGenerator<string>): AsyncGenerator<string> {
  let isCut = false;
  const yieldIfDue = startTimeSlice();
  for await (const long of text) {
    let from = 0;
    while (from < long.length) {
      // Not between the two halves of a surrogate pair.
      const isInLetter = /[\uDC00-\uDFFF]/.test(long.charAt(from + pieceLength));
      const piece = long.slice(from, from + pieceLength + (isInLetter ? 1 : 0));
      from += piece.length;
      const whole: string = isCut ? `\r${piece}` : piece;
      isCut = whole.endsWith("\r");
      yield (isCut ? whole.slice(0, -1) : whole).replace(/\r\n?/g, "\n");
      await yieldIfDue();
    }
  }
  if (isCut) yield "\n";
}

const startLength = 10_000;

/** As much as is needed to detect the separator of the header's columns. */
async function startOf(text: AsyncGenerator<string>): Promise<string> {
  let start = "";
  while (start.length < startLength && !start.includes("\n")) {
    const next = await text.next();
    if (next.done) break;
    start += next.value;
  }
  return start;
}

interface CsvRecord {
  line: number;
  record: string[];
}

async function* recordsOf(start: string, rest: AsyncGenerator<string>): AsyncGenerator<CsvRecord> {
  // The parser is ahead of the reader of its records.
  let parsedLines = 0;
  const parser = Readable.from(startingWith(start, rest))
    .on("error", (error) => parser.destroy(error))
    .pipe(
      parse({
        bom: true,
        delimiter: delimiterOf(start),
        info: true,
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        max_record_size: recordSizeMax,
        on_record(record: string[], { lines }) {
          parsedLines = lines;
          return record;
        },
      }),
    );
  let before = { lines: 0, empty_lines: 0 };
  try {
    for await (const { info, record } of parser as AsyncIterable<Parsed>) {
      const line = before.lines + 1 + info.empty_lines - before.empty_lines;
      before = { lines: info.lines, empty_lines: info.empty_lines };
      yield { line, record };
    }
  } catch (error) {
    if (!isCsvError(error)) throw error;
    throw badFile(
      `is no CSV: a quotation mark in the row of line ${parsedLines + 1} is not closed, or the row has no end.`,
    );
  }
}

interface Parsed {
  info: { lines: number; empty_lines: number };
  record: string[];
}

async function* startingWith(start: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

async function* rowsBelow(
  columns: readonly string[],
  records: AsyncGenerator<CsvRecord>,
): AsyncGenerator<CsvRow> {
  for await (const { line, record } of records) {
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

function delimiterOf(text: string): string {
  const [header = ""] = text.slice(0, startLength).split("\n", 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, each) => (count(each) > count(best) ? each : best));
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("CSV_");
}
