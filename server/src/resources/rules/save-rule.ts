import type { Context } from "../../context.ts";
import { inTransaction, isForeignKeyViolation } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import { buysLabels, type Action } from "../../domain/rules/actions.ts";
import { requireVerbScope } from "../../domain/accounts/scopes.ts";
import { answer, noContent, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { findFilter } from "../../shipping/filters/store.ts";
import { noFilter, refuseUnlessFit } from "./fitting-filter.ts";
import { readRule } from "./read-rule.ts";
import { Rule } from "./schemas.ts";
import * as store from "../../automation/store.ts";
import { toRule } from "./view.ts";

/**
 * Saves a rule (decision 16). Throws 422, 409 `conflict` when the account has its maximum, and 403 for a rule
 * that buys, from a token that may not.
 */
export async function createRule(ctx: Context, body: unknown): Promise<StoredResponse> {
  const content = await readRule(ctx, body, { strict: false });
  refuseUnlessBuyer(ctx, content);
  const now = ctx.clock.now();
  const { account_id } = ctx.account;
  const row = { account_id, id: newId("rul", now), ...content, created_at: now, updated_at: now };
  return saving(ctx, content, async (tx) => {
    await store.insertRule(tx, row);
    if ((await store.countRules(tx, account_id)) > ctx.config.rules_max)
      throw new ApiError("conflict", {
        message: `An account has at most ${ctx.config.rules_max} rules.`,
        details: { max: ctx.config.rules_max },
      });
    const shown = toRule({ ...row, run_count: 0, last_run_at: null });
    return recordResponse(tx, ctx, { answer: answer(201, Rule, shown), subject_id: row.id });
  });
}

/** Replaces all of a rule; its runs stay counted. Throws what saving one does. */
export async function replaceRule(
  ctx: Context,
  id: string,
  body: unknown,
): Promise<StoredResponse> {
  const content = await readRule(ctx, body, { strict: true });
  refuseUnlessBuyer(ctx, content);
  const { account_id } = ctx.account;
  // A request for another account's rule learns nothing of filters.
  await store.getRule(ctx.db, account_id, id);
  return saving(ctx, content, async (tx) => {
    await store.replaceRule(tx, { account_id, id }, { ...content, updated_at: ctx.clock.now() });
    const row = await store.getRule(tx, account_id, id);
    return recordResponse(tx, ctx, { answer: answer(200, Rule, toRule(row)), subject_id: id });
  });
}

/** Removes a rule. What it changed, and its runs, stay. */
export async function deleteRule(ctx: Context, id: string): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  return inTransaction(ctx.db, async (tx) => {
    await store.renewVersion(tx, account_id);
    await store.deleteRule(tx, { account_id, id });
    return recordResponse(tx, ctx, { answer: noContent(), subject_id: id });
  });
}

/** Also while the rule is disabled: enabling it then needs no other check than saving it. */
function refuseUnlessBuyer(ctx: Context, { actions }: { actions: readonly Action[] }): void {
  if (buysLabels(actions)) requireVerbScope(ctx, "labels:create");
}

async function saving(
  ctx: Context,
  { filter_id, trigger }: store.RuleContent,
  work: (tx: Tx) => Promise<StoredResponse>,
): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  try {
    return await inTransaction(ctx.db, async (tx) => {
      // The filter is locked before the version, in the order of a filter's change.
      if (filter_id !== null)
        refuseUnlessFit(await findFilter(tx, account_id, filter_id, "share"), trigger);
      await store.renewVersion(tx, account_id);
      return await work(tx);
    });
  } catch (error) {
    throw isForeignKeyViolation(error, "rules_filter") ? noFilter() : error;
  }
}
