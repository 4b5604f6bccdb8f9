import type { Static } from "typebox";
import type { Account } from "../../../context.ts";
import type { Database } from "../../../database/tables.ts";
import type { AutoRechargeState } from "../schemas.ts";
import { readState, type RechargeState } from "./recharge-store.ts";

/** The account's automatic top-up, and how it goes; null where there is none. */
export async function showRecharge(
  db: Database,
  { account_id, settings }: Account,
): Promise<Static<typeof AutoRechargeState> | null> {
  if (!settings.auto_recharge) return null;
  const state = await readState(db, account_id);
  return {
    ...settings.auto_recharge,
    status: state ? statusOf(state) : "active",
    next_attempt_at: state?.next_at?.toISOString() ?? null,
  };
}

function statusOf({ is_charging, is_paused, failure_count }: RechargeState) {
  if (is_charging) return "charging";
  if (is_paused) return "paused";
  return failure_count > 0 ? "failing" : "active";
}
