import type { Platform } from "../../../context.ts";
import { inTransaction } from "../../../database/connect.ts";
import type { Tx } from "../../../database/tables.ts";
import { readSettings } from "../../../domain/accounts/account-settings.ts";
import { bySystem } from "../../../domain/accounts/principal.ts";
import { newId } from "../../../domain/values/ids.ts";
import { toCents } from "../../../domain/values/money.ts";
import type { Loop } from "../../../jobs/loops.ts";
import { lockBalance } from "../../../ledger/ledger.ts";
import { perform } from "../../../outbound/outbound.ts";
import { findPaymentMethod } from "../store.ts";
import { topUp, type TopUpInput } from "../top-up.ts";
import { failRecharge } from "./end-recharge.ts";
import * as store from "./recharge-store.ts";

/**
 * Charges the cards of accounts whose balance fell below their threshold (ADR 51). The top-up is claimed in the
 * transaction in which its attempt begins, and the claim ends with the attempt: whatever dies in between, an account
 * has one charge under way at most, and it is looked up like any other.
 */
export function rechargeLoop(platform: Platform): Loop {
  let after = "";
  return {
    name: "credits.recharge",
    every_ms: 2000,
    async run() {
      const accounts = await store.accountsToCharge(platform.db, { after, limit: accountsAtOnce });
      after = accounts.at(-1) ?? "";
      const charged = accounts.map((account_id) => chargeAccount(platform, account_id));
      // A round leaves nothing running, whichever of them failed.
      const failed = (await Promise.allSettled(charged)).find(
        ({ status }) => status === "rejected",
      );
      if (failed?.status === "rejected") throw failed.reason;
      return accounts.length === accountsAtOnce;
    },
  };
}

const accountsAtOnce = 16;
const suspendedPauseSeconds = 3600;
const by = bySystem("credits.recharge");

type Money = Pick<TopUpInput, "amount_cents" | "currency">;

/** Why nothing is charged after all. */
class NotCharged extends Error {
  readonly reason: "claimed" | "high enough" | "suspended" | "no card";
  /** Of the charge that lacks its card. */
  readonly money: Money | null;

  constructor(reason: NotCharged["reason"], money: Money | null = null) {
    super(reason);
    this.reason = reason;
    this.money = money;
  }
}

async function chargeAccount(platform: Platform, account_id: string): Promise<void> {
  try {
    await perform(platform.outbound, topUp(platform), {
      account_id,
      idempotency_key: null,
      by,
      prepare: async (tx) => {
        const input = await claimTopUp(platform, tx, account_id);
        return { subject_id: input.transaction_id, party: input.party, input, message: null };
      },
    });
  } catch (error) {
    if (!(error instanceof NotCharged)) throw error;
    await noteNotCharged(platform, account_id, error);
  }
}

/** Throws `NotCharged`. */
async function claimTopUp({ clock, payments }: Platform, tx: Tx, account_id: string) {
  const now = clock.now();
  const transaction_id = newId("txn", now);
  if (!(await store.claimRecharge(tx, account_id, transaction_id))) throw new NotCharged("claimed");
  // The claim's lock is also that of a change of the setting.
  const account = await store.readAccount(tx, account_id);
  const wanted = readSettings(account.settings).auto_recharge;
  if (!wanted || !account.is_below) throw new NotCharged("high enough");
  if (account.is_suspended) throw new NotCharged("suspended");
  const money = { amount_cents: toCents(wanted.amount), currency: account.currency };
  const card = await findPaymentMethod(tx, account_id, wanted.payment_method_id);
  if (!card) throw new NotCharged("no card", money);
  return {
    ...money,
    transaction_id,
    party: payments.forAccount(account.environment).party,
    payment_method: { id: card.id, brand: card.brand, last4: card.last4 },
    customer: card.processor_customer,
    created_at: now.toISOString(),
    is_automatic: true,
  };
}

async function noteNotCharged(
  { db }: Platform,
  account_id: string,
  { reason, money }: NotCharged,
): Promise<void> {
  if (reason === "claimed") return;
  await inTransaction(db, async (tx) => {
    if (money) {
      const failed = { ...money, account_id, transaction_id: null, code: "no_card" };
      return failRecharge(tx, { ...failed, is_refused: true }, by);
    }
    // A movement that makes it due again waits for this lock, or was before it.
    await lockBalance(tx, account_id);
    if (reason === "suspended") return store.putOff(tx, account_id, suspendedPauseSeconds);
    const { is_below } = await store.readAccount(tx, account_id);
    if (!is_below) await store.putOff(tx, account_id, null);
  });
}
