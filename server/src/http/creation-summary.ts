import type { TSchema } from "typebox";
import { ApiError, type ErrorBody } from "../domain/errors/errors.ts";
import { mapYielding } from "../domain/scheduling/time-slices.ts";
import { rowsResponse, type StoredResponse } from "./idempotency.ts";
import { serializerOf } from "./serialize.ts";

/** The response to a bulk creation: each entry as created, or with its errors. */

/** An entry of a request: the row to create, or the errors that it was refused with. */
export type Validated<Row> = { row: Row; error: null } | { row: null; error: ApiError };

/** How created things, and refused entries, are shown. */
export interface Summarized<Row> {
  /** What the things are called, for error messages: `shipments`. */
  plural: string;
  show(row: Row): unknown;
  /** The schema of what `show` returns; no other field is sent. */
  schema: TSchema;
  /** The fields by which the client recognises a refused entry. */
  nameOf(entry: unknown): Record<string, string | null>;
}

/**
 * At most so many wrong fields are named for all rows together; more would make the answer a hundred
 * times the request.
 */
const problemsMax = 20_000;
/** For each row at least so many are named, however many the others have. */
const rowProblemsMin = 10;

/** Its rows are serialized one by one: all of them together are megabytes. */
export async function summary<Row>(
  entries: unknown[],
  ended: Validated<Row>[],
  { plural, show, schema, nameOf }: Summarized<Row>,
): Promise<StoredResponse> {
  let problems = 0;
  const shortened = (body: ErrorBody): ErrorBody => {
    const named = Object.entries(body.details);
    const most = Math.max(rowProblemsMin, problemsMax - problems);
    problems += Math.min(named.length, most);
    if (body.code !== "validation_failed" || named.length <= most) return body;
    return { ...body, details: Object.fromEntries(named.slice(0, most)) };
  };
  const textOfRow = serializerOf(schema);
  const rows = await mapYielding(ended, ({ row, error }, index) => {
    if (!error) return `{"index":${index},"status":"created","data":${textOfRow(show(row))}}`;
    const shown = { index, status: "error", ...nameOf(entries[index]) };
    return JSON.stringify({ ...shown, error: shortened(error.toBody()) });
  });
  const created = ended.filter(({ error }) => !error).length;
  const meta = { total: rows.length, created, failed: rows.length - created };
  if (created > 0) return rowsResponse(201, rows, { meta });
  const message = `None of the ${plural} is valid.`;
  const error = new ApiError("validation_failed", { message });
  return rowsResponse(422, rows, { error: error.toBody(), meta });
}
