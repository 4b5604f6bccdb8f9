import type { FieldName } from "../domain/criteria/fields.ts";
import type { Reading } from "../domain/criteria/reading.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { mapYielding } from "../domain/scheduling/time-slices.ts";
import type { CompiledRule } from "./ready-rules.ts";

/** The limits of one call's work for an account's rules: beyond them, the call has too many rows. */

/**
 * Comparisons of values with conditions; a condition on items counts once per item. A million take about 50
 * ms.
 */
const comparisonsMax = 50_000_000;
/** Rule runs: each is written with all that it changed. */
const runsMax = 20_000;

/**
 * Throws 422 `too_many_rows`, with how many rows would be accepted, before any rule is matched against any
 * row. A single row is always accepted: conditions and items have limits of their own.
 */
export async function refuseTooManyComparisons<Row>(
  rules: readonly CompiledRule[],
  rows: readonly Row[],
  read: (row: Row) => Reading,
): Promise<void> {
  const conditions = new Map<FieldName, number>();
  for (const { fields } of rules)
    for (const field of fields) conditions.set(field, (conditions.get(field) ?? 0) + 1);
  let comparisons = 0;
  await mapYielding(rows, (row, place) => {
    const reading = read(row);
    for (const [field, count] of conditions)
      comparisons += count * Math.max(1, reading.written(field).length);
    if (comparisons > comparisonsMax && place > 0)
      throw tooManyRows({ max: place, rows: rows.length });
  });
}

/**
 * Counts the rules that acted on the row at a position. Throws 422 `too_many_rows` for too many runs to
 * store.
 */
export function runsCounter(rows: number): (runs: number, place: number) => void {
  let counted = 0;
  return (runs, place) => {
    counted += runs;
    if (counted > runsMax && place > 0) throw tooManyRows({ max: place, rows });
  };
}

function tooManyRows({ max, rows }: { max: number; rows: number }): ApiError {
  return new ApiError("too_many_rows", {
    message: `The account's rules have too much to do for ${rows} rows like these in one call: send ${max} at most, or have fewer rules.`,
    details: { max, rows },
  });
}
