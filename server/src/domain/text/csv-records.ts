import { CsvError, parse, type Info, type Options } from "csv-parse";
import { Readable, type TransformOptions } from "node:stream";
import { invalid } from "../errors/errors.ts";
import { startTimeSlice } from "../scheduling/time-slices.ts";

/**
 * Reads CSV of any length, and yields the event loop meanwhile. A record is parsed at once, and later work costs by
 * the number of its cells, so both its characters and its cells are limited.
 */

export interface CsvRecord {
  /** Where the record begins, from 1: a cell may span several lines. */
  line: number;
  cells: string[];
}

export interface CsvOptions extends Pick<Options, "relax_quotes" | "trim"> {
  columns_max: number;
  record_chars_max: number;
  /** The one that the first line has most of separates the cells; of no other choice, a comma. */
  delimiters?: readonly string[];
}

/**
 * The records, on demand: a text of any length takes the memory of a few. Any line ends; empty lines are skipped, and
 * records may have different numbers of cells. Throws 422 at `content` for what is no CSV, or beyond the limits.
 */
export async function* csvRecords(
  text: AsyncIterable<string> | Iterable<string>,
  { columns_max, record_chars_max, delimiters = [","], ...options }: CsvOptions,
): AsyncGenerator<CsvRecord> {
  const pieces = piecesOf(text);
  const start = await startOf(pieces);
  // The parser is ahead of the reader of its records.
  let parsedLines = 0;
  const parserOptions: Options & TransformOptions = {
    ...options,
    bom: true,
    delimiter: mostFrequent(delimiters, start),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: record_chars_max,
    writableHighWaterMark: 1,
    cast(cell, { index }) {
      // Empty cells have no size.
      if (index < columns_max) return cell;
      throw invalid({
        content: [`has more than ${columns_max} columns in line ${parsedLines + 1}.`],
      });
    },
    on_record(record: string[], { lines }) {
      parsedLines = lines;
      return record;
    },
  };
  const parser = parse(parserOptions);
  // Without a buffer, the next piece is asked for, and the event loop yielded, after one is parsed.
  const source = Readable.from(startingWith(start, pieces), { highWaterMark: 1 });
  source.on("error", (error) => parser.destroy(error)).pipe(parser);
  const yieldIfDue = startTimeSlice();
  let before = { lines: 0, empty_lines: 0 };
  try {
    for await (const { info, record } of parser as AsyncIterable<Parsed>) {
      const line = before.lines + 1 + info.empty_lines - before.empty_lines;
      before = info;
      yield { line, cells: record };
      await yieldIfDue();
    }
  } catch (error) {
    throw error instanceof CsvError ? notCsv(error, parsedLines + 1) : error;
  }
}

interface Parsed {
  info: Info;
  record: string[];
}

function notCsv({ code, message }: CsvError, line: number): Error {
  const isEndless = code === "CSV_QUOTE_NOT_CLOSED" || code === "CSV_MAX_RECORD_SIZE";
  const reason = isEndless
    ? `a quotation mark in the row of line ${line} is not closed, or the row has no end`
    : message;
  return invalid({ content: [`is no CSV: ${reason}.`] });
}

/**
 * The size that is parsed at once; other work runs between two pieces. A piece has five hundred records of one
 * character, and the parser makes an error, with its stack, of each that has not as many cells as the first.
 */
const pieceLength = 1024;

/** Converts every line end to one character, also within cells: the parser would count some twice. */
async function* piecesOf(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
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

/** As much as is needed to detect the separator of the first line's cells. */
async function startOf(pieces: AsyncGenerator<string>): Promise<string> {
  let start = "";
  while (start.length < startLength && !start.includes("\n")) {
    const next = await pieces.next();
    if (next.done) break;
    start += next.value;
  }
  return start;
}

async function* startingWith(start: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

function mostFrequent(delimiters: readonly string[], start: string): string {
  const [line = ""] = start.slice(0, startLength).split("\n", 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return delimiters.reduce((best, each) => (count(each) > count(best) ? each : best));
}
