import type { Context } from "../../context.ts";
import { inTransaction, isUniqueViolation } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { readFilter } from "./read-filter.ts";
import { Filter } from "./schemas.ts";
import * as store from "../../shipping/filters/store.ts";
import { toFilter } from "./view.ts";

/** Saves a filter (decision 15). Throws 422, and 409 `conflict` for a name that is taken. */
export async function createFilter(ctx: Context, body: unknown): Promise<StoredResponse> {
  const content = readFilter(body, { strict: false });
  const now = ctx.clock.now();
  const row: store.FilterRow = {
    account_id: ctx.account.account_id,
    id: newId("flt", now),
    ...content,
    created_at: now,
    updated_at: now,
  };
  return orNameTaken(ctx, row.name, async (tx) => {
    await store.insertFilter(tx, row);
    const shown = toFilter({ ...row, used_by_rules: 0 });
    return recordResponse(tx, ctx, { answer: answer(201, Filter, shown), subject_id: row.id });
  });
}

/** Runs the transaction that writes a filter's name. Throws 409 `conflict` when another filter has it. */
export async function orNameTaken(
  ctx: Context,
  name: string,
  work: (tx: Tx) => Promise<StoredResponse>,
): Promise<StoredResponse> {
  try {
    return await inTransaction(ctx.db, work);
  } catch (error) {
    if (!isUniqueViolation(error, "filters_name")) throw error;
    const message = `Another filter is named ${name}.`;
    throw new ApiError("conflict", { message, details: { name } });
  }
}
