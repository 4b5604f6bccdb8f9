import type { FieldName } from "../domain/criteria/fields.ts";
import type { Reading } from "../domain/criteria/reading.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { mapInTurns } from "../domain/scheduling/turns.ts";
import type { CompiledRule } from "./ready-rules.ts";

/** What one call may ask of an account's rules: beyond it, the call has too many rows for them. */

/** Values held against conditions: a condition on items is held against each of them. A million take 50 ms or so. */
const comparisonsMax = 50_000_000;
/** Rules that acted: each time is written down with all that it changed. */
const runsMax = 20_000;

/**
 * Throws 422 `too_many_rows`, with how many would do, before any rule is held against any row. One row alone is
 * always taken: conditions and items have limits of their own.
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
  await mapInTurns(rows, (row, place) => {
    const reading = read(row);
    for (const [field, count] of conditions)
      comparisons += count * Math.max(1, reading.written(field).length);
    if (comparisons > comparisonsMax && place > 0) throw tooMuch({ max: place, rows: rows.length });
  });
}

/** Counts the rules that acted on the row at a place. Throws 422 `too_many_rows` when that is too much to keep. */
export function runsCounter(rows: number): (runs: number, place: number) => void {
  let counted = 0;
  return (runs, place) => {
    counted += runs;
    if (counted > runsMax && place > 0) throw tooMuch({ max: place, rows });
  };
}

function tooMuch({ max, rows }: { max: number; rows: number }): ApiError {
  return new ApiError("too_many_rows", {
    message: `The account's rules have too much to do for ${rows} rows like these in one call: send ${max} at most, or have fewer rules.`,
    details: { max, rows },
  });
}
