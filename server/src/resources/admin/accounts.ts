import type { Context, Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { readSettings, type AccountSettings } from "../../domain/accounts/account-settings.ts";
import { addressProblems, normaliseAddress } from "../../domain/addresses/address-rules.ts";
import type { NewAddress } from "../../domain/addresses/address.ts";
import { ApiError, invalid, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { fromCents, toCents } from "../../domain/values/money.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { recordChange } from "../../http/record-change.ts";
import { lockBalance, post, readBalance, setLowBalance } from "../../ledger/ledger.ts";
import { setDefaultSender } from "../../shipping/addresses/default-sender.ts";
import {
  addDisabledServiceProblems,
  addPreferenceProblems,
  addTimeZoneProblem,
} from "../account/service.ts";
import { setRecharge } from "../credits/service.ts";
import { reportShipping } from "../reports/service.ts";
import { Adjustment } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * Changes of an account by the operator. Each is in the audit log, with its actor, and in force for the next
 * request to this process.
 */

export interface AccountChanges {
  default_from_address?: NewAddress | null;
  suspended?: boolean;
  /** UTC, or an area and a place of the IANA database; billing months follow it from the next one on. */
  time_zone?: string;
}

export async function changeSettings(
  ctx: Context,
  account_id: string,
  changes: Partial<AccountSettings>,
): Promise<AccountSettings> {
  const settings = await inTransaction(ctx.db, async (tx) => {
    const account = await store.lockAccount(tx, account_id);
    const stored = { ...account.settings, ...changes };
    await store.changeAccount(tx, account_id, { settings: stored });
    const { low_balance_threshold: threshold } = changes;
    if (threshold !== undefined)
      await setLowBalance(tx, account_id, threshold === null ? null : toCents(threshold));
    const problems: Problems = {};
    addDisabledServiceProblems(ctx, problems, changes.disabled_services);
    await addPreferenceProblems(tx, problems, {
      account_id,
      preferences: changes,
      stored: readSettings(account.settings),
      path: "",
    });
    throwIfAny(problems);
    const { auto_recharge: recharge } = changes;
    if (recharge !== undefined) await setRecharge(tx, account_id, recharge);
    const action = "account.settings_changed";
    const whose = { account_id, subject_id: account_id };
    await recordChange(tx, ctx, { ...whose, action, details: changes });
    return readSettings(stored);
  });
  ctx.callers.forget();
  return settings;
}

export async function changeAccount(ctx: Context, account_id: string, changes: AccountChanges) {
  const from = changes.default_from_address;
  const { time_zone } = changes;
  const problems = from ? prefixed("default_from_address", addressProblems(from)) : {};
  if (time_zone !== undefined) await addTimeZoneProblem(ctx.db, problems, time_zone);
  throwIfAny(problems);
  await inTransaction(ctx.db, async (tx) => {
    const account = await store.lockAccount(tx, account_id);
    await store.changeAccount(tx, account_id, {
      ...(time_zone === undefined ? {} : { time_zone }),
      ...(changes.suspended === undefined
        ? {}
        : {
            suspended_at: changes.suspended ? (account.suspended_at ?? ctx.clock.now()) : null,
          }),
    });
    if (from !== undefined) {
      const address = from && normaliseAddress(from);
      await setDefaultSender(tx, account_id, { address, now: ctx.clock.now() });
    }
    const action = "account.changed";
    const whose = { account_id, subject_id: account_id };
    await recordChange(tx, ctx, { ...whose, action, details: changes });
  });
  ctx.callers.forget();
  return showAccount(ctx, account_id);
}

export async function showAccount(platform: Platform, accountId: string) {
  const account = await store.getAccount(platform.db, accountId);
  const balance = await readBalance(platform.db, accountId);
  return {
    id: account.account_id,
    organization_id: account.organization_id,
    organization_name: await store.nameOf(platform.db, account.organization_id),
    environment: account.environment,
    currency: account.currency,
    time_zone: account.time_zone,
    default_from_address: account.default_from_address,
    suspended_at: account.suspended_at,
    settings: readSettings(account.settings),
    balance: fromCents(balance.balance_cents),
    available: fromCents(balance.available_cents),
    created_at: account.created_at,
  };
}

/** What the account shipped in its last thirty days, as its own report has it. */
export async function showVolume(ctx: Context, accountId: string) {
  const { account_id, currency } = await store.getAccount(ctx.db, accountId);
  const account = { ...ctx.account, account_id, currency };
  const { meta } = await reportShipping({ ...ctx, account }, { group_by: "month" });
  const { from, to, totals } = meta;
  return { from, to, currency, shipments: totals.shipments, total: totals.total };
}

/**
 * Corrects a balance by hand, once for each Idempotency-Key. Taking more than is available is refused: 402.
 * The line in the audit log names the transaction, so that the ledger can be verified against it.
 */
export async function adjustBalance(
  ctx: Context,
  account_id: string,
  { amount: given, description }: { amount: number; description: string },
): Promise<StoredResponse> {
  const amountCents = toCents(given);
  if (amountCents === 0) throw invalid({ amount: ["must be at least one cent."] });
  // As the ledger has it: what was given may have the residue of a binary sum.
  const amount = fromCents(amountCents);
  return inTransaction(ctx.db, async (tx) => {
    await store.lockAccount(tx, account_id);
    // A purchase may hold money at any moment: with the balance locked, the available amount cannot shrink.
    const { available_cents, currency } = await lockBalance(tx, account_id);
    if (available_cents + amountCents < 0) {
      throw new ApiError("insufficient_credits", {
        details: { required: -amount, available: fromCents(available_cents), currency },
      });
    }
    const { transaction_id: id, balance_after_cents } = await post(tx, {
      account_id,
      type: "adjustment",
      subtotal_cents: amountCents,
      tax_cents: 0,
      currency,
      description,
      shipment_id: null,
      entries: [
        { book: "credits", amount_cents: amountCents },
        { book: "adjustments", amount_cents: -amountCents },
      ],
      at: ctx.clock.now(),
    });
    const balance_after = fromCents(balance_after_cents);
    const data = { id, type: "adjustment", amount, currency, balance_after };
    return recordResponse(tx, ctx, {
      answer: answer(201, Adjustment, data),
      account_id,
      subject_id: account_id,
      action: "balance.adjusted",
      details: { transaction_id: id, amount, description },
    });
  });
}

function prefixed(prefix: string, problems: Problems): Problems {
  return Object.fromEntries(
    Object.entries(problems).map(([path, texts]) => [`${prefix}.${path}`, texts]),
  );
}
