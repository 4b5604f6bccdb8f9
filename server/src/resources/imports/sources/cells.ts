import type { Problems } from "../../../domain/errors/errors.ts";
import { toCents } from "../../../domain/values/money.ts";
import type { CsvRow } from "./read-csv.ts";
import type { SourceRow } from "./source-row.ts";

/** Reading cells of a store's export into the fields of a product. */

/** The first of these columns that has text; absent when none has. */
export function cell({ cells }: CsvRow, ...columns: readonly string[]): string | undefined {
  for (const column of columns) {
    const text = cells.get(column);
    if (text) return text;
  }
  return undefined;
}

/**
 * An entry with the values of the cells. Blank cells are left out; amounts are rounded to cents; an invalid
 * weight is left out.
 */
export function toRow(
  row: CsvRow,
  texts: Record<string, string | undefined>,
  numbers: { value?: string | undefined; weight?: string | undefined; weight_unit: string },
): SourceRow {
  const problems: Problems = {};
  const entry: Record<string, unknown> = {};
  if (row.is_too_long)
    problems[""] = ["has more cells than the header has columns: is a quotation mark missing?"];
  for (const [field, text] of Object.entries(texts)) {
    if (text === undefined) continue;
    const sentence = problemIn(text);
    if (sentence) problems[field] = [sentence];
    else entry[field] = text;
  }
  for (const field of ["value", "weight"] as const) {
    const text = numbers[field];
    if (text === undefined) continue;
    const number = numberOf(text);
    if (number === null) problems[field] = [`is not a number: "${text.slice(0, 40)}".`];
    else if (field === "value") entry["value"] = toCents(number) / 100;
    else if (number !== 0)
      Object.assign(entry, { weight: number, weight_unit: numbers.weight_unit });
  }
  const isBad = Object.keys(problems).length > 0;
  return { line: row.line, entry, ...(isBad ? { problems } : {}) };
}

function problemIn(text: string): string | null {
  if (text.includes("\uFFFD"))
    return "has letters that were lost before it came here: export it as UTF-8.";
  if (isFormula(text)) return "looks like a formula of a spreadsheet; only text is taken.";
  return null;
}

/** `=1+1`, `@SUM(A1)`, `+cmd|…`, `-1+1`; not `-50% (sale)` or `+Plus`. */
function isFormula(text: string): boolean {
  return (
    text.startsWith("=") ||
    /^[@+-][\w.+*/-]{0,99}[a-z][\w.]{0,99}[(|!]/i.test(text.slice(0, 100)) ||
    /^[+-]\d+(\.\d+)?[+*/-]\d/.test(text)
  );
}

/** 1299.5 of `1299.5`, `1,299.50` and `1299,5`; null for what is no number. */
function numberOf(text: string): number | null {
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text)
    ? text.replaceAll(",", "")
    : text.replace(/^(-?\d+),(\d+)$/, "$1.$2");
  return /^-?\d{1,12}(\.\d{1,12})?$|^-?\.\d{1,12}$/.test(plain) ? Number(plain) : null;
}

const descriptionMax = 10_000;
/** The limit of HTML: it has more markup than text, and a cell may be a megabyte. */
const htmlMax = 10 * descriptionMax;

/** The visible text of a description in HTML, truncated where a classification stops reading. */
export function textOfHtml(html: string | undefined): string | undefined {
  if (html === undefined) return undefined;
  const text = ["script", "style"]
    .reduce(withoutElements, html)
    .slice(0, htmlMax)
    .replace(/<(br|\/p|\/div|\/li|\/h\d|\/tr)\b[^<>]*>/gi, "\n")
    .replace(/<[a-z/!][^<>]*>/gi, " ")
    .replace(/\\n/g, "\n")
    .replace(/&(nbsp|amp|lt|gt|quot|#39|apos);/g, (entity) => entities[entity]!)
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();
  return [...text].slice(0, descriptionMax).join("") || undefined;
}

/** Elements without visible text, in one pass however often they are opened, and no further than is read. */
function withoutElements(html: string, name: string): string {
  const lower = html.toLowerCase();
  const kept: string[] = [];
  let length = 0;
  for (let from = 0; length < htmlMax;) {
    const opened = lower.indexOf(`<${name}`, from);
    const end = opened < 0 ? html.length : opened;
    kept.push(html.slice(from, end));
    length += end - from;
    const closed = opened < 0 ? -1 : lower.indexOf(`</${name}`, opened);
    if (closed < 0) break;
    from = closed;
  }
  return kept.join("");
}

const entities: Record<string, string> = {
  "&nbsp;": " ",
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&apos;": "'",
};

/** `Ocean Blue / M` as part of a sku: `ocean-blue-m`. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}
