import { invalid } from "../../domain/errors/errors.ts";
import { csvRecords } from "../../domain/text/csv-records.ts";
import type { SourceRow } from "./import-locations.ts";

/**
 * The rows of a source of locations: CSV with a header line, or a JSON array of the same objects. What is no
 * table at all is a 422; problems of one row are reported with it.
 */

const addressColumns = [
  "address1",
  "address2",
  "city",
  "province_code",
  "postal_code",
  "country_code",
];
const listColumns = ["services", "accepts"];
const numberColumns = ["latitude", "longitude"];
const needed = [
  "carrier",
  "external_id",
  "name",
  "type",
  "address1",
  "city",
  "country_code",
  "latitude",
  "longitude",
  "time_zone",
];
const known = [...needed, ...addressColumns, ...listColumns, "phone", "hours", "active"];

/** Streams: a file of any length takes only the memory of its rows' locations. */
export async function* rowsOfCsv(
  text: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<SourceRow> {
  const records = csvRecords(text, { columns_max: 1000, record_chars_max: 100_000, trim: true });
  const header = await records.next();
  const columns = header.done ? [] : header.value.cells.map(columnName);
  refuseMissingColumns(columns);
  let isEmpty = true;
  for await (const { line, cells } of records) {
    isEmpty = false;
    yield { line, ...toEntry(columns, cells) };
  }
  if (isEmpty) throw invalid({ content: ["has no rows below its header."] });
}

function columnName(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
}

function refuseMissingColumns(columns: readonly string[]): void {
  const missing = needed.filter((column) => !columns.includes(column));
  if (missing.length === 0) return;
  throw invalid({
    content: [`has no column ${missing.join(", ")}; known are ${[...new Set(known)].join(", ")}.`],
  });
}

function toEntry(
  columns: readonly string[],
  cells: readonly string[],
): Pick<SourceRow, "entry" | "problems"> {
  const address: Record<string, unknown> = { is_residential: false };
  const entry: Record<string, unknown> = { address };
  for (const [place, text] of cells.entries()) {
    const column = columns[place];
    if (text === "" || column === undefined || !known.includes(column)) continue;
    if (text.includes("\uFFFD")) return { problems: { [column]: ["is not UTF-8."] } };
    if (addressColumns.includes(column)) address[column] = text;
    else if (listColumns.includes(column))
      entry[column] = text.split(/[;|]/).map((each) => each.trim());
    else if (numberColumns.includes(column)) entry[column] = Number(text);
    else if (column === "active") entry[column] = !/^(0|no|false)$/i.test(text);
    else if (column === "hours") {
      const hours = readHours(text);
      if (!hours)
        return {
          problems: { hours: ["is not written like monday 09:00-17:00; tuesday 09:00-12:00."] },
        };
      entry[column] = hours;
    } else entry[column] = text;
  }
  return { entry };
}

function readHours(text: string): object[] | null {
  const stretches = text
    .split(";")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const read = stretches.map((each) => /^([a-z]+) +(\d\d:\d\d) *- *(\d\d:\d\d)$/i.exec(each));
  if (read.some((match) => match === null)) return null;
  return read.map((match) => ({
    day: match![1]!.toLowerCase(),
    opens: match![2],
    closes: match![3],
  }));
}

/** Throws 422 for what is no array. Lines are the positions in the array, from 1. */
export function rowsOfJson(text: string): SourceRow[] {
  let places: unknown;
  try {
    places = JSON.parse(text);
  } catch {
    throw invalid({ content: ["is no JSON."] });
  }
  if (!Array.isArray(places)) throw invalid({ content: ["must be an array of places."] });
  return rowsOf(places);
}

export function rowsOf(places: readonly unknown[]): SourceRow[] {
  return places.map((entry, index) => ({ line: index + 1, entry }));
}
