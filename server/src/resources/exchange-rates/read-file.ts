import {
  addProblem,
  ApiError,
  invalid,
  throwIfAny,
  type Problems,
} from "../../domain/errors/errors.ts";
import { sortYielding } from "../../domain/scheduling/sort-yielding.ts";
import { startTimeSlice } from "../../domain/scheduling/time-slices.ts";
import { csvRecords, type CsvRecord } from "../../domain/text/csv-records.ts";
import { isDay } from "../../domain/validation/validation.ts";
import { currencies } from "../../domain/values/currencies.ts";
import { rateDigitsMax, readRate } from "../../domain/values/exchange.ts";
import type { DatedRate } from "../../domain/values/exchange-table.ts";
import type { ExchangeImport } from "./schemas.ts";

/**
 * Files of exchange rates. `csv` has the columns base, quote, rate and valid_from. `bank_of_canada` is what the
 * Bank of Canada's Valet service answers for its daily rates: sections of text, and below the line OBSERVATIONS a
 * table with a column `date` and one column for each series, such as FXUSDCAD, the price of one US dollar in
 * Canadian ones. On a holiday, and after a series has ended, a cell is empty.
 */

/** The Bank of Canada's has some thirty. */
const columns_max = 200;
const record_chars_max = 100_000;
/** Of one file; and as many rates. */
const rowsMax = 100_000;
const namedMax = 1000;

/**
 * All rates of a file, ordered by their pair and day. Throws 422 that names each bad cell, as
 * `content.<line>.<column>`, or the first thousand of them; then none is used.
 */
export async function readExchangeFile({ format, content }: ExchangeImport): Promise<DatedRate[]> {
  const table = await (format === "csv" ? tableOf(content) : observationsOf(content));
  const [header, ...rows] = table;
  if (!header || rows.length === 0) throw invalid({ content: ["has no rows below a header."] });
  const reader = format === "csv" ? plainReader(header) : bankReader(header);
  const found = new Map<string, DatedRate>();
  const problems: Problems = {};
  const refuse = refuserOf(problems);
  const yieldIfDue = startTimeSlice();
  for (const row of rows) {
    await yieldIfDue();
    if (row.cells.length !== header.cells.length) {
      const [has, wanted] = [row.cells.length, header.cells.length];
      refuse(`content.${row.line}`, `has ${has} cells; the header has ${wanted}.`);
      continue;
    }
    const refuseCell: Refuse = (column, text) => refuse(`content.${row.line}.${column}`, text);
    for (const { column, rate } of reader(row, refuseCell)) {
      const key = `${rate.base} ${rate.quote} ${rate.valid_from}`;
      if (found.has(key)) refuseCell(column, `is of a pair and day that a row above has.`);
      else found.set(key, rate);
    }
    if (found.size > rowsMax) throw tooManyRows();
  }
  throwIfAny(problems);
  if (found.size === 0) throw invalid({ content: ["has no rate in any row."] });
  const ordered = await sortYielding([...found], ([a], [b]) => (a < b ? -1 : 1));
  return ordered.map(([, rate]) => rate);
}

/** Adds problems; throws them once there are more than are named. */
function refuserOf(problems: Problems): (path: string, text: string) => void {
  let named = 0;
  return (path, text) => {
    if (problems[path] === undefined && ++named > namedMax)
      throw invalid({
        ...problems,
        content: [`has more that cannot be read; the first ${namedMax} are named.`],
      });
    addProblem(problems, path, text);
  };
}

function tooManyRows(): ApiError {
  return new ApiError("too_many_rows", {
    message: `One import has at most ${rowsMax} rows, and as many rates; divide the file.`,
    details: { max: rowsMax },
  });
}

type Refuse = (column: string, text: string) => void;
type Reader = (row: CsvRecord, refuse: Refuse) => { column: string; rate: DatedRate }[];

const plainColumns = ["base", "quote", "rate", "valid_from"] as const;

function plainReader({ cells: header }: CsvRecord): Reader {
  const columns = header.map((name) => name.toLowerCase());
  const wrong = [
    ...plainColumns
      .filter((name) => !columns.includes(name))
      .map((name) => `has no column ${name}.`),
    ...columns
      .filter((name, place) => !isPlain(name) || columns.indexOf(name) !== place)
      .map((name) => `has a column ${quoted(name)}; it has ${plainColumns.join(", ")}.`),
  ];
  if (wrong.length > 0) throw invalid({ content: wrong });
  return ({ cells }, refuse) => {
    const cell = (name: (typeof plainColumns)[number]) => cells[columns.indexOf(name)]!;
    const [base, quote] = [cell("base"), cell("quote")];
    for (const name of ["base", "quote"] as const)
      if (!currencies.includes(cell(name))) refuse(name, notIso(cell(name)));
    if (base === quote) refuse("quote", "must be another currency than base.");
    const read = readCells({ rate: cell("rate"), day: cell("valid_from") }, refuse, {
      rate: "rate",
      day: "valid_from",
    });
    const isPair = currencies.includes(base) && currencies.includes(quote) && base !== quote;
    return read && isPair ? [{ column: "rate", rate: { base, quote, ...read } }] : [];
  };
}

function isPlain(name: string): boolean {
  return (plainColumns as readonly string[]).includes(name);
}

function bankReader({ cells: [first, ...names] }: CsvRecord): Reader {
  const wrong: string[] = [];
  if (first?.toLowerCase() !== "date") wrong.push("has no column date below OBSERVATIONS.");
  const series = names.map((column) => {
    const [, base = "", quote = ""] = /^FX([A-Z]{3})([A-Z]{3})$/.exec(column) ?? [];
    const isPair = base !== quote && [base, quote].every((code) => currencies.includes(code));
    if (!isPair) wrong.push(`has a column ${quoted(column)}, which is no pair of currencies.`);
    return { column, base, quote };
  });
  if (series.length === 0) wrong.push("has no column of a pair of currencies, such as FXUSDCAD.");
  if (wrong.length > 0) throw invalid({ content: wrong });
  return ({ cells: [day = "", ...cells] }, refuse) =>
    series.flatMap(({ column, base, quote }, place) => {
      const text = cells[place]!;
      if (text === "" && isDay(day)) return [];
      const read = readCells({ rate: text, day }, refuse, { rate: column, day: "date" });
      return read ? [{ column, rate: { base, quote, ...read } }] : [];
    });
}

function readCells(
  text: { rate: string; day: string },
  refuse: Refuse,
  columns: { rate: string; day: string },
): Pick<DatedRate, "rate" | "valid_from"> | null {
  const rate = readRate(text.rate);
  if (rate === null)
    refuse(
      columns.rate,
      `must be a positive decimal of at most ${rateDigitsMax} digits, not ${quoted(text.rate)}.`,
    );
  if (!isDay(text.day)) refuse(columns.day, `must be a day, YYYY-MM-DD, not ${quoted(text.day)}.`);
  return rate === null || !isDay(text.day) ? null : { rate, valid_from: text.day };
}

function notIso(text: string): string {
  return `must be a currency of ISO 4217, not ${quoted(text)}.`;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}

/** The table below the line OBSERVATIONS; of a file without one, the whole. */
async function observationsOf(content: string): Promise<CsvRecord[]> {
  const rows = await tableOf(content);
  const start = rows.findIndex(
    ({ cells }) => cells.length === 1 && cells[0]!.toUpperCase() === "OBSERVATIONS",
  );
  return rows.slice(start + 1);
}

/** Rows without any text are left out. */
async function tableOf(content: string): Promise<CsvRecord[]> {
  const rows: CsvRecord[] = [];
  for await (const row of csvRecords([content], { columns_max, record_chars_max, trim: true })) {
    if (row.cells.every((cell) => cell === "")) continue;
    // One more is the header.
    if (rows.push(row) > rowsMax + 1) throw tooManyRows();
  }
  return rows;
}
