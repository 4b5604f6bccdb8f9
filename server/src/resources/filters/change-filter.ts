import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { kindsOf } from "../../domain/criteria/fields.ts";
import { buysLabels } from "../../domain/rules/actions.ts";
import { subjectOf } from "../../domain/rules/triggers.ts";
import { requireVerbScope } from "../../domain/accounts/scopes.ts";
import { answer, noContent, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { renewVersion } from "../../automation/store.ts";
import { orNameTaken } from "./create-filter.ts";
import { readFilter } from "./read-filter.ts";
import { Filter } from "./schemas.ts";
import * as store from "../../shipping/filters/store.ts";
import { toFilter } from "./view.ts";

/**
 * Replaces all of a filter: every use of it has the new one from now on. Throws 409 `filter_in_use` when a
 * rule that uses it could not with the new target, and 403 when a rule buys what it selects and the token may
 * not.
 */
export async function replaceFilter(
  ctx: Context,
  id: string,
  body: unknown,
): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  const content = readFilter(body, { strict: true });
  return orNameTaken(ctx, content.name, async (tx) => {
    const updated_at = ctx.clock.now();
    const users = await store.lockUsers(tx, { account_id, id });
    if (users.some(({ actions }) => buysLabels(actions))) requireVerbScope(ctx, "labels:create");
    const kinds = kindsOf(content.target);
    refuseInUse(users.filter(({ trigger }) => !kinds.includes(subjectOf(trigger))));
    await store.replaceFilter(tx, { account_id, id }, { ...content, updated_at });
    if (users.length > 0) await renewVersion(tx, account_id);
    const row = await store.getFilter(tx, account_id, id);
    return recordResponse(tx, ctx, { answer: answer(200, Filter, toFilter(row)), subject_id: id });
  });
}

function refuseInUse(users: readonly { id: string }[]): void {
  if (users.length === 0) return;
  const rule_ids = users.map(({ id }) => id);
  throw new ApiError("filter_in_use", { details: { used_by_rules: users.length, rule_ids } });
}

/** Removes a filter. Throws 409 `filter_in_use` while a rule uses it. */
export async function deleteFilter(ctx: Context, id: string): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  return inTransaction(ctx.db, async (tx) => {
    refuseInUse(await store.lockUsers(tx, { account_id, id }));
    await store.deleteFilter(tx, account_id, id);
    return recordResponse(tx, ctx, { answer: noContent(), subject_id: id });
  });
}
