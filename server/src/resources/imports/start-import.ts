import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { ApiError, invalid } from "../../domain/errors/errors.ts";
import { recordEvent } from "../../events/outbox.ts";
import { newId } from "../../domain/values/ids.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { completedEvent } from "./completed-event.ts";
import { Import, NewImport } from "./schemas.ts";
import { readSource, rowsOfProducts } from "./sources/read-source.ts";
import type { Format, SourceRow } from "./sources/source-row.ts";
import { stageRows } from "./stage-rows.ts";
import * as store from "./store.ts";
import { toImport } from "./view.ts";

/**
 * `POST /imports/products` (decision 13): reads and validates the file, and leaves its rows to the workers.
 * Throws 422 for a file that is unusable as a whole, and then nothing of it is stored.
 */
export async function startImport(ctx: Context, body: unknown): Promise<StoredResponse> {
  const { format, source } = readBody(body);
  return inTransaction(ctx.db, async (tx) => {
    const rows_max = ctx.config.import_rows_max;
    const started = await storeImport(ctx, tx, { format, source, rows_max });
    const location = `${ctx.base_url}/imports/${started.id}`;
    return recordResponse(tx, ctx, {
      answer: answer(202, Import, toImport(started), { location }),
      subject_id: started.id,
    });
  });
}

/** Stores an import and its rows, which any worker then processes. */
export async function storeImport(
  ctx: Pick<Context, "clock" | "principal" | "request_id"> & {
    account: Pick<Context["account"], "account_id">;
  },
  tx: Tx,
  { format, source, rows_max }: Source & { rows_max: number },
): Promise<store.ImportRow> {
  const now = ctx.clock.now();
  const row: store.ImportRow = {
    account_id: ctx.account.account_id,
    id: newId("imp", now),
    format: format ?? "csv",
    status: "processing",
    row_count: 0,
    processed_count: 0,
    created_count: 0,
    updated_count: 0,
    error_count: 0,
    holder_id: null,
    taken_at: null,
    created_at: now,
    completed_at: null,
    ...originOf(ctx),
  };
  await store.insertImport(tx, row);
  const staged = await stageRows(tx, row, { source, rows_max });
  const counted = await store.setCounts(tx, row, { ...staged, now });
  if (counted.status !== "processing")
    await recordEvent(tx, completedEvent(counted, originOf(ctx)));
  return counted;
}

interface Source {
  /** Null when the source itself determines it. */
  format: Format | null;
  source: AsyncIterable<SourceRow> | Iterable<SourceRow>;
}

/** The content is validated row by row, so that here only its presence counts. */
function readBody(body: unknown): Source {
  const { content, products, file, ...rest } = (body ?? {}) as Record<string, unknown>;
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const named = typeof rest["format"] === "object" ? {} : rest["format"];
  const problems = problemsOf(NewImport, isObject ? { format: named } : body);
  const format = named as Format | undefined;
  if (format === "json" && file == null) {
    if (content != null) problems["content"] = ["is for the other formats; send products."];
    if (!Array.isArray(products)) problems["products"] = ["must be an array of products."];
    else if (products.length === 0) problems["products"] = ["must have at least one product."];
  } else if (file != null) {
    if (!(file instanceof Uint8Array))
      problems["file"] = ["is for multipart/form-data; send the file's text as content."];
  } else if (typeof content !== "string" || content === "")
    problems["content"] = ["is required: the file as text."];
  if (Object.keys(problems).length > 0 || !format) throw invalid(problems);
  if (format === "json" && file == null)
    return { format, source: rowsOfProducts(products as unknown[]) };
  if (file == null)
    return { format, source: readSource(piecesOf(Buffer.from(content as string)), format) };
  return { format, source: asFile(readSource(piecesOf(file as Uint8Array), format)) };
}

/** Problems of the content are reported at the field that it came in. */
async function* asFile(source: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow> {
  try {
    yield* source;
  } catch (error) {
    if (!(error instanceof ApiError) || !("content" in error.details)) throw error;
    throw invalid({ file: error.details["content"] as string[] });
  }
}

const pieceBytes = 65_536;

/** In pieces, between which other work runs. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += pieceBytes)
    yield bytes.subarray(start, start + pieceBytes);
}
