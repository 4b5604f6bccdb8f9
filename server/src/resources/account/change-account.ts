import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { addressProblems, normaliseAddress } from "../../domain/addresses/address-rules.ts";
import { readSettings } from "../../domain/accounts/account-settings.ts";
import { hasVerbScope, requireVerbScope } from "../../domain/accounts/scopes.ts";
import { addProblem, invalid, type Problems } from "../../domain/errors/errors.ts";
import { cleanText } from "../../domain/text/text.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { toCents } from "../../domain/values/money.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { setLowBalance } from "../../ledger/ledger.ts";
import { setDefaultSender } from "../../shipping/addresses/default-sender.ts";
import { setRecharge } from "../credits/service.ts";
import { addDisabledServiceProblems } from "./disabled-services.ts";
import { addPreferenceProblems } from "./preference-problems.ts";
import { AccountChanges, OwnAccount, StrictAccountChanges } from "./schemas.ts";
import { addSettingsProblems } from "./settings-problems.ts";
import { showAccount } from "./show-account.ts";
import * as store from "./store.ts";
import { addTimeZoneProblem } from "./time-zone-problem.ts";

/** Changes what the body names of the caller's account. Throws 422 with every failing field. */
export async function changeOwnAccount(ctx: Context, body: unknown): Promise<StoredResponse> {
  const { account_id, organization_id } = ctx.account;
  const problems = problemsOf(StrictAccountChanges, body);
  const { settings, ...changes } = (body ?? {}) as StrictAccountChanges;
  addMeaningProblems(ctx, problems, changes);
  const { time_zone } = changes;
  if (time_zone !== undefined && isFit(problems, "time_zone"))
    await addTimeZoneProblem(ctx.db, problems, time_zone);
  if (settings && isFit(problems, "settings"))
    await addSettingsProblems(ctx.db, problems, { account_id, settings });
  if (changes.preferences)
    await addPreferenceProblems(ctx.db, problems, {
      account_id,
      preferences: changes.preferences,
      stored: ctx.account.settings,
      path: "preferences.",
    });
  if (Object.keys(problems).length > 0) throw invalid(problems);
  const answered = await inTransaction(ctx.db, async (tx) => {
    const row = await store.lockAccount(tx, account_id);
    const before = readSettings(row.settings);
    await store.changeAccount(tx, account_id, {
      settings: { ...row.settings, ...settingsIn(changes) },
      time_zone: time_zone ?? row.time_zone,
    });
    const from = changes.default_from_address;
    if (from !== undefined)
      await setDefaultSender(tx, account_id, {
        address: from && normaliseAddress(from),
        ...now(ctx),
      });
    const threshold = changes.preferences?.low_balance_threshold;
    if (threshold !== undefined)
      await setLowBalance(tx, account_id, threshold === null ? null : toCents(threshold));
    const recharge = changes.preferences?.auto_recharge;
    if (recharge !== undefined) {
      const isChanged = !isDeepStrictEqual(recharge, before.auto_recharge);
      if (isChanged) requireVerbScope(ctx, "credits:write");
      // Saved again by who may spend the card, it ends a pause; written back by others it is only text.
      if (hasVerbScope(ctx, "credits:write")) await setRecharge(tx, account_id, recharge);
    }
    if (changes.name !== undefined)
      await store.renameOrganization(tx, organization_id, cleanText(changes.name)!);
    return recordResponse(tx, ctx, {
      answer: answer(200, OwnAccount, await showAccount(tx, account_id)),
      subject_id: account_id,
      details: { changed: Object.keys(changes).filter((field) => field in writable) },
    });
  });
  ctx.callers.forget();
  return answered;
}

const writable = AccountChanges.properties;

const now = ({ clock }: Context) => ({ now: clock.now() });

function settingsIn({ preferences = {}, show_tier_rates_api, disabled_services }: AccountChanges) {
  return {
    ...preferences,
    ...(show_tier_rates_api === undefined ? {} : { show_tier_rates_api }),
    ...(disabled_services === undefined ? {} : { disabled_services }),
  };
}

/** Whether nothing is wrong with the field, nor within it. */
function isFit(problems: Problems, field: string): boolean {
  return !Object.keys(problems).some((path) => path === field || path.startsWith(`${field}.`));
}

/** What the schema cannot express, of fields whose shape is right. */
function addMeaningProblems(ctx: Context, problems: Problems, changes: AccountChanges): void {
  const { name, default_from_address: from, disabled_services } = changes;
  if (isFit(problems, "name") && name !== undefined && cleanText(name) === null)
    addProblem(problems, "name", "must not be blank.");
  if (isFit(problems, "default_from_address") && from) {
    for (const [path, texts] of Object.entries(addressProblems(from)))
      for (const text of texts) addProblem(problems, `default_from_address.${path}`, text);
  }
  if (isFit(problems, "disabled_services"))
    addDisabledServiceProblems(ctx, problems, disabled_services);
}
