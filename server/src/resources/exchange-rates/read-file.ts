import { parse } from "csv-parse/sync";
import { addProblem, invalid, type Problems } from "../../domain/errors/errors.ts";
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

interface Row {
  line: number;
  cells: string[];
}

/** More are counted, not named. */
const namedMax = 1000;

/** All rates of a file. Throws 422 that names each bad row, as `content.<line>.<column>`; then none is used. */
export function readExchangeFile({ format, content }: ExchangeImport): DatedRate[] {
  const table = format === "csv" ? tableOf(content) : observationsOf(content);
  const [header, ...rows] = table;
  if (!header || rows.length === 0) throw invalid({ content: ["has no rows below a header."] });
  const reader = format === "csv" ? plainReader(header) : bankReader(header);
  const found = new Map<string, DatedRate>();
  const problems: Problems = {};
  for (const row of rows) {
    const at = (column: string) => `content.${row.line}.${column}`;
    if (row.cells.length !== header.cells.length) {
      const [has, wanted] = [row.cells.length, header.cells.length];
      addProblem(problems, `content.${row.line}`, `has ${has} cells; the header has ${wanted}.`);
      continue;
    }
    for (const { column, rate } of reader(row, (column, text) =>
      addProblem(problems, at(column), text),
    )) {
      const key = `${rate.base} ${rate.quote} ${rate.valid_from}`;
      if (found.has(key))
        addProblem(problems, at(column), `is of a pair and day that a row above has.`);
      else found.set(key, rate);
    }
  }
  throwNamed(problems);
  if (found.size === 0) throw invalid({ content: ["has no rate in any row."] });
  return [...found.values()];
}

type Refuse = (column: string, text: string) => void;
type Reader = (row: Row, refuse: Refuse) => { column: string; rate: DatedRate }[];

const plainColumns = ["base", "quote", "rate", "valid_from"] as const;

function plainReader({ cells: header }: Row): Reader {
  const columns = header.map((name) => name.toLowerCase());
  const wrong = [
    ...plainColumns
      .filter((name) => !columns.includes(name))
      .map((name) => `has no column ${name}.`),
    ...columns
      .filter((name, place) => !isPlain(name) || columns.indexOf(name) !== place)
      .map((name) => `has a column ${JSON.stringify(name)}; it has ${plainColumns.join(", ")}.`),
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

function bankReader({ cells: [first, ...names] }: Row): Reader {
  const wrong: string[] = [];
  if (first?.toLowerCase() !== "date") wrong.push("has no column date below OBSERVATIONS.");
  const series = names.map((column) => {
    const [, base = "", quote = ""] = /^FX([A-Z]{3})([A-Z]{3})$/.exec(column) ?? [];
    const isPair = base !== quote && [base, quote].every((code) => currencies.includes(code));
    if (!isPair)
      wrong.push(`has a column ${JSON.stringify(column)}, which is no pair of currencies.`);
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
      `must be a positive decimal of at most ${rateDigitsMax} digits, not ${JSON.stringify(text.rate)}.`,
    );
  if (!isDay(text.day))
    refuse(columns.day, `must be a day, YYYY-MM-DD, not ${JSON.stringify(text.day)}.`);
  return rate === null || !isDay(text.day) ? null : { rate, valid_from: text.day };
}

function notIso(text: string): string {
  return `must be a currency of ISO 4217, not ${JSON.stringify(text)}.`;
}

/** The table below the line OBSERVATIONS; of a file without one, the whole. */
function observationsOf(content: string): Row[] {
  const rows = tableOf(content);
  const start = rows.findIndex(
    ({ cells }) => cells.length === 1 && cells[0]!.toUpperCase() === "OBSERVATIONS",
  );
  return rows.slice(start + 1);
}

/** Rows without any text are left out. */
function tableOf(content: string): Row[] {
  let records: { info: { lines: number }; record: string[] }[];
  try {
    records = parse(content, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as never;
  } catch (error) {
    throw invalid({ content: [`is no CSV: ${(error as Error).message}.`] });
  }
  return records
    .map(({ info, record }) => ({ line: info.lines, cells: record }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
}

function throwNamed(problems: Problems): void {
  const all = Object.entries(problems);
  if (all.length === 0) return;
  const named = Object.fromEntries(all.slice(0, namedMax));
  const others = all.length - namedMax;
  throw invalid(
    others > 0 ? { ...named, content: [`has ${others} more cells that cannot be read.`] } : named,
  );
}
