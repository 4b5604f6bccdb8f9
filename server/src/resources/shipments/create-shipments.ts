import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { ApiError, type ErrorBody, invalid } from "../../domain/errors.ts";
import { answer, recordAnswer, type Answer } from "../../http/idempotency.ts";
import { readNewShipment, readOne } from "./new-shipment.ts";
import * as store from "./store.ts";
import { toShipment } from "./view.ts";

type Row =
  | { index: number; status: "created"; data: ReturnType<typeof toShipment> }
  | { index: number; status: "error"; reference: string | null; error: ErrorBody };

/**
 * Creates shipments (spec 4.1, decision 6). An array is judged row by row: the good rows are created
 * together, the bad ones come back with their errors, and only when none is good is the answer 422.
 * A bare object is one shipment or one plain 422.
 */
export async function createShipments(ctx: Context, body: unknown): Promise<Answer> {
  return Array.isArray(body) ? createMany(ctx, body) : createOne(ctx, body);
}

/** One shipment by itself, for `POST /labels`, whose purchase is what gets answered. */
export async function createOneShipment(ctx: Context, entry: unknown): Promise<store.ShipmentRow> {
  const row = readOne(ctx, entry);
  await inTransaction(ctx.db, (tx) => store.insertShipments(tx, [row]));
  return row;
}

async function createOne(ctx: Context, body: unknown): Promise<Answer> {
  const row = readOne(ctx, body);
  return inTransaction(ctx.db, async (tx) => {
    await store.insertShipments(tx, [row]);
    return recordAnswer(tx, ctx.claim, answer(201, { data: toShipment(ctx, row) }));
  });
}

async function createMany(ctx: Context, entries: unknown[]): Promise<Answer> {
  refuseUnlessCountable(ctx, entries);
  const read = entries.map((entry) => readNewShipment(ctx, entry));
  const created = read.flatMap(({ row }) => (row ? [row] : []));
  const rows: Row[] = read.map(({ row, problems }, index) =>
    row
      ? { index, status: "created", data: toShipment(ctx, row) }
      : {
          index,
          status: "error",
          reference: referenceOf(entries[index]),
          error: invalid(problems).toBody(),
        },
  );
  const meta = {
    total: rows.length,
    created: created.length,
    failed: rows.length - created.length,
  };
  if (created.length === 0) return allFailed(rows, meta);
  return inTransaction(ctx.db, async (tx) => {
    await store.insertShipments(tx, created);
    return recordAnswer(tx, ctx.claim, answer(201, { data: rows, meta }));
  });
}

function refuseUnlessCountable(ctx: Context, entries: unknown[]): void {
  const most = ctx.config.bulk_rows_max;
  if (entries.length > most) {
    throw new ApiError("too_many_rows", {
      message: `One call creates at most ${most} shipments; this one has ${entries.length}.`,
      details: { max: most, rows: entries.length },
    });
  }
  if (entries.length === 0) throw invalid({ "": ["must have at least one shipment."] });
}

/** Nothing was written, so there is nothing to record in a transaction: the rows ride along the error. */
function allFailed(rows: Row[], meta: object): Answer {
  const error = new ApiError("validation_failed", { message: "None of the shipments is valid." });
  return answer(422, { error: error.toBody(), data: rows, meta });
}

/** The merchant's own name for the row, so that they find it again. */
function referenceOf(entry: unknown): string | null {
  const reference = (entry as { reference?: unknown } | null)?.reference;
  return typeof reference === "string" ? reference.slice(0, 50) : null;
}
