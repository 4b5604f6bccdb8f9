import type { Database, Tx } from "../../../database/tables.ts";
import { AutoRecharge } from "../../../domain/accounts/account-settings.ts";
import { addProblem, type Problems } from "../../../domain/errors/errors.ts";
import { fittingFields } from "../../../domain/validation/fitting-fields.ts";
import { toCents } from "../../../domain/values/money.ts";
import { findPaymentMethod } from "../store.ts";
import { writeThreshold } from "./recharge-store.ts";

/** Sets when the account's card is charged by itself, in the transaction that stores the setting; null: never. */
export async function setRecharge(
  tx: Tx,
  accountId: string,
  wanted: AutoRecharge | null,
): Promise<void> {
  await writeThreshold(tx, accountId, wanted && toCents(wanted.threshold));
}

/** What the schema cannot express of the setting at this path, of those fields whose shape is right. */
export async function addRechargeProblems(
  db: Database | Tx,
  problems: Problems,
  { account_id, wanted, path }: { account_id: string; wanted: Partial<AutoRecharge>; path: string },
): Promise<void> {
  const { threshold, amount, payment_method_id } = fittingFields(AutoRecharge, wanted);
  if (amount !== undefined && threshold !== undefined && amount < threshold)
    addProblem(
      problems,
      `${path}.amount`,
      "must be at least the threshold, so that one charge is enough.",
    );
  if (payment_method_id === undefined) return;
  if (await findPaymentMethod(db, account_id, payment_method_id)) return;
  addProblem(
    problems,
    `${path}.payment_method_id`,
    payment_method_id === null
      ? "is required, because the account has no default card."
      : "is no card of the account.",
  );
}
