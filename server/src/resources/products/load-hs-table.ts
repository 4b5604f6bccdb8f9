import { parse } from "csv-parse";
import type { Readable } from "node:stream";
import { inTransaction } from "../../database/connect.ts";
import type { Database } from "../../database/tables.ts";
import { byShell } from "../../domain/accounts/principal.ts";
import { operatorsAccountId, recordAudit } from "../../events/audit-log.ts";
import type { HsEntry } from "../../domain/hs/nomenclature.ts";
import { cleanText } from "../../domain/text/text.ts";
import { replaceHsTable } from "./hs-table-store.ts";

/** The result of loading an official table. */
interface HsTableLoaded {
  subheadings: number;
  /** Headings and chapters. */
  groups: number;
  /**
   * Lines without a code of two, four or six digits, such as national ones of ten, or with a code that was
   * listed before.
   */
  left_out: number;
}

const codeColumns = ["hscode", "hs_code", "code", "hs6", "commodity_code", "commodity"];
const wordingColumns = ["description", "wording", "title", "text"];
const wordingChars = 2_000;
const subheadingsMost = 20_000;

/**
 * Replaces the nomenclature by an official table: CSV with a column for the code and one for its description,
 * under any of their usual names. Codes may have dots. Throws, and changes nothing, where a column is missing
 * or no line is a subheading.
 */
export async function loadHsTable(db: Database, file: Readable): Promise<HsTableLoaded> {
  const entries = new Map<string, HsEntry>();
  let lines = 0;
  for await (const [code, wording] of linesOf(file)) {
    lines++;
    if (!/^(\d\d){1,3}$/.test(code) || wording === null || entries.has(code)) continue;
    entries.set(code, { code, wording: wording.slice(0, wordingChars).toWellFormed() });
    if (entries.size > subheadingsMost)
      throw new Error("the file has more codes than the Harmonized System");
  }
  const subheadings = [...entries.keys()].filter((code) => code.length === 6).length;
  if (subheadings === 0) throw new Error("the file has no code of six digits with a description");
  const groups = entries.size - subheadings;
  await inTransaction(db, async (tx) => {
    await replaceHsTable(tx, [...entries.values()]);
    const line = { action: "hs_table.loaded", subject_id: "hs_table", by: byShell };
    const details = { subheadings, groups };
    await recordAudit(tx, { account_id: operatorsAccountId, ...line, details });
  });
  return { subheadings, groups, left_out: lines - entries.size };
}

async function* linesOf(file: Readable): AsyncGenerator<[code: string, wording: string | null]> {
  const rows = file.pipe(parse({ bom: true, relax_column_count: true, skip_empty_lines: true }));
  file.on("error", (error) => rows.destroy(error));
  let columns: { code: number; wording: number } | null = null;
  for await (const row of rows as AsyncIterable<string[]>) {
    if (!columns) columns = columnsOf(row);
    else yield [bareCode(row[columns.code]), cleanText(row[columns.wording] ?? "")];
  }
  if (!columns) throw new Error("the file is empty");
}

function columnsOf(header: readonly string[]) {
  const names = header.map((name) =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, "_"),
  );
  const place = (known: readonly string[]) => names.findIndex((name) => known.includes(name));
  const columns = { code: place(codeColumns), wording: place(wordingColumns) };
  if (columns.code < 0)
    throw new Error(`the file has no column for codes: ${codeColumns.join(", ")}`);
  if (columns.wording < 0)
    throw new Error(`the file has no column for descriptions: ${wordingColumns.join(", ")}`);
  return columns;
}

function bareCode(text = ""): string {
  return text.replaceAll(/[\s.]/g, "");
}
