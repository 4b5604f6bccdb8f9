import type { Context } from "../../context.ts";
import { inTransaction, isUniqueViolation } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { ApiError } from "../../domain/errors.ts";
import { kindsOf } from "../../domain/criteria/fields.ts";
import { subjectOf } from "../../domain/rules/triggers.ts";
import { newId } from "../../domain/ids.ts";
import { answer, recordAnswer, type Answer } from "../../http/idempotency.ts";
import { renewVersion } from "../rules/service.ts";
import { readFilter } from "./read-filter.ts";
import * as store from "./store.ts";
import { toFilter } from "./view.ts";

/** Saves a filter (decision 15). Throws 422, and 409 `conflict` for a name that is taken. */
export async function createFilter(ctx: Context, body: unknown): Promise<Answer> {
  const content = readFilter(body, { strict: false });
  const now = ctx.clock.now();
  const row: store.FilterRow = {
    account_id: ctx.account.account_id,
    id: newId("flt", now),
    ...content,
    created_at: now,
    updated_at: now,
  };
  return saving(ctx, row.name, async (tx) => {
    await store.insertFilter(tx, row);
    const shown = toFilter({ ...row, used_by_rules: 0 });
    return recordAnswer(tx, ctx.claim, answer(201, { data: shown }));
  });
}

/**
 * Replaces all of a filter: whoever uses it, uses the new one from now on. Throws 409 `filter_in_use` when
 * a rule that uses it could not with the new target.
 */
export async function replaceFilter(ctx: Context, id: string, body: unknown): Promise<Answer> {
  const { account_id } = ctx.account;
  const content = readFilter(body, { strict: true });
  return saving(ctx, content.name, async (tx) => {
    const updated_at = ctx.clock.now();
    const users = await store.lockUsers(tx, { account_id, id });
    const kinds = kindsOf(content.target);
    refuseInUse(users.filter(({ trigger }) => !kinds.includes(subjectOf(trigger))));
    await store.replaceFilter(tx, { account_id, id }, { ...content, updated_at });
    if (users.length > 0) await renewVersion(tx, account_id);
    const row = await store.getFilter(tx, account_id, id);
    return recordAnswer(tx, ctx.claim, answer(200, { data: toFilter(row) }));
  });
}

async function saving(
  ctx: Context,
  name: string,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await inTransaction(ctx.db, work);
  } catch (error) {
    if (!isUniqueViolation(error, "filters_name")) throw error;
    const message = `Another filter is named ${name}.`;
    throw new ApiError("conflict", { message, details: { name } });
  }
}

function refuseInUse(users: readonly { id: string }[]): void {
  if (users.length === 0) return;
  const rule_ids = users.map(({ id }) => id);
  throw new ApiError("filter_in_use", { details: { used_by_rules: users.length, rule_ids } });
}

/** Removes a filter. Throws 409 `filter_in_use` while a rule uses it. */
export async function deleteFilter(ctx: Context, id: string): Promise<Answer> {
  const { account_id } = ctx.account;
  return inTransaction(ctx.db, async (tx) => {
    refuseInUse(await store.lockUsers(tx, { account_id, id }));
    await store.deleteFilter(tx, account_id, id);
    return recordAnswer(tx, ctx.claim, answer(204));
  });
}
