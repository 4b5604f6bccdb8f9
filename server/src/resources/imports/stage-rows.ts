import type { Tx } from "../../database/tables.ts";
import {
  addProblem,
  ApiError,
  asTexts,
  invalid,
  type Problems,
} from "../../domain/errors/errors.ts";
import { ImportedProduct } from "../../domain/products/product.ts";
import { readProduct } from "../../domain/products/read-product.ts";
import { isStorable } from "../../domain/text/text.ts";
import { startTimeSlice } from "../../domain/scheduling/time-slices.ts";
import type { SourceRow } from "./sources/source-row.ts";
import * as store from "./store.ts";

interface Staged {
  row_count: number;
  error_count: number;
}

const partSize = 1000;

/**
 * Validates every row of a source and stores it, to be processed later or with its error. Memory holds a part
 * of the rows, and the skus. Throws 422 `too_many_rows` for more than `rows_max`.
 */
export async function stageRows(
  tx: Tx,
  importKey: { account_id: string; id: string },
  {
    source,
    rows_max,
  }: { source: AsyncIterable<SourceRow> | Iterable<SourceRow>; rows_max: number },
): Promise<Staged> {
  const staged: Staged = { row_count: 0, error_count: 0 };
  const firstRows = new Map<string, number>();
  let part: store.StagedRow[] = [];
  const yieldIfDue = startTimeSlice();
  for await (const each of source) {
    await yieldIfDue();
    const row = ++staged.row_count;
    if (row > rows_max) throw tooManyRows(rows_max);
    const validated = validate(each, row, firstRows);
    if (validated.error) staged.error_count++;
    part.push(validated);
    if (part.length < partSize) continue;
    await store.insertRows(tx, importKey, part);
    part = [];
  }
  await store.insertRows(tx, importKey, part);
  return staged;
}

function validate(
  { line, entry, problems: found }: SourceRow,
  row: number,
  firstRows: Map<string, number>,
): store.StagedRow {
  const read = readProduct(ImportedProduct, entry);
  const problems: Problems = { ...read.problems, ...found };
  const sku = read.problems ? null : read.sku;
  if (sku !== null && firstRows.has(sku))
    addProblem(problems, "sku", `is in the file twice; row ${firstRows.get(sku)} counts.`);
  if (read.problems || sku === null || Object.keys(problems).length > 0)
    return refused({ row, line, sku: sku ?? skuIn(entry) }, problems);
  firstRows.set(sku, row);
  return { row, line, sku, status: "waiting", fields: read.fields, error: null };
}

function refused(
  place: Pick<store.StagedRow, "row" | "line" | "sku">,
  problems: Problems,
): store.StagedRow {
  return {
    ...place,
    status: "error",
    fields: null,
    error: invalid(asTexts(problems, "row")).toBody(),
  };
}

/** By which the client identifies a refused row. */
function skuIn(entry: unknown): string | null {
  const sku = (entry as { sku?: unknown } | null | undefined)?.sku;
  return typeof sku === "string" && isStorable(sku) ? sku.slice(0, 100) : null;
}

function tooManyRows(max: number): ApiError {
  return new ApiError("too_many_rows", {
    message: `One import has at most ${max} products; divide the file.`,
    details: { max },
  });
}
